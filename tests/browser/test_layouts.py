"""Layouts: nothing overflows, is clipped or lies over something else, in every size; nothing moves under a finger.

`make screenshots` looks at every screen in every language and theme; this is a small part of it.
"""

import pytest
from playwright.async_api import Browser

from games.rules.registry import RULESETS
from tests.browser.visitor import visitor
from tests.screenshots.faults import layout_faults
from tests.screenshots.screens import SIZES, full_table, screens

WITHOUT_SCROLLING = ("small-phone", "phone", "landscape-phone", "wide")
LARGEST_SHIFT = 0.02
SHIFTS = """() => new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
})"""


@pytest.mark.timeout(120)
async def test_home_and_tables_fit_every_size_without_shifts(browser: Browser, home: str) -> None:
    wanted = {screen.name: screen for screen in screens() if screen.name in ("home", "table-qwixx")}
    async with visitor(browser, home, locale="ru") as guest:
        found = []
        for name, screen in wanted.items():
            await screen.open(guest.page, home)
            assert await guest.page.evaluate(SHIFTS) < LARGEST_SHIFT, name
            for size, viewport in SIZES.items():
                await guest.page.set_viewport_size(viewport)
                is_table = name.startswith("table") and size in WITHOUT_SCROLLING
                found += [f"{name} {size}: {fault}" for fault in await layout_faults(guest.page, is_table=is_table)]
            await guest.page.set_viewport_size(SIZES["phone"])
        assert found == []
        assert guest.console_errors == []


@pytest.mark.timeout(120)
@pytest.mark.parametrize("ruleset", RULESETS)
async def test_a_table_with_every_seat_taken_fits_a_phone(browser: Browser, home: str, ruleset: str) -> None:
    async with visitor(browser, home, locale="de") as guest:
        await full_table(ruleset)(guest.page, home)
        for size in ("phone", "landscape-phone"):
            await guest.page.set_viewport_size(SIZES[size])
            assert await layout_faults(guest.page, is_table=True) == [], size
        assert guest.console_errors == []
