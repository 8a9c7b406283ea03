"""How people find each other: the queue, invitations, codes and links."""

import asyncio

from playwright.async_api import Browser, expect

from tests.browser.test_two_people import sit_down
from tests.browser.visitor import DESKTOP, Visitor, visitor

QUEUE = "qx-match form"


async def look_for_somebody(visitor: Visitor, ruleset: str) -> None:
    await visitor.visit("/lobby", QUEUE)
    await visitor.page.locator(f"{QUEUE} [name=ruleset]").select_option(ruleset)
    await visitor.page.locator(f"{QUEUE} [name=bots]").uncheck()
    await visitor.press("Find a game")


async def arrive(visitor: Visitor) -> None:
    """As a guest with a name: where others can be invited from."""
    await visitor.visit("/lobby", QUEUE)


async def open_a_room(host: Visitor) -> None:
    await host.visit("/new", "form")
    await host.page.locator("input[value=private]").check()
    await host.page.locator("button.main").click()
    await host.page.wait_for_selector("qx-room .code")


async def test_two_who_look_for_somebody_find_each_other(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home, viewport=DESKTOP) as bob:
        await look_for_somebody(ann, "qwinto")
        await expect(ann.page.locator("qx-match [role=status]")).to_contain_text("Looking for somebody")
        await look_for_somebody(bob, "qwinto")
        await asyncio.gather(*(each.page.wait_for_selector(".felt") for each in (ann, bob)))
        assert ann.page.url == bob.page.url
        assert ann.complaints + bob.complaints == []


async def test_whoever_stops_looking_can_look_again(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann:
        await look_for_somebody(ann, "qwixx")
        await ann.press("Stop looking")
        await ann.press("Find a game")
        await ann.page.wait_for_selector("qx-match [role=status]")
        await ann.press("Stop looking")
        await ann.page.wait_for_selector(QUEUE)
        assert ann.complaints == []


async def test_where_nobody_comes_a_bot_does(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann:
        await ann.visit("/lobby", QUEUE)
        await ann.press("Find a game")
        await ann.page.wait_for_selector(".felt", timeout=40_000)
        await expect(ann.page.locator(".seat:not([data-you]) .name")).to_contain_text("Bot")
        assert ann.complaints == []


async def test_an_invitation_is_seen_at_once_and_accepted(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home, viewport=DESKTOP) as bob:
        await arrive(bob)
        await open_a_room(ann)
        whom = (await bob.player())["id"]
        await ann.fill("qx-invite form", player=f"{home}/player/{whom}")
        await ann.is_told("on its way")
        await bob.is_told("invites you")
        await expect(bob.page.locator(".badge [aria-hidden]")).to_have_text("1")
        await bob.page.get_by_role("link", name="My games").click()
        await bob.press("Accept")
        await asyncio.gather(*(each.page.wait_for_selector(".felt") for each in (ann, bob)))
        assert ann.complaints + bob.complaints == []


async def test_an_invitation_that_is_declined_is_gone(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home) as bob:
        await arrive(bob)
        await ann.visit(f"/player/{(await bob.player())['id']}", "qx-player h1")
        await ann.page.get_by_role("link", name="Invite to a game").click()
        await expect(ann.page.locator("form.card")).to_contain_text("will be invited")
        await ann.press("Open the game")
        await ann.page.wait_for_selector("qx-room .code")
        await bob.visit("/games", "qx-games h1")
        await bob.press("Decline")
        await expect(bob.page.locator("qx-games")).to_contain_text("You have not played yet.")
        await expect(ann.page.locator("qx-room .seat, qx-room li:not(.muted)")).to_have_count(1)
        assert ann.complaints + bob.complaints == []


async def test_whom_one_has_played_with_is_invited_by_one_tap(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home) as bob:
        await sit_down(ann, bob, "qwixx")
        await ann.press("Resign")
        await ann.page.locator(".ask .danger").click()
        await ann.page.wait_for_selector("qx-after h1")
        await open_a_room(ann)
        await ann.press(f"Invite {(await bob.player())['name']}")
        await bob.is_told("invites you")
        await expect(ann.page.locator("qx-invite li button")).to_have_text("Invited")
        assert ann.complaints + bob.complaints == []


async def test_a_code_opens_the_door(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home) as bob:
        await open_a_room(ann)
        code = await ann.text(".share .code")
        assert (await ann.page.request.get(f"{home}/join/{code}/qr.svg")).ok
        await bob.visit("/", ".hero")
        await bob.fill("form.inline", code=code.lower())
        await asyncio.gather(*(each.page.wait_for_selector(".felt") for each in (ann, bob)))
        assert ann.complaints + bob.complaints == []
