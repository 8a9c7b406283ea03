"""What a player finds again: his games, his place on the boards, and the page as he set it up."""

import asyncio
from contextlib import suppress

from playwright.async_api import Browser, expect
from playwright.async_api import TimeoutError as TookTooLong

from tests.browser.test_two_people import sit_down
from tests.browser.visitor import DESKTOP, Visitor, visitor


async def lose(loser: Visitor) -> None:
    await loser.press("Resign")
    await loser.page.locator(".ask .danger").click()
    await loser.page.wait_for_selector("qx-after h1")


async def rated_game(ann: Visitor, bob: Visitor) -> None:
    await ann.visit("/new", "form")
    await ann.page.locator("input[name=rated]").check()
    await ann.page.locator("button.main").click()
    await bob.visit(f"/join/{await ann.text('qx-room .code')}", ".felt")
    await ann.page.wait_for_selector(".felt")


async def test_whoever_wins_a_rated_game_is_told_his_rating_and_stands_on_the_boards(
    browser: Browser, home: str
) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home, viewport=DESKTOP) as bob:
        await rated_game(ann, bob)
        await asyncio.gather(bob.is_told("Your rating in Qwixx"), lose(ann))
        await bob.page.get_by_role("link", name="Boards").click()
        mine = bob.page.locator(".board tr[data-you]")
        await expect(mine).to_contain_text((await bob.player())["name"])
        await bob.press("Wins", exact=True)
        await bob.press("This week", exact=True)
        await expect(mine.locator("td").last).to_have_text("1")
        await bob.press("The period before")
        await expect(bob.page.locator("qx-boards")).to_contain_text("Nobody stands here yet")
        await bob.press("The period after")
        await expect(mine).to_have_count(1)
        await mine.get_by_role("link").click()
        await expect(bob.page.locator("qx-player .figures")).to_have_count(2)
        assert ann.complaints + bob.complaints == []


async def test_my_games_are_where_i_left_them(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home) as bob:
        await sit_down(ann, bob, "qwixx")
        waiting = ann if await ann.page.locator(".seat[data-active][data-you]").count() else bob
        await expect(waiting.page.locator(".badge [aria-hidden]")).to_have_text("1")
        await waiting.visit("/games", "section.card:has(h2:text('Your move')) li.game")
        await waiting.page.get_by_role("link", name="Open", exact=True).click()
        await waiting.page.wait_for_selector(".felt[data-mine]")
        await lose(waiting)
        await waiting.visit("/games", "section.card:has(h2:text('Finished')) li.game")
        await expect(waiting.page.locator(".badge")).to_have_count(0)
        assert ann.complaints + bob.complaints == []


NOTE_WHAT_IS_SAID = """() => {
  window.said = [];
  const look = () => said.push(document.querySelector(".prompt")?.textContent ?? "");
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  look();
}"""


async def test_a_game_is_passed_by_itself_where_the_player_wants_it_so(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann:
        await ann.visit("/settings", "qx-settings h1")
        await ann.page.get_by_role("checkbox", name="Pass by itself").check()
        await ann.visit("/", ".hero")
        await ann.page.locator("[data-ruleset=qwixx]").click()
        passed = ann.page.locator(".prompt p", has_text="Nothing fits here")
        await ann.page.wait_for_selector(".felt")
        await ann.page.evaluate(NOTE_WHAT_IS_SAID)
        while not await ann.page.evaluate("window.said.some((text) => text.includes('Nothing fits here'))"):
            # Rolls, and marks as far to the right as it can: soon nothing fits. What was there may be gone by now.
            for button in (".felt[data-mine] .actions button.main", "button.cell[data-option]"):
                with suppress(TookTooLong):
                    await ann.page.locator(button).last.click(timeout=1000)
        await expect(passed).to_have_count(0)
        assert ann.complaints == []


async def test_the_page_stays_as_it_was_set_up(browser: Browser, home: str) -> None:
    async with visitor(browser, home, color_scheme="light") as ann:
        await ann.visit("/settings", "qx-settings h1")
        await ann.page.get_by_role("radio", name="Dark").check(force=True)
        await ann.page.get_by_role("checkbox", name="Confirm by a second tap").check()
        await ann.page.get_by_role("checkbox", name="Sound").check()
        await ann.visit("/settings", "qx-settings h1")
        await expect(ann.page.get_by_role("checkbox", name="Confirm by a second tap")).to_be_checked()
        await expect(ann.page.get_by_role("checkbox", name="Sound")).to_be_checked()
        assert await ann.page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
        assert ann.complaints == []
