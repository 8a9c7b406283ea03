"""The screens of the page, and the sizes in which they are looked at."""

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from playwright.async_api import Page, ViewportSize

from games.rules.registry import RULESETS

SIZES: dict[str, ViewportSize] = {
    "small-phone": {"width": 320, "height": 640},
    "phone": {"width": 390, "height": 844},
    "landscape-phone": {"width": 844, "height": 390},
    "zoomed": {"width": 640, "height": 400},  # 1280 x 800 at 200 %
    "tablet": {"width": 820, "height": 1180},
    "desktop": {"width": 1280, "height": 800},
    "wide": {"width": 1920, "height": 1080},
}
VIEWS = {
    "home": ("/", ".picks"),
    "lobby": ("/lobby", "qx-match form"),
    "new": ("/new", "qx-new .preview .row"),
    "games": ("/games", "qx-games h1"),
    "boards": ("/boards", "qx-boards h1"),
    "settings": ("/settings", "qx-settings h1"),
    "account": ("/account", "qx-account form"),
    "rules": ("/rules", "qx-rules qx-sheet .row"),
    "about": ("/about", "qx-about h1"),
    "join": ("/join/AAAAAA", "qx-join form"),
}
MINE = ".felt[data-mine] .actions button:not(:disabled)"
LIT = ".own button.cell[data-option]"


class Screen(NamedTuple):
    name: str
    open: Callable[[Page, str], Awaitable[None]]


def _view(path: str, selector: str) -> Callable[[Page, str], Awaitable[None]]:
    async def opened(page: Page, home: str) -> None:
        await page.goto(home + path)
        await page.wait_for_selector(selector)

    return opened


def _table(ruleset: str) -> Callable[[Page, str], Awaitable[None]]:
    """A game against a bot, at a choice of the player after some turns."""

    async def opened(page: Page, home: str) -> None:
        await page.goto(home)
        await page.locator(f"[data-ruleset={ruleset}]").click()
        for _ in range(8):
            await page.wait_for_selector(MINE)
            lit = page.locator(LIT)
            await (lit if await lit.count() else page.locator(MINE)).first.click()
        await page.wait_for_selector(MINE)

    return opened


def full_table(ruleset: str) -> Callable[[Page, str], Awaitable[None]]:
    """A game of as many seats as the rules allow, against bots, at the first choice of the player."""
    seats = max(RULESETS[ruleset].seats)

    async def opened(page: Page, home: str) -> None:
        await page.goto(home + "/new")
        await page.locator(f"input[name=ruleset][value={ruleset}]").check()
        await page.locator(f"input[name=seats][value='{seats}']").check()
        await page.locator("input[value=private]").check()
        await page.locator("select[name=clock]").select_option("none")
        for place in range(seats - 1):
            await page.locator("select[name=bot]").nth(place).select_option("easy")
        await page.locator("button.main").click()
        await page.wait_for_selector(MINE)

    return opened


async def _after(page: Page, _home: str) -> None:
    """The game of the screen before, resigned."""
    await page.locator(".top button[aria-label]").last.click()
    await page.locator(".ask .danger").click()
    await page.wait_for_selector("qx-after h1")


def screens() -> list[Screen]:
    """Every screen; a lesson, a full table and a table of two for each game, and the end of the last one."""
    found = [Screen(name, _view(*where)) for name, where in VIEWS.items()]
    for key in RULESETS:
        found += [Screen(f"learn-{key}", _view(f"/learn/{key}", ".felt")), Screen(f"table-full-{key}", full_table(key))]
        found += [Screen(f"table-{key}", _table(key))]
    return [*found, Screen("after", _after)]
