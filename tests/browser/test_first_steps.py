"""Tutorials and tips: what a player who does not know the games is told."""

import json

import pytest
from playwright.async_api import Browser, expect

from games.rules.registry import RULESETS
from games.web.build import FOLDER
from tests.browser.visitor import visitor

TUTORIALS = json.loads((FOLDER / "tutorials.json").read_text())
NEXT = "qx-learn .own .cell[data-hint]"


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_a_tutorial_is_played_to_its_end_and_leads_to_a_game(browser: Browser, home: str, ruleset: str) -> None:
    async with visitor(browser, home, {"tips": []}) as guest:
        await guest.visit(f"/learn/{ruleset}", "qx-learn .felt")
        for place, step in enumerate(TUTORIALS[ruleset], 1):
            await expect(guest.page.locator(".lesson header small")).to_have_text(
                f"{place} of {len(TUTORIALS[ruleset])}"
            )
            expected = step["expected"]
            if expected["type"] in ("mark", "write"):
                await guest.page.locator(NEXT).click()
                continue
            if len(expected.get("dice", [])) == 2:
                await guest.page.locator(".pick[aria-label=purple]").click()
            await guest.page.locator(f".felt [data-action={expected['type']}]").click()
        await guest.press("Play your first game")
        await guest.page.wait_for_selector(".top h1")
        tip = guest.page.locator(".coach")
        await guest.page.wait_for_selector(".felt[data-mine] .actions button")
        while await guest.page.locator(".felt .actions [data-action=roll]").count() and not await tip.count():
            await guest.page.locator(".felt .actions [data-action=roll]").click()
        await tip.wait_for()
        told = await tip.inner_text()
        await guest.press("Got it")
        await expect(tip.filter(has_text=told)).to_have_count(0)
        assert guest.console_errors == []
