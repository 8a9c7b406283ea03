"""Accounts: signing up and in, passwords, mailed links, export and deletion."""

import asyncio
import json
from pathlib import Path

from playwright.async_api import Browser, expect

from tests.browser.test_every_page import accessibility_violations, untranslated
from tests.browser.visitor import DESKTOP, Visitor, visitor
from tests.embedded.launcher import LaunchedProgram

PASSWORD, ANOTHER = "correct horse battery", "staple in a haystack"
ENTRY = "qx-account .fields"
# The browser's own message about a refused request.
WRONG = ("401 (Unauthorized)",)


async def mailed(service: LaunchedProgram, address: str, purpose: str) -> str:
    """The path of the link in the next mail to this address."""
    await asyncio.to_thread(service.wait_for, f"To: {address}")
    line = await asyncio.to_thread(service.wait_for, f"/account/{purpose}/")
    return line[line.index("/account/") :]


async def sign_up(guest: Visitor, email: str) -> None:
    await guest.visit("/account", ENTRY)
    await guest.fill(ENTRY, name="Ann", email=email, password=PASSWORD)
    await guest.page.wait_for_selector("qx-credentials form")


async def sign_in(guest: Visitor, email: str, password: str) -> None:
    await guest.visit("/account#in", ENTRY)
    await guest.fill(ENTRY, email=email, password=password)


async def test_a_guest_who_signs_up_keeps_the_games_on_every_device(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as phone, visitor(browser, home, viewport=DESKTOP) as desk:
        await phone.visit("/", ".hero")
        await phone.page.locator("[data-ruleset=qwixx]").click()
        await phone.page.wait_for_selector(".felt")
        guest = await phone.player()
        await sign_up(phone, "keeps@example.org")
        assert await phone.player() == guest | {"name": "Ann", "is_guest": False}
        await expect(phone.page.locator("qx-account .list li")).to_have_count(1)
        await sign_in(desk, "keeps@example.org", PASSWORD)
        await desk.sees_message("Welcome")
        await desk.visit("/games", "li.game")
        assert (await desk.player())["id"] == guest["id"]
        assert phone.console_errors + desk.console_errors == []


async def test_a_wrong_password_is_refused_with_a_text(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home) as other:
        await sign_up(ann, "wrong@example.org")
        await sign_in(other, "wrong@example.org", "not this one")
        await expect(other.page.locator(".toast[data-shown][data-mood=bad]")).to_contain_text("password")
        assert [text for text in other.console_errors if not any(word in text for word in WRONG)] == []


async def test_a_new_password_logs_the_other_devices_out(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as phone, visitor(browser, home) as desk:
        await sign_up(phone, "other@example.org")
        await sign_in(desk, "other@example.org", PASSWORD)
        await desk.page.wait_for_selector("qx-credentials form")
        await desk.fill("qx-credentials form", old=PASSWORD, new=ANOTHER)
        await desk.sees_message("The password is changed")
        await expect(desk.page.locator("qx-account .list li")).to_have_count(1)
        await phone.page.goto(f"{phone.home}/games")
        await expect(phone.page.locator(".who span")).to_have_text("Account")
        await sign_in(phone, "other@example.org", ANOTHER)
        await phone.sees_message("Welcome")
        assert desk.console_errors == []


async def test_the_mailed_link_confirms_the_address(browser: Browser, home: str, service: LaunchedProgram) -> None:
    async with visitor(browser, home) as ann:
        await sign_up(ann, "link@example.org")
        await expect(ann.page.locator("qx-credentials")).to_contain_text("not confirmed yet")
        await ann.press("Mail the link again")
        await ann.sees_message("on its way")
        await ann.visit(await mailed(service, "link@example.org", "confirm"), "form")
        assert await accessibility_violations(ann) == []
        await ann.press("Confirm")
        await ann.page.get_by_role("link", name="Open my account").click()
        await expect(ann.page.locator("qx-credentials .verdict")).to_have_text("This address is confirmed.")
        assert ann.console_errors == []


async def test_a_forgotten_password_is_replaced_with_the_mailed_link(
    browser: Browser, home: str, service: LaunchedProgram
) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home) as later:
        await sign_up(ann, "forgot@example.org")
        await ann.visit(await mailed(service, "forgot@example.org", "confirm"), "form")
        await ann.press("Confirm")
        await ann.page.wait_for_selector("[role=status]")
        await later.visit("/account#in", ENTRY)
        await later.press("Forgotten the password?")
        assert await accessibility_violations(later) == []
        await later.fill(ENTRY, email="forgot@example.org")
        await later.sees_message("a link is on its way")
        await later.visit(await mailed(service, "forgot@example.org", "reset"), "form")
        await later.fill("form", password=ANOTHER)
        await later.page.get_by_role("link", name="Open my account").click()
        await later.page.wait_for_selector(ENTRY)
        await later.fill(ENTRY, email="forgot@example.org", password=ANOTHER)
        await later.sees_message("Welcome")
        assert later.console_errors == []


async def test_a_player_who_is_signed_out_on_another_device_sees_it_in_the_game(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as phone, visitor(browser, home, viewport=DESKTOP) as desk:
        await sign_up(phone, "elsewhere@example.org")
        await phone.visit("/", ".hero")
        await phone.page.locator("[data-ruleset=qwixx]").click()
        await phone.page.wait_for_selector(".top .link[data-state=live]")
        await sign_in(desk, "elsewhere@example.org", PASSWORD)
        await desk.page.wait_for_selector("qx-credentials form")
        await desk.press("Sign out everywhere")
        await desk.page.wait_for_selector(".hero")
        await expect(phone.page.locator("qx-game .card")).to_contain_text("You are signed out here")
        await expect(phone.page.locator(".who span")).to_have_text("Account")


async def test_account_views_are_accessible_and_translated(browser: Browser, home: str) -> None:
    async with visitor(browser, home, locale="pl", color_scheme="dark") as ann:
        await sign_up(ann, "corner@example.org")
        assert await accessibility_violations(ann) == []
        assert await untranslated(ann, "pl") == []
        await ann.visit("/settings", "qx-data h2")
        await ann.press("Usuń moje konto")
        assert await accessibility_violations(ann) == []
        assert await untranslated(ann, "pl") == []
        assert ann.console_errors == []


async def test_the_stored_data_can_be_downloaded(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann:
        await sign_up(ann, "take@example.org")
        await ann.visit("/settings", "qx-data h2")
        async with ann.page.expect_download() as download:
            await ann.press("Download my data")
        export = json.loads(await asyncio.to_thread(Path(await (await download.value).path()).read_text))
        assert export["player"]["email"] == "take@example.org"
        assert ann.console_errors == []


async def test_a_deleted_account_cannot_sign_in(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann:
        await sign_up(ann, "gone@example.org")
        await ann.visit("/settings", "qx-data h2")
        await ann.press("Delete my account")
        await ann.press("Delete for good")
        await ann.sees_message("are deleted")
        await ann.page.wait_for_selector(".hero")
        await expect(ann.page.locator(".who span")).to_have_text("Account")
        assert ann.console_errors == []
        await sign_in(ann, "gone@example.org", PASSWORD)
        await ann.page.wait_for_selector(".toast[data-shown][data-mood=bad]")
