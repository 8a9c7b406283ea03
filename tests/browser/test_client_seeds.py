"""The page gives a random client seed of its own in every game, after it has seen the commitment and without a tap."""

import asyncio
import json
from typing import Any

from playwright.async_api import Browser, expect

from tests.browser.test_matchmaking_and_invitations import join_the_queue
from tests.browser.visitor import DESKTOP, OVER, Visitor, visitor

EXPORT = """
async (id) => (await fetch(`/api/v1/games/${id}/export`, {
  headers: { Authorization: `Bearer ${localStorage["qx.token"]}` } })).text()
"""


async def events_of(visitor: Visitor) -> list[dict[str, Any]]:
    text = await visitor.page.evaluate(EXPORT, visitor.page.url.rsplit("/", 1)[1])
    return [json.loads(line) for line in text.splitlines()[1:]]


async def seeds_of(visitor: Visitor, seats: list[int]) -> None:
    """Each of these seats gave its own seed before the game started, and no time ran out."""
    events = await events_of(visitor)
    before = events[: next(place for place, event in enumerate(events) if event["type"] == "game_started")]
    given = {event["data"]["seat"]: event["data"]["client_seed"] for event in before if event["type"] == "seed_given"}
    assert sorted(given) == seats
    assert len({*given.values()}) == len(seats)
    assert {len(seed) for seed in given.values()} == {32}
    assert "time_ran_out" not in {event["type"] for event in before}


async def resign(visitor: Visitor) -> None:
    await visitor.page.evaluate(
        """async (id) => fetch(`/api/v1/games/${id}/leave`, {
          method: "POST", headers: { Authorization: `Bearer ${localStorage["qx.token"]}` } })""",
        visitor.page.url.rsplit("/", 1)[1],
    )
    await visitor.page.wait_for_selector(OVER)


async def test_a_game_against_a_bot_has_a_late_seed_and_the_proof_says_so(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as guest:
        await guest.visit("/", ".hero")
        await guest.page.locator("[data-ruleset=qwixx]").click()
        await guest.page.wait_for_selector(".felt")
        await seeds_of(guest, [0])
        await resign(guest)
        await guest.press("Check it now")
        await expect(guest.page.locator("qx-proof .seeds li").first).to_contain_text("after the server had fixed")
        await expect(guest.page.locator("qx-proof .verdict")).to_have_attribute("data-mood", "good")
        await expect(guest.page.locator("qx-proof")).to_contain_text("the dice were not chosen")
        assert guest.console_errors == []


async def test_both_players_of_a_match_and_of_its_rematch_have_late_seeds(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home, viewport=DESKTOP) as bob:
        await join_the_queue(ann, "qwixx")
        await join_the_queue(bob, "qwixx")
        await asyncio.gather(*(each.page.wait_for_selector(".felt") for each in (ann, bob)))
        await seeds_of(ann, [0, 1])
        await resign(ann)
        await bob.page.wait_for_selector(OVER)
        first = ann.page.url
        await ann.page.locator("qx-after button.main").first.click()
        await ann.page.wait_for_url(lambda url: url != first)
        await bob.page.locator("qx-after button.main").first.click()
        await asyncio.gather(*(each.page.wait_for_selector(".felt") for each in (ann, bob)))
        await seeds_of(bob, [0, 1])
        assert ann.console_errors + bob.console_errors == []


async def test_the_proof_warns_of_a_seed_that_is_not_in_the_log(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as guest:
        await guest.visit("/", ".hero")
        await guest.page.locator("[data-ruleset=qwixx]").click()
        await guest.page.wait_for_selector(".felt")
        await resign(guest)
        await guest.page.evaluate(
            """() => { const [[id, noted]] = JSON.parse(localStorage["qx.noted"]);
                       localStorage["qx.noted"] = JSON.stringify([[id, { ...noted, seed: "0".repeat(32) }]]); }"""
        )
        await guest.press("Check it now")
        await expect(guest.page.locator("qx-proof")).to_contain_text(
            "The seed that this browser sent is not in the log."
        )
