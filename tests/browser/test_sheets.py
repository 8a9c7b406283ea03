"""Sheets are drawn from their descriptions, with their extras."""

from typing import Any

import pytest
from playwright.async_api import Browser, expect

from games.rules.qwixx import QWIXX, NoteMade
from tests.browser.test_every_page import accessibility_violations
from tests.browser.visitor import PHONE, Visitor, visitor
from tests.rules.sheet_cases import SheetCase, game

DRAW = """([printed, pad, options]) => {
  const drawn = { sheet: printed, pad, options, closed: [], live: true };
  const sheet = Object.assign(document.createElement("qx-sheet"), drawn);
  const card = Object.assign(document.createElement("section"), { className: "own" });
  card.append(sheet);
  const title = Object.assign(document.createElement("h1"), { textContent: "Sheet" });
  document.querySelector("qx-rules").replaceChildren(title, card);
  addEventListener("choose", (event) => (window.chosen = event.detail));
  return sheet.updateComplete;
}"""
# Looked at in every frame; `wait_for_function` evaluates a string, which the policy of the page forbids.
FITS_SOON = """async () => {
  const fits = () => document.documentElement.scrollWidth <= innerWidth;
  for (let frames = 0; frames < 300 && !fits(); frames++) await new Promise(requestAnimationFrame);
  return fits();
}"""


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
        for key in QWIXX.sheets[1:]:
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
            await expect(guest.page.locator(".own .extra p")).to_have_count(max(1, len(printed["clauses"])))
            assert await guest.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), key
            assert await accessibility_violations(guest) == [], key
        assert guest.console_errors == []


@pytest.mark.timeout(240)
@pytest.mark.parametrize("key", QWIXX.sheets[1:])
async def test_a_guest_plays_a_whole_game_against_a_bot_on_every_sheet(browser: Browser, home: str, key: str) -> None:
    async with visitor(browser, home, {"autopass": True}) as guest:
        await guest.visit(f"/rules/{QWIXX.key}", f"#{key} qx-sheet .row")
        await guest.page.locator(f"#{key} button").click()
        await guest.page.wait_for_selector(".felt")
        await expect(guest.page.locator(".own .cell:not(.lock)").first).to_be_visible()
        assert await guest.page.evaluate(FITS_SOON)
        assert await guest.play_to_the_end() > 3
        await expect(guest.page.locator(".past qx-sheet")).to_have_count(2)
        assert guest.console_errors == []


async def test_every_seat_sees_the_steps_of_its_own_printing(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as guest:
        await guest.visit(f"/rules/{QWIXX.key}", "#connected_a_steps qx-sheet .row")
        await guest.page.locator("#connected_a_steps button").click()
        await guest.page.wait_for_selector(".own .row")
        steps = "sheet => [...sheet.querySelectorAll('.row')].map(row => row.querySelectorAll('.sign').length).join()"
        own = await guest.page.locator(".own qx-sheet").evaluate(steps)
        other = await guest.page.locator(".other qx-sheet").evaluate(steps)
        assert own != other
        await expect(guest.page.locator(".own .foot")).to_contain_text("Printing")


async def test_the_form_of_a_new_game_shows_the_selected_sheet(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as guest:
        await guest.visit("/new", ".preview .row")
        for key in QWIXX.sheets:
            await guest.page.locator(f"input[name=sheet][value={key}]").check()
            await expect(guest.page.locator(".preview .row")).to_have_count(len(described(key)["rows"]))
        await guest.page.locator("input[value=bonus_b]").check()
        await guest.page.locator("select[name=bot]").select_option("hard")
        await guest.page.locator("button.main").click()
        await expect(guest.page.locator(".top h1")).to_contain_text("Bonus B")
        assert guest.console_errors == []


async def test_the_lobby_shows_the_games_of_one_sheet(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as host, visitor(browser, home) as guest:
        await host.visit("/new", ".preview .row")
        await host.page.locator("input[value=x_change]").check()
        await host.page.locator("button.main").click()
        await host.page.wait_for_selector("qx-room")
        await guest.visit("/lobby", "qx-lobby .game")
        await expect(guest.page.locator(".game", has_text="X-change")).to_have_count(1)
        await guest.page.locator("select[name=filter]").select_option(label="Qwixx · Double A")
        await expect(guest.page.locator(".game")).to_have_count(0)
        await guest.page.locator("select[name=filter]").select_option(label="Qwixx · X-change")
        await expect(guest.page.locator(".game", has_text="X-change")).to_have_count(1)
        assert host.console_errors + guest.console_errors == []


async def test_a_swapped_number_is_marked_and_can_be_tapped(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as guest:
        swap = {"type": "mark", "row": "red", "number": 5}
        await draw(guest, "x_change", QWIXX.sheet_view(QWIXX.opening("x_change", 2), 0), [swap])
        await guest.page.locator(".own qx-sheet").evaluate("sheet => { sheet.sum = 8; }")
        await guest.page.get_by_role("button", name="red 5, possible with a swap").click()
        assert await guest.page.evaluate("window.chosen") == {"action": swap, "offered": True}


async def test_arrow_keys_move_the_focus_between_lit_cells(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as guest:
        lit = [("red", 5), ("red", 9), ("green", 9), ("blue", 5)]
        options = [{"type": "mark", "row": row, "number": number} for row, number in lit]
        await draw(guest, "classic", QWIXX.sheet_view(QWIXX.opening("classic", 2), 0), options)
        await guest.page.get_by_role("button", name="red 5, possible").focus()
        steps = {"ArrowRight": "red 9", "ArrowDown": "green 9", "ArrowUp": "red 5"}
        for key, name in steps.items():
            await guest.page.keyboard.press(key)
            await expect(guest.page.get_by_role("button", name=f"{name}, possible")).to_be_focused()
        await guest.page.keyboard.press("ArrowLeft")
        await guest.page.keyboard.press("Enter")
        assert await guest.page.evaluate("window.chosen") == {"action": options[0], "offered": True}


async def test_a_bonus_row_cell_can_be_tapped(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as guest:
        bonus = {"type": "mark", "row": "red_yellow", "number": 5}
        await draw(guest, "big_points", QWIXX.sheet_view(QWIXX.opening("big_points", 2), 0), [bonus])
        await guest.page.get_by_role("button", name="red and yellow 5, possible").click()
        assert await guest.page.evaluate("window.chosen") == {"action": bonus, "offered": True}


async def test_a_cell_that_may_be_crossed_again_can_be_tapped_again(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as guest:
        sheet = QWIXX.sheet_view(QWIXX.opening("double_a", 2), 0)
        sheet["rows"]["red"] = [2, 5]
        again = {"type": "mark", "row": "red", "number": 5}
        await draw(guest, "double_a", sheet, [again])
        await guest.page.get_by_role("button", name="red 5, possible").click()
        assert await guest.page.evaluate("window.chosen") == {"action": again, "offered": True}
        assert guest.console_errors == []


async def test_fields_of_a_closed_colour_are_void_unless_they_were_used(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as guest:
        state = QWIXX.evolve(QWIXX.opening("bonus_a", 2), NoteMade(0, "bonus_bar", 1))
        await draw(guest, "bonus_a", QWIXX.sheet_view(state, 0), [])
        await guest.page.locator(".own qx-sheet").evaluate("sheet => { sheet.closed = ['red']; }")
        await expect(guest.page.locator(".own .track li[data-void][data-colour=red]")).to_have_count(2)
        await expect(guest.page.locator(".own .track li:is([data-void], [data-used])")).to_have_count(3)
        await expect(guest.page.locator(".own .track")).to_contain_text("red, void")
        assert await accessibility_violations(guest) == []
        assert guest.console_errors == []
