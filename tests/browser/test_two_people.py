"""Two people with a browser each play whole games against each other, and one of them loses the network on the way."""

import asyncio

import pytest
from playwright.async_api import Browser, expect

from games.rules.registry import RULESETS
from tests.browser.visitor import DESKTOP, Visitor, visitor


async def sit_down(ann: Visitor, bob: Visitor, ruleset: str) -> None:
    """Ann opens a game, Bob finds it in the lobby, which is live."""
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
async def test_two_people_play_a_whole_game(browser: Browser, home: str, ruleset: str) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home, viewport=DESKTOP, color_scheme="dark") as bob:
        await sit_down(ann, bob, ruleset)
        taps = await asyncio.gather(ann.play_to_the_end(), bob.play_to_the_end())
        assert min(taps) > 5
        points = [await each.page.locator(".ranking b").all_inner_texts() for each in (ann, bob)]
        assert len(points[0]) == 2
        assert points[0] == points[1]
        assert ann.complaints + bob.complaints == []


@pytest.mark.timeout(180)
async def test_whoever_loses_the_network_sees_it_and_comes_back_by_himself(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home) as bob:
        await sit_down(ann, bob, "qwixx")
        await expect(bob.page.locator(".top .link")).to_have_text("live")
        await bob.context.set_offline(offline=True)
        await expect(bob.page.locator(".top .link")).to_have_text("offline")
        # The game goes on as far as it can without him.
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
        assert ann.complaints + bob.complaints == []
