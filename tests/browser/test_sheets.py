"""Sheets that the page does not know are drawn from their descriptions, with their extras."""

from typing import Any

import pytest
from playwright.async_api import Browser, expect

from games.rules.qwixx import QWIXX
from tests.browser.test_every_page import accessibility_violations
from tests.browser.visitor import PHONE, Visitor, visitor
from tests.rules.printed import PRINTED, registered
from tests.rules.sheet_cases import SheetCase, game

DRAW = """([printed, pad, options]) => {
  const sheet = Object.assign(document.createElement("qx-sheet"), { printed, pad, options, closed: [], live: true });
  const card = Object.assign(document.createElement("section"), { className: "own" });
  card.append(sheet);
  document.querySelector("qx-rules").replaceChildren(card);
  addEventListener("choose", (event) => (window.chosen = event.detail));
  return sheet.updateComplete;
}"""


@pytest.fixture(scope="module", autouse=True)
def printed_sheets() -> Any:
    yield from registered()


def described(key: str) -> dict[str, Any]:
    (sheet,) = [sheet for sheet in QWIXX.description()["sheets"] if sheet["key"] == key]
    return dict(sheet)


async def draw(guest: Visitor, key: str, sheet: dict[str, Any], options: list[dict[str, Any]]) -> None:
    await guest.visit("/rules", "qx-rules qx-sheet .row")
    await guest.page.evaluate(DRAW, [described(key), sheet, options])
    await guest.page.wait_for_selector(".own .row")


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_every_printed_sheet_is_drawn_with_its_extras(browser: Browser, home: str, scheme: Any) -> None:
    async with visitor(browser, home, viewport=PHONE, color_scheme=scheme) as guest:
        for key in PRINTED:
            *_, last = game(SheetCase(QWIXX, key, 0, 0), 2, seed=2)
            sheet, printed = QWIXX.sheet_view(last.before, 0), described(key)
            await draw(guest, key, sheet, [])
            cells = sum(len(row["cells"]) for row in printed["rows"])
            await expect(guest.page.locator(".own .cell:not(.lock)")).to_have_count(cells)
            signed = {
                tuple(cell)
                for extra in printed["extras"]
                for cell in [*extra.get("cells", ()), *(end for link in extra.get("links", ()) for end in link)]
            }
            await expect(guest.page.locator(".own .cell .sign")).to_have_count(len(signed))
            fields = sum(len(extra.get("track", ())) for extra in printed["extras"])
            await expect(guest.page.locator(".own .track li")).to_have_count(fields)
            used = sum(extra.get("used", 0) for extra in sheet.get("extras", ()))
            await expect(guest.page.locator(".own .track li[data-used]")).to_have_count(used)
            await expect(guest.page.locator(".own .extra p")).to_have_count(len(printed["clauses"]))
            assert await guest.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), key
            assert await accessibility_violations(guest) == [], key
        assert guest.console_errors == []


async def test_a_cell_that_may_be_crossed_again_can_be_tapped_again(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as guest:
        sheet = QWIXX.sheet_view(QWIXX.opening("double_a", 2), 0)
        sheet["rows"]["red"] = [2, 5]
        again = {"type": "mark", "row": "red", "number": 5}
        await draw(guest, "double_a", sheet, [again])
        await guest.page.get_by_role("button", name="red 5, possible").click()
        assert await guest.page.evaluate("window.chosen") == {"action": again, "offered": True}
        assert guest.console_errors == []
