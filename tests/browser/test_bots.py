"""Games of a guest against bots."""

import re

import pytest
from playwright.async_api import Browser, expect

from games.rules.registry import RULESETS
from tests.browser.visitor import visitor


@pytest.mark.timeout(180)
@pytest.mark.parametrize("ruleset", RULESETS)
async def test_one_tap_starts_a_game_of_a_guest_against_a_bot(browser: Browser, home: str, ruleset: str) -> None:
    async with visitor(browser, home) as guest:
        await guest.visit("/", ".hero")
        await guest.page.locator("input[value=hard]").check()
        await guest.page.locator(f"[data-ruleset={ruleset}]").click()
        await guest.page.wait_for_selector(".felt")
        await expect(guest.page.locator(".seat")).to_have_count(2)
        await expect(guest.page.locator(".seat:not([data-you]) .name")).to_have_text(re.compile(r"^Bot \w+"))
        await expect(guest.page.locator(".seat:not([data-you]) small")).to_contain_text("hard")
        name = await guest.text(".seat:not([data-you]) .name")
        await guest.page.locator(".brand").click()
        await expect(guest.page.locator(".resume")).to_contain_text(name)
        await expect(guest.page.locator("input[value=hard]")).to_be_checked()
        await guest.page.locator(".resume").click()
        await guest.page.wait_for_selector(".felt")
        assert guest.console_errors == []


@pytest.mark.timeout(180)
async def test_a_guest_on_a_phone_plays_a_whole_game_against_three_bots(browser: Browser, home: str) -> None:
    async with visitor(browser, home, {"autopass": True}, has_touch=True, is_mobile=True) as guest:
        await guest.visit("/new", "form")
        await guest.page.locator("input[name=seats][value='4']").check()
        await guest.page.locator("input[value=private]").check()
        await guest.page.locator("select[name=clock]").select_option("none")
        for place, level in enumerate(("easy", "medium", "hard")):
            await guest.page.locator("select[name=bot]").nth(place).select_option(level)
        await guest.page.locator("button.main").click()
        await guest.page.wait_for_selector(".felt")
        await expect(guest.page.locator("button.other")).to_have_count(3)
        assert await guest.play_to_the_end() > 3
        await expect(guest.page.locator(".ranking li")).to_have_count(4)
        assert guest.console_errors == []
