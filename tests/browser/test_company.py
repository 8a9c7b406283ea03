"""Others at the table: what is said to them, and what can be done about them."""

from playwright.async_api import Browser, expect

from tests.browser.test_every_page import obstacles, untranslated
from tests.browser.test_two_people import sit_down
from tests.browser.visitor import DESKTOP, Visitor, visitor


async def say(speaker: Visitor, phrase: str) -> None:
    await speaker.press("Say something")
    await speaker.press(phrase)
    await expect(speaker.page.locator(".seat[data-you] .bubble")).to_have_text(phrase)


async def look_at_the_other(visitor: Visitor) -> None:
    await visitor.page.locator(".seat .over").click()
    await visitor.page.wait_for_selector("dialog[open] qx-person .actions")


async def test_what_one_says_the_other_reads_in_his_own_language(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home, {"language": "de"}, viewport=DESKTOP) as bob:
        await sit_down(ann, bob, "qwixx")
        await bob.page.wait_for_selector(".top .link[data-state=live]")
        await say(ann, "Good luck!")
        await expect(bob.page.locator(".seat:not([data-you]) .bubble")).to_have_text("Viel Glück!")
        await expect(bob.page.locator("qx-phrases [aria-live]")).to_contain_text("Viel Glück!")
        assert ann.complaints + bob.complaints == []


async def test_a_muted_player_is_not_heard_until_unmuted(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home) as bob:
        await sit_down(ann, bob, "qwixx")
        await look_at_the_other(bob)
        await bob.press("Mute", exact=True)
        await bob.is_told("You will not hear")
        await bob.page.keyboard.press("Escape")
        await bob.page.wait_for_selector("dialog", state="detached")
        await say(ann, "Oops!")
        # What he says himself comes after it on the same line.
        await say(bob, "Thanks!")
        assert await bob.page.locator(".seat:not([data-you]) .bubble").count() == 0
        await look_at_the_other(bob)
        await bob.press("Unmute")
        await bob.is_told("You hear")
        await bob.page.keyboard.press("Escape")
        await say(ann, "Well played!")
        await expect(bob.page.locator(".seat:not([data-you]) .bubble")).to_have_text("Well played!")
        assert ann.complaints + bob.complaints == []


async def test_who_was_blocked_at_the_table_is_listed_in_the_settings_and_can_be_let_go(
    browser: Browser, home: str
) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home) as bob:
        await sit_down(ann, bob, "qwixx")
        await look_at_the_other(bob)
        await bob.press("Block", exact=True)
        await bob.is_told("Blocked")
        await bob.visit("/settings", "[data-list=blocks] li")
        await expect(bob.page.locator("[data-list=blocks] li a")).to_have_text((await ann.player())["name"])
        await bob.press("No longer")
        await expect(bob.page.locator("[data-list=blocks]")).to_contain_text("Nobody.")
        assert bob.complaints == []


async def test_a_player_can_be_blocked_and_reported_on_his_page(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home, locale="ru") as bob:
        await sit_down(ann, bob, "qwinto")
        whom = (await ann.player())["id"]
        await bob.visit(f"/player/{whom}", "qx-person .actions")
        await bob.press("Заблокировать", exact=True)
        await bob.is_told("Заблокирован")
        await bob.press("Пожаловаться")
        assert await obstacles(bob) == []
        assert await untranslated(bob, "ru") == []
        await bob.page.locator("select[name=reason]").select_option("abuse")
        await bob.fill(".report", text="Rude.")
        await bob.is_told("Спасибо")
        export = await bob.page.evaluate(
            "fetch('/api/v1/players/me/export', {headers: {Authorization: `Bearer ${localStorage['qx.token']}`}})"
            ".then((answer) => answer.json())"
        )
        reports = export["moderation"]["reports"]
        assert [(report["reason"], report["text"]) for report in reports] == [("abuse", "Rude.")]
        assert bob.complaints == []


async def test_nothing_stands_in_the_way_of_phrases_and_people(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home, color_scheme="dark", locale="uk") as bob:
        await sit_down(ann, bob, "qwixx")
        await bob.page.locator("[popovertarget]").click()
        await bob.page.wait_for_selector("#phrases button")
        assert await obstacles(bob) == []
        assert await untranslated(bob, "uk") == []
        await bob.page.keyboard.press("Escape")
        await look_at_the_other(bob)
        assert await obstacles(bob) == []
        assert await untranslated(bob, "uk") == []
        assert bob.complaints == []
