"""Requests of careless or hostile clients are refused with a problem document."""

import asyncio
import contextlib
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from games.game.events import moment_of
from games.log.models import Outage
from players.database.ids import uuid7
from tests.api.client import Json, Player, table
from tests.api.test_matchmaking import in_a_thread
from tests.api.test_repeatable_requests import rolled


@pytest.mark.parametrize("query", ["preview=true", "preview=", "preview", "%FF"])
async def test_an_action_with_a_parameter_is_refused_and_not_played(ann: Player, bob: Player, query: str) -> None:
    game = await rolled([ann, bob])
    for path in ("actions", "actions/preview"):
        refused = await ann.post(f"/games/{game['id']}/{path}?{query}", {"type": "pass"}, 400)
        assert refused["errors"][0]["pointer"].startswith("?")
    assert (await ann.view(game))["version"] == game["version"]


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("&".join(["a=1"] * 51), 400),
        ("version=-1", 404),
        ("version=99999999999", 404),
        ("version=" + "9" * 5000, 404),
        ("version=-" + "9" * 5000, 404),
        ("version=x", 400),
    ],
)
async def test_odd_queries_are_refused_or_not_found(ann: Player, bob: Player, query: str, status: int) -> None:
    game = await table([ann, bob])
    await ann.get(f"/games/{game['id']}?{query}", status)


async def test_huge_numbers_in_headers_and_queries_are_handled(ann: Player, bob: Player) -> None:
    game = await rolled([ann, bob])
    tag = {"If-Match": f'"{"9" * 5000}"'}
    assert (await ann.act(game, {"type": "pass"}, 412, headers=tag))["code"] == "version_mismatch"
    assert (await ann.get("/games?limit=0000000001999", 400))["code"] == "malformed"
    for after in ("99999999999", "9" * 30):
        beyond = await ann.get(f"/games/{game['id']}/events?after={after}")
        assert beyond == {"results": [], "version": game["version"]}
    async with ann.http.stream("GET", f"/games/{game['id']}/stream", headers={"Last-Event-ID": "2147483648"}) as stream:
        assert await anext(stream.aiter_lines()) == ": qx.v1"


@pytest.mark.parametrize(
    "body", ['{"type": "pass", "type": "roll"}', '{"type": "pa\\u0000ss"}', '{"a":' * 30 + "1" + "}" * 30]
)
async def test_ambiguous_json_is_malformed(ann: Player, bob: Player, body: str) -> None:
    game = await rolled([ann, bob])
    headers = {"Content-Type": "application/json", "Idempotency-Key": "k"}
    answer = await ann.http.post(f"/games/{game['id']}/actions", content=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


@pytest.mark.parametrize("path", ["join", "leave", "start", "rematch", "bots", "actions"])
@pytest.mark.parametrize(
    ("content", "headers"),
    [("[]", {}), ("{}", {"Content-Type": "text/plain"}), ("x" * 70_000, {}), ("{}", {"Idempotency-Key": "k" * 65})],
)
async def test_an_unknown_game_is_reported_before_anything_else(
    ann: Player, path: str, content: str, headers: dict[str, str]
) -> None:
    sent = {"Content-Type": "application/json", **headers}
    answer = await ann.http.post(f"/games/{uuid7()}/{path}", content=content, headers=sent)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_a_key_of_a_command_that_appended_nothing_is_replayed_later(ann: Player, bob: Player) -> None:
    game = await rolled([ann, bob])
    active = game["turn"]["active"]
    player, other = (ann, bob) if active == 0 else (bob, ann)
    await player.act(game, {"type": "pass"})
    first = await player.act(game, {"type": "pass"}, headers={"Idempotency-Key": "again"})
    await other.act(game, {"type": "pass"})
    again = await player.http.post(
        f"/games/{game['id']}/actions", json={"type": "pass"}, headers={"Idempotency-Key": "again"}
    )
    assert again.headers["idempotent-replayed"] == "true"
    assert (again.json()["version"], again.json()["events"]) == (first["version"], [])
    assert (await player.view(game))["turn"]["phase"] == "colour"
    reused = await player.act(game, {"type": "resign"}, 422, headers={"Idempotency-Key": "again"})
    assert reused["code"] == "idempotency_key_reused"


async def test_a_rematch_is_repeated_by_its_key_and_appends_nothing_when_refused(ann: Player, bob: Player) -> None:
    game = await table([ann, bob])
    over = await ann.post(f"/games/{game['id']}/leave", None, headers={"Idempotency-Key": "leave"})
    path = f"/games/{game['id']}/rematch"
    assert (await ann.post(path, None, 422, headers={"Idempotency-Key": "leave"}))["code"] == "idempotency_key_reused"
    assert (await ann.view(game))["version"] == over["version"]
    headers = {"Idempotency-Key": "rematch", "If-Match": f'"{over["version"]}"'}
    first, again = [await ann.post(path, None, headers=headers) for _ in range(2)]
    assert first == again


async def test_an_earlier_version_shows_the_seat_of_that_version(ann: Player, bob: Player, new_player: Any) -> None:
    carl = await new_player("Carl")
    game = await ann.create(seats=4)
    await bob.join(game)
    await carl.join(game)
    await ann.http.delete(f"/games/{game['id']}/seats/1")
    started: Json = await ann.post(f"/games/{game['id']}/start")
    seats = [(await carl.view(game, version=version))["you"] for version in (3, 4, started["version"])]
    assert seats == [None, 2, 1]


@pytest.mark.parametrize("path", ["events", "stream"])
async def test_events_read_after_an_outage_include_its_credit(ann: Player, bob: Player, path: str) -> None:
    game = await table([ann, bob], clock={"roll_s": 3600, "answer_s": 3600})
    now = datetime.now(UTC)
    await in_a_thread(lambda: Outage.objects.create(began=now - timedelta(minutes=1), ended=now))
    at, seen = f"/games/{game['id']}/{path}?after={game['version']}", ""
    async with asyncio.timeout(20):
        while not seen:  # a process learns of the outage with its next heartbeat
            seen = await first_type(ann, at) if path == "stream" else await first_result(ann, at)
    assert seen == "time_credited"


async def first_result(player: Player, path: str) -> str:
    results = (await player.get(f"{path}&wait=1"))["results"]
    return str(results[0]["type"]) if results else ""


async def first_type(player: Player, path: str) -> str:
    """The first event type of a stream within a second, or an empty text."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(1), player.http.stream("GET", path) as stream:
            async for line in stream.aiter_lines():
                if line.startswith("event: "):
                    return line.removeprefix("event: ")
    return ""


async def test_a_game_past_its_deadline_goes_on(ann: Player, bob: Player) -> None:
    game = await table([ann, bob], clock={"roll_s": 5, "answer_s": 3600})
    players = [ann, bob]
    active = players[game["turn"]["active"]]
    poll = asyncio.create_task(players[0].get(f"/games/{game['id']}/events?after={game['version']}&wait=30"))
    until = moment_of(game["turn"]["deadline_at"]) - datetime.now(UTC)
    await asyncio.sleep(until.total_seconds() + 0.01)  # the deadline itself has to pass
    assert (await active.act(game, {"type": "roll"}, 409))["code"] == "too_late"
    types = [event["type"] for event in (await poll)["results"]]
    assert types[:2] == ["time_ran_out", "dice_rolled"]
    assert (await active.view(game))["turn"]["phase"] == "white"
    await active.act(game, {"type": "pass"})
