"""Phrases, and muting, blocking and reporting other players."""

from playwright.async_api import Browser, expect

from tests.browser.test_every_page import accessibility_violations, untranslated
from tests.browser.test_whole_games_of_two import start_game
from tests.browser.visitor import DESKTOP, Visitor, visitor


async def say(speaker: Visitor, phrase: str) -> None:
    await speaker.press("Say something")
    await speaker.press(phrase)
    await expect(speaker.page.locator(".seat[data-you] .bubble")).to_have_text(phrase)


async def open_the_other_player(visitor: Visitor) -> None:
    await visitor.page.locator(".seat .over").click()
    await visitor.page.wait_for_selector("dialog[open] qx-person .actions")


async def test_a_phrase_is_shown_in_the_language_of_each_reader(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home, {"language": "de"}, viewport=DESKTOP) as bob:
        await start_game(ann, bob, "qwixx")
        await bob.page.wait_for_selector(".top .link[data-state=live]")
        await say(ann, "Good luck!")
        await expect(bob.page.locator(".seat:not([data-you]) .bubble")).to_have_text("Viel Glück!")
        await expect(bob.page.locator("qx-phrases [aria-live]")).to_contain_text("Viel Glück!")
        assert ann.console_errors + bob.console_errors == []


async def test_phrases_of_a_muted_player_are_hidden_until_unmuted(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home) as bob:
        await start_game(ann, bob, "qwixx")
        await open_the_other_player(bob)
        await bob.press("Mute", exact=True)
        await bob.sees_message("You no longer see")
        await bob.page.keyboard.press("Escape")
        await bob.page.wait_for_selector("dialog", state="detached")
        await say(ann, "Oops!")
        # Bob's own phrase comes later on the same stream.
        await say(bob, "Thanks!")
        assert await bob.page.locator(".seat:not([data-you]) .bubble").count() == 0
        await open_the_other_player(bob)
        await bob.press("Unmute")
        await bob.sees_message("You see phrases")
        await bob.page.keyboard.press("Escape")
        await say(ann, "Well played!")
        await expect(bob.page.locator(".seat:not([data-you]) .bubble")).to_have_text("Well played!")
        assert ann.console_errors + bob.console_errors == []


async def test_a_player_blocked_in_a_game_is_listed_in_the_settings_and_can_be_unblocked(
    browser: Browser, home: str
) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home) as bob:
        await start_game(ann, bob, "qwixx")
        await open_the_other_player(bob)
        await bob.press("Block", exact=True)
        await bob.sees_message("Blocked")
        await bob.visit("/settings", "[data-list=blocks] li")
        await expect(bob.page.locator("[data-list=blocks] li a")).to_have_text((await ann.player())["name"])
        await bob.press("Remove")
        await expect(bob.page.locator("[data-list=blocks]")).to_contain_text("No players.")
        assert bob.console_errors == []


async def test_a_player_can_be_blocked_and_reported_on_their_page(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home, locale="ru") as bob:
        await start_game(ann, bob, "qwinto")
        player_id = (await ann.player())["id"]
        await bob.visit(f"/player/{player_id}", "qx-person .actions")
        await bob.press("Заблокировать", exact=True)
        await bob.sees_message("Заблокирован")
        await bob.press("Пожаловаться")
        assert await accessibility_violations(bob) == []
        assert await untranslated(bob, "ru") == []
        await bob.page.locator("select[name=reason]").select_option("abuse")
        await bob.fill(".report", text="Rude.")
        await bob.sees_message("Спасибо")
        export = await bob.page.evaluate(
            "fetch('/api/v1/players/me/export', {headers: {Authorization: `Bearer ${localStorage['qx.token']}`}})"
            ".then((answer) => answer.json())"
        )
        reports = export["moderation"]["reports"]
        assert [(report["reason"], report["text"]) for report in reports] == [("abuse", "Rude.")]
        assert bob.console_errors == []


async def test_phrases_and_the_dialog_about_a_player_are_accessible_and_translated(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home, color_scheme="dark", locale="uk") as bob:
        await start_game(ann, bob, "qwixx")
        await bob.page.locator("[popovertarget]").click()
        await bob.page.wait_for_selector("#phrases button")
        assert await accessibility_violations(bob) == []
        assert await untranslated(bob, "uk") == []
        await bob.page.keyboard.press("Escape")
        await open_the_other_player(bob)
        assert await accessibility_violations(bob) == []
        assert await untranslated(bob, "uk") == []
        assert bob.console_errors == []
