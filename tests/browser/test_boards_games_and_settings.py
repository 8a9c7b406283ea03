"""Leaderboards, the player's list of games, and stored settings."""

import asyncio
from contextlib import suppress

from playwright.async_api import Browser, expect
from playwright.async_api import TimeoutError as TookTooLong

from tests.browser.test_whole_games_of_two import start_game
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


async def test_the_winner_of_a_rated_game_sees_the_new_rating_and_is_on_the_leaderboards(
    browser: Browser, home: str
) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home, viewport=DESKTOP) as bob:
        await rated_game(ann, bob)
        await asyncio.gather(bob.sees_message("Your rating in Qwixx"), lose(ann))
        await bob.page.get_by_role("link", name="Boards").click()
        mine = bob.page.locator(".board tr[data-you]")
        await expect(mine).to_contain_text((await bob.player())["name"])
        await bob.press("Wins", exact=True)
        await bob.press("This week", exact=True)
        await expect(mine.locator("td").last).to_have_text("1")
        await bob.press("The period before")
        await expect(bob.page.locator("qx-boards")).to_contain_text("No rankings yet")
        await bob.press("The period after")
        await expect(mine).to_have_count(1)
        await mine.get_by_role("link").click()
        await expect(bob.page.locator("qx-player .figures")).to_have_count(2)
        assert ann.console_errors + bob.console_errors == []


async def test_a_game_that_waits_is_listed_and_counted_in_the_badge_until_it_is_over(
    browser: Browser, home: str
) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home) as bob:
        await start_game(ann, bob, "qwixx")
        waiting = ann if await ann.page.locator(".seat[data-active][data-you]").count() else bob
        await waiting.visit("/games", "section.card:has(h2:text('Your move')) li.game")
        await expect(waiting.page.locator(".badge [aria-hidden]")).to_have_text("1")
        await waiting.page.get_by_role("link", name="Open", exact=True).click()
        await waiting.page.wait_for_selector(".felt[data-mine]")
        await lose(waiting)
        await waiting.visit("/games", "section.card:has(h2:text('Finished')) li.game")
        await expect(waiting.page.locator(".badge")).to_have_count(0)
        assert ann.console_errors + bob.console_errors == []


RECORD_PROMPTS = """() => {
  window.prompts = [];
  const look = () => prompts.push(document.querySelector(".prompt")?.textContent ?? "");
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  look();
}"""


async def test_with_the_setting_the_page_passes_when_nothing_else_is_possible(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann:
        await ann.visit("/settings", "qx-settings h1")
        await ann.page.get_by_role("checkbox", name="Pass automatically").check()
        await ann.visit("/", ".hero")
        await ann.page.locator("[data-ruleset=qwixx]").click()
        passed = ann.page.locator(".prompt p", has_text="No cell fits this roll")
        await ann.page.wait_for_selector(".felt")
        await ann.page.evaluate(RECORD_PROMPTS)
        while not await ann.page.evaluate("window.prompts.some((text) => text.includes('No cell fits this roll'))"):
            # Roll, and mark the last possible cell: soon nothing fits. A button may disappear before the click.
            for button in (".felt[data-mine] .actions button.main", "button.cell[data-option]"):
                with suppress(TookTooLong):
                    await ann.page.locator(button).last.click(timeout=1000)
        await expect(passed).to_have_count(0)
        assert ann.console_errors == []


async def test_settings_are_stored(browser: Browser, home: str) -> None:
    async with visitor(browser, home, color_scheme="light") as ann:
        await ann.visit("/settings", "qx-settings h1")
        await ann.page.get_by_role("radio", name="Dark").check(force=True)
        await ann.page.get_by_role("checkbox", name="Tap twice to confirm").check()
        await ann.page.get_by_role("checkbox", name="Sound").check()
        await ann.visit("/settings", "qx-settings h1")
        await expect(ann.page.get_by_role("checkbox", name="Tap twice to confirm")).to_be_checked()
        await expect(ann.page.get_by_role("checkbox", name="Sound")).to_be_checked()
        assert await ann.page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
        assert ann.console_errors == []
