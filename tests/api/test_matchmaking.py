"""Matchmaking over REST."""

import asyncio
from collections.abc import Callable, Iterator

import pytest
from django.db import connections

from games import runtime
from games.clock import now
from games.matchmaking import tickets
from games.matchmaking.models import Ticket
from games.tasks import matchmaker
from tests.api.client import Json, Player
from tests.api.conftest import NewPlayer

QUEUE = {"ruleset": "qwixx", "sheet": "classic", "seats": 2}


@pytest.fixture
def here() -> Iterator[None]:
    """The engine of this process, in which the test sweeps as a worker does."""
    yield
    runtime.end()


async def in_a_thread(call: Callable[[], object]) -> None:
    """Run it in a thread and close its database connections."""

    def run() -> None:
        try:
            call()
        finally:
            connections.close_all()

    await asyncio.to_thread(run)


async def sweep() -> None:
    await in_a_thread(lambda: matchmaker.sweep(now()))


async def enter(player: Player, status: int = 202, **choice: object) -> Json:
    answer: Json = await player.post("/matchmaking", {**QUEUE, **choice}, status)
    return answer


async def test_two_players_of_one_queue_are_matched(ann: Player, bob: Player, here: None) -> None:
    mine, theirs = await enter(ann), await enter(bob)
    assert (mine["status"], mine["game"], mine["ahead"], mine["others"]) == ("queued", None, 0, 0)
    assert (theirs["ahead"], theirs["others"]) == (1, 1)
    await sweep()
    both = [await player.get(f"/matchmaking/{t['ticket']}") for player, t in ((ann, mine), (bob, theirs))]
    assert [ticket["status"] for ticket in both] == ["matched", "matched"]
    assert both[0]["game"] == both[1]["game"]
    game = await ann.get(f"/games/{both[0]['game']}")
    assert (game["status"], game["rated"], game["sheet"]) == ("playing", False, "classic")
    assert {seat["player"]["id"] for seat in game["seats"]} == {ann.player["id"], bob.player["id"]}
    assert (await enter(ann))["status"] == "queued"


async def test_the_game_of_a_match_waits_for_the_seeds_that_its_players_announced(
    ann: Player, bob: Player, here: None
) -> None:
    tickets = [await enter(ann, late_seed=True), await enter(bob)]
    assert [ticket["late_seed"] for ticket in tickets] == [True, False]
    await sweep()
    matched = await ann.get(f"/matchmaking/{tickets[0]['ticket']}")
    game = await ann.get(f"/games/{matched['game']}")
    assert (game["status"], game["start"]["waiting_for"]) == ("open", [game["you"]])
    started = await ann.post(f"/games/{game['id']}/seed", {"client_seed": "luck"})
    assert started["status"] == "playing"


async def test_a_ticket_explains_the_wait_in_the_callers_language(ann: Player, new_player: NewPlayer) -> None:
    for _ in range(2):
        await enter(await new_player(), bots_after_s=60)
    ticket = await enter(ann, bots_after_s=30)
    assert (ticket["waiting_s"], ticket["window"], ticket["bots_after_s"]) == (0, 80, 30)
    assert ticket["detail"].startswith("2 other players wait for such a game. Players of about your strength")
    spoken = await ann.get(f"/matchmaking/{ticket['ticket']}", headers={"Accept-Language": "ru"})
    assert spoken["detail"].startswith("Такой игры ждут ещё 2 игрока.")


async def test_bots_cannot_fill_a_rated_game(ann: Player) -> None:
    for seconds in (0, 30):
        assert (await enter(ann, 422, rated=True, bots_after_s=seconds))["code"] == "rated_needs_people"
    assert (await enter(ann, rated=True, bots_after_s=None))["bots_after_s"] is None


async def test_a_second_ticket_is_refused_and_the_first_is_named(ann: Player) -> None:
    first = await enter(ann)
    refused = await enter(ann, 409, ruleset="qwinto")
    assert (refused["code"], refused["ticket"]) == ("already_queued", first["ticket"])
    left = await ann.http.delete(f"/matchmaking/{first['ticket']}")
    assert (left.status_code, left.json()["status"]) == (200, "cancelled")
    assert (await enter(ann, ruleset="qwinto"))["ruleset"] == "qwinto"


async def test_a_key_gives_the_same_ticket_again(ann: Player) -> None:
    key = {"Idempotency-Key": "wait"}
    first = await ann.http.post("/matchmaking", json=QUEUE, headers=key)
    again = await ann.http.post("/matchmaking", json=QUEUE, headers=key)
    assert (again.status_code, again.content) == (202, first.content)
    assert again.headers["idempotent-replayed"] == "true"
    assert "idempotent-replayed" not in first.headers
    other = await ann.post("/matchmaking", {**QUEUE, "seats": 3}, 422, headers=key)
    assert other["code"] == "idempotency_key_reused"
    await enter(ann, 409)


async def test_concurrent_requests_of_a_player_create_one_ticket(ann: Player) -> None:
    answers = await asyncio.gather(*(ann.http.post("/matchmaking", json=QUEUE) for _ in range(6)))
    assert sorted(answer.status_code for answer in answers) == [202, *[409] * 5]


async def test_the_ticket_of_another_player_is_not_found(ann: Player, bob: Player) -> None:
    ticket = await enter(ann)
    path = f"/matchmaking/{ticket['ticket']}"
    assert (await bob.get(path, 404))["code"] == "not_found"
    assert (await bob.http.delete(path)).status_code == 404
    assert (await ann.get(path))["status"] == "queued"


async def test_a_player_who_has_left_the_queue_is_not_matched(ann: Player, bob: Player, here: None) -> None:
    mine, theirs = await enter(ann), await enter(bob)
    await ann.http.delete(f"/matchmaking/{mine['ticket']}")
    await sweep()
    assert (await bob.get(f"/matchmaking/{theirs['ticket']}"))["status"] == "queued"
    assert (await ann.get(f"/matchmaking/{mine['ticket']}"))["detail"] == "You have left the queue."


async def test_reading_a_ticket_keeps_it_alive_and_an_unread_ticket_expires(
    ann: Player, bob: Player, here: None
) -> None:
    mine, theirs = await enter(ann), await enter(bob, ruleset="qwinto")
    long_ago = now() - tickets.ABSENT_AFTER * 2
    await in_a_thread(lambda: Ticket.objects.update(seen_at=long_ago))
    await bob.get(f"/matchmaking/{theirs['ticket']}")
    await sweep()
    assert (await ann.get(f"/matchmaking/{mine['ticket']}"))["status"] == "expired"
    assert (await bob.get(f"/matchmaking/{theirs['ticket']}"))["status"] == "queued"


@pytest.mark.parametrize(
    ("choice", "pointer"),
    [
        ({"ruleset": "chess"}, "/ruleset"),
        ({"sheet": "no such sheet"}, "/sheet"),
        ({"seats": 9}, "/seats"),
        ({"bots_after_s": -1}, "/bots_after_s"),
        ({"rated": "yes"}, "/rated"),
    ],
)
async def test_an_unknown_game_cannot_be_queued_for(ann: Player, choice: Json, pointer: str) -> None:
    refused = await enter(ann, 400, **choice)
    assert [error["pointer"] for error in refused["errors"]] == [pointer]


async def test_ruleset_sheet_and_seats_are_required(ann: Player) -> None:
    assert (await ann.post("/matchmaking", {"ruleset": "qwixx", "seats": 2}, 400))["code"] == "malformed"
