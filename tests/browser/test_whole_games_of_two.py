"""Whole games of two players with a browser each, one of them with a lost network."""

import asyncio

import pytest
from playwright.async_api import Browser, expect

from games.rules.registry import RULESETS
from tests.browser.visitor import DESKTOP, Visitor, visitor


async def start_game(ann: Visitor, bob: Visitor, ruleset: str) -> None:
    """Ann creates a game, Bob joins it from the lobby."""
    await bob.visit("/lobby", "qx-lobby h1")
    await ann.visit("/new", "form")
    await ann.page.locator(f"input[value={ruleset}]").check()
    await ann.page.locator("select[name=clock]").select_option("days")
    await ann.page.locator("button.main").click()
    await ann.page.wait_for_selector("qx-room .code")
    await bob.page.locator("li.game button").first.click()
    await asyncio.gather(*(each.page.wait_for_selector(".felt") for each in (ann, bob)))


@pytest.mark.timeout(180)
@pytest.mark.parametrize("ruleset", RULESETS)
async def test_two_players_play_a_whole_game(browser: Browser, home: str, ruleset: str) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home, viewport=DESKTOP, color_scheme="dark") as bob:
        await start_game(ann, bob, ruleset)
        taps = await asyncio.gather(ann.play_to_the_end(), bob.play_to_the_end())
        assert min(taps) > 5
        points = [await each.page.locator(".ranking b").all_inner_texts() for each in (ann, bob)]
        assert len(points[0]) == 2
        assert points[0] == points[1]
        assert ann.console_errors + bob.console_errors == []


@pytest.mark.timeout(180)
async def test_a_player_who_loses_the_network_sees_it_and_the_page_reconnects(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home) as bob:
        await start_game(ann, bob, "qwixx")
        await expect(bob.page.locator(".top .link")).to_have_text("live")
        await bob.context.set_offline(offline=True)
        await expect(bob.page.locator(".top .link")).to_have_text("offline")
        # The game continues as far as it can without Bob.
        active = await ann.page.locator(".seat[data-active][data-you]").count()
        if active:
            await ann.page.locator(".felt .actions button.main").click()
            await ann.page.wait_for_selector(".dice:not([data-idle])")
            await expect(bob.page.locator(".dice")).to_have_attribute("data-idle", "")
        await bob.context.set_offline(offline=False)
        await expect(bob.page.locator(".top .link")).to_have_text("live")
        if active:
            await bob.page.wait_for_selector(".dice:not([data-idle])")
        await asyncio.gather(ann.play_to_the_end(), bob.play_to_the_end())
        assert ann.console_errors + bob.console_errors == []
