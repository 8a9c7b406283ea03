"""A game in progress: refusals, confirmation by a second tap, sealed answers, other sheets, the end."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from playwright.async_api import Browser, expect

from tests.browser.test_whole_games_of_two import start_game
from tests.browser.visitor import MINE, Visitor, visitor


@asynccontextmanager
async def two_players(browser: Browser, home: str, **settings: Any) -> AsyncIterator[tuple[Visitor, Visitor]]:
    async with visitor(browser, home, settings) as ann, visitor(browser, home, settings) as bob:
        await start_game(ann, bob, "qwixx")
        for each in (ann, bob):  # the active player rolls
            if await each.page.locator(".seat[data-active][data-you]").count():
                await each.page.locator(".felt .actions button.main").click()
        await asyncio.gather(*(each.page.wait_for_selector("button.cell[data-option]") for each in (ann, bob)))
        yield ann, bob


async def test_a_sealed_answer_is_shown_as_sealed_to_its_author_and_hidden_from_others(
    browser: Browser, home: str
) -> None:
    async with two_players(browser, home) as (ann, bob):
        await ann.page.locator("button.cell[data-option]").first.click()
        await ann.page.wait_for_selector(".own .cell[data-sealed]")
        number = await ann.text(".own .cell[data-sealed] > span")
        await expect(ann.page.locator(".prompt .locked-in")).to_contain_text(number)
        await expect(ann.page.locator(".sum b")).to_have_text(number)
        await expect(ann.page.locator(".felt .die[data-used]")).to_have_count(2)
        await expect(ann.page.locator(".prompt p")).to_contain_text("Move locked in")
        await expect(bob.page.locator(".seat:not([data-you]) .state")).to_contain_text("Ready")
        assert await bob.page.locator(".others .cell:is([data-sealed], [data-marked])").count() == 0


async def test_a_sealed_answer_can_be_replaced(browser: Browser, home: str) -> None:
    async with two_players(browser, home) as (ann, _):
        await ann.page.locator("button.cell[data-option]").first.click()
        await ann.page.wait_for_selector(".cell[data-sealed]")
        await ann.page.get_by_role("button", name="Pass").click()
        await expect(ann.page.locator(".prompt p")).to_contain_text("You pass")
        assert await ann.page.locator(".cell[data-sealed]").count() == 0


async def test_a_game_is_played_with_single_keys_and_keeps_the_focus(browser: Browser, home: str) -> None:
    async with two_players(browser, home) as (ann, bob):
        heights = "() => ['.prompt', '.actions', '.sum'].map((part) => document.querySelector(part).offsetHeight)"
        before = await ann.page.evaluate(heights)
        row = await ann.page.evaluate(
            "[...document.querySelectorAll('.own .row')].findIndex((row) => row.querySelector('[data-option]'))"
        )
        await ann.page.keyboard.press(str(row + 1))
        assert await ann.page.evaluate("document.activeElement.matches('.own [data-option]')")
        number = (await ann.page.evaluate("document.activeElement.textContent")).strip()
        await ann.page.keyboard.press("Enter")
        await ann.page.wait_for_selector(".own .cell[data-sealed]")
        await bob.page.keyboard.press("p")
        await ann.page.wait_for_selector(".own .cell[data-new]")
        assert await ann.page.evaluate("document.querySelector('.table').contains(document.activeElement)")
        assert await ann.page.evaluate(heights) == before
        await expect(
            ann.page.locator(".news li").filter(has_text=re.compile(rf"You cross out \w+ {number}\."))
        ).to_have_count(1)
        await expect(bob.page.locator(".other .cell[data-new]")).to_have_count(1)
        active = ann if await ann.page.locator(".felt[data-mine]").count() else bob
        if active is bob:
            await expect(bob.page.locator(".actions [data-costs]")).to_have_text(re.compile(r"Pass \(.5\)"))
        await bob.page.reload()
        await expect(bob.page.locator(".other .cell[data-new]")).to_have_count(1)
        await ann.page.keyboard.press("?")
        await ann.page.wait_for_selector("dialog[open] .keys")
        assert ann.console_errors + bob.console_errors == []


async def test_a_tap_on_a_cell_that_is_not_an_option_shows_which_rule_forbids_it(browser: Browser, home: str) -> None:
    async with two_players(browser, home) as (ann, _):
        await ann.page.locator("button.cell:not([data-option])").first.click()
        await expect(ann.page.locator(".toast[data-shown][data-mood=bad]")).to_contain_text(
            "The dice do not give this number"
        )
        assert ann.console_errors == []  # browsers log refused requests


async def test_with_the_setting_the_first_tap_asks_for_confirmation(browser: Browser, home: str) -> None:
    async with two_players(browser, home, confirm=True) as (ann, _):
        lit = ann.page.locator("button.cell[data-option]").first
        await lit.click()
        await expect(ann.page.locator(".prompt p")).to_have_text("1 point. Tap once more to confirm.")
        assert await ann.page.locator(".cell[data-sealed]").count() == 0
        await lit.click()
        await ann.page.wait_for_selector(".cell[data-sealed]")


async def test_another_sheet_can_be_enlarged_and_closed_with_the_keyboard(browser: Browser, home: str) -> None:
    async with two_players(browser, home) as (ann, _):
        await ann.page.locator("button.other").focus()
        await ann.page.keyboard.press("Enter")
        await ann.page.wait_for_selector("dialog[open] qx-sheet")
        await ann.page.keyboard.press("Escape")
        await ann.page.wait_for_selector("dialog", state="detached")


@pytest.mark.timeout(180)
async def test_a_finished_game_can_be_replayed_and_proved_and_has_a_rematch(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home) as bob:
        await start_game(ann, bob, "qwixx")
        await ann.page.wait_for_selector(f"{MINE}, .felt")
        await ann.page.get_by_role("button", name="Resign").click()
        await ann.page.locator(".ask .danger").click()
        await asyncio.gather(*(each.page.wait_for_selector("qx-after h1") for each in (ann, bob)))
        await expect(bob.page.locator("qx-after h1")).to_have_text("You win!")
        await expect(bob.page.locator(".result > .muted")).to_have_text(f"{(await ann.player())['name']} resigned.")
        await expect(ann.page.locator(".result > .muted")).to_have_text("You resigned.")
        slider = bob.page.locator("input[type=range]")
        await slider.focus()
        await bob.page.keyboard.press("Home")
        await expect(bob.page.locator(".slider .muted")).to_contain_text("1 of")
        await bob.page.keyboard.press("End")
        await bob.page.locator("[aria-label='One turn back']").click()
        await bob.page.locator("[aria-label='One step on']").click()
        await expect(bob.page.locator(".what-if")).not_to_be_empty()
        await bob.press("Play", exact=True)
        await expect(bob.page.locator(".slider .muted")).to_have_text(re.compile(r"(\d+) of \1$"))
        await bob.page.get_by_role("button", name="Check it now").click()
        await expect(bob.page.locator(".verdict").first).to_contain_text("Verified: the dice were fair.")
        await bob.page.get_by_role("button", name="Play again").click()
        await bob.page.wait_for_selector("qx-room")
        await ann.page.get_by_role("button", name="Join the next game").click()
        await asyncio.gather(*(each.page.wait_for_selector(".felt") for each in (ann, bob)))
        assert ann.console_errors + bob.console_errors == []
