"""Matchmaking, invitations, codes and links."""

import asyncio

from playwright.async_api import Browser, expect

from tests.browser.test_whole_games_of_two import start_game
from tests.browser.visitor import DESKTOP, Visitor, visitor

QUEUE = "qx-match form"


async def join_the_queue(visitor: Visitor, ruleset: str) -> None:
    await visitor.visit("/lobby", QUEUE)
    await visitor.page.locator(f"{QUEUE} [name=ruleset]").select_option(ruleset)
    await visitor.page.locator(f"{QUEUE} [name=bots]").uncheck()
    await visitor.press("Find a game")


async def become_a_guest(visitor: Visitor) -> None:
    """Create a guest, who can then be invited."""
    await visitor.visit("/lobby", QUEUE)


async def open_a_game(host: Visitor) -> None:
    await host.visit("/new", "form")
    await host.page.locator("input[value=private]").check()
    await host.page.locator("button.main").click()
    await host.page.wait_for_selector("qx-room .code")


async def test_two_players_in_the_queue_are_matched(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home, viewport=DESKTOP) as bob:
        await join_the_queue(ann, "qwinto")
        await expect(ann.page.locator("qx-match [role=status]")).to_contain_text("Looking for an opponent")
        await ann.page.get_by_role("link", name="My games").click()
        await expect(ann.page.locator(".ticket")).to_contain_text("Looking for an opponent")
        await join_the_queue(bob, "qwinto")
        await asyncio.gather(*(each.page.wait_for_selector(".felt") for each in (ann, bob)))
        assert ann.page.url == bob.page.url
        assert ann.console_errors + bob.console_errors == []


async def test_a_player_who_leaves_the_queue_can_join_it_again(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann:
        await join_the_queue(ann, "qwixx")
        await ann.press("Stop searching")
        await ann.press("Find a game")
        await ann.page.wait_for_selector("qx-match [role=status]")
        await ann.press("Stop searching")
        await ann.page.wait_for_selector(QUEUE)
        assert ann.console_errors == []


async def test_a_bot_is_seated_when_no_player_joins(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann:
        await ann.visit("/lobby", QUEUE)
        await ann.press("Find a game")
        await ann.page.wait_for_selector(".felt", timeout=40_000)
        await expect(ann.page.locator(".seat:not([data-you]) .name")).to_contain_text("Bot")
        assert ann.console_errors == []


async def test_an_invitation_is_shown_at_once_and_can_be_accepted(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home, viewport=DESKTOP) as bob:
        await become_a_guest(bob)
        await open_a_game(ann)
        player_id = (await bob.player())["id"]
        await ann.fill("qx-invite form", player=f"{home}/player/{player_id}")
        await ann.sees_message("on its way")
        await bob.sees_message("invites you")
        await expect(bob.page.locator(".badge [aria-hidden]")).to_have_text("1")
        await bob.page.get_by_role("link", name="My games").click()
        await bob.press("Accept")
        await asyncio.gather(*(each.page.wait_for_selector(".felt") for each in (ann, bob)))
        assert ann.console_errors + bob.console_errors == []


async def test_a_declined_invitation_disappears(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home) as bob:
        await become_a_guest(bob)
        await ann.visit(f"/player/{(await bob.player())['id']}", "qx-player h1")
        await ann.page.get_by_role("link", name="Invite to a game").click()
        await expect(ann.page.locator("form.card")).to_contain_text("will be invited")
        await ann.press("Open the game")
        await ann.page.wait_for_selector("qx-room .code")
        await bob.visit("/games", "qx-games h1")
        await bob.press("Decline")
        await ann.sees_message("declined your invitation")
        await expect(bob.page.locator("qx-games")).to_contain_text("You have not played yet.")
        await expect(ann.page.locator("qx-room .seat, qx-room li:not(.muted)")).to_have_count(1)
        assert ann.console_errors + bob.console_errors == []


async def test_a_recent_opponent_is_invited_with_one_tap(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home) as bob:
        await start_game(ann, bob, "qwixx")
        await ann.press("Resign")
        await ann.page.locator(".ask .danger").click()
        await ann.page.wait_for_selector("qx-after h1")
        await open_a_game(ann)
        await ann.press(f"Invite {(await bob.player())['name']}")
        await bob.sees_message("invites you")
        await expect(ann.page.locator("qx-invite li button")).to_have_text("Invited")
        assert ann.console_errors + bob.console_errors == []


async def test_a_player_joins_a_private_game_with_its_code(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home) as bob:
        await open_a_game(ann)
        code = await ann.text(".share .code")
        assert (await ann.page.request.get(f"{home}/join/{code}/qr.svg")).ok
        await bob.visit("/", ".hero")
        await bob.fill("form.inline", code=code.lower())
        await asyncio.gather(*(each.page.wait_for_selector(".felt") for each in (ann, bob)))
        assert ann.console_errors + bob.console_errors == []
