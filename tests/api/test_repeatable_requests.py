"""Idempotency keys, ETags, versions, previews, long polls, event streams and proofs."""

import asyncio
import hashlib
import hmac
import json
from typing import Any

import pytest

from games.game.events import Event, first_bad_version
from players.database.ids import uuid7
from tests.api.client import Json, Player, table
from tests.api.conftest import NewPlayer


async def rolled(players: list[Player], **settings: Any) -> Json:
    """A game after its first roll, as its active player sees it."""
    game = await table(players, clock={"roll_s": 3600, "answer_s": 3600}, **settings)
    active = players[game["turn"]["active"]]
    option = (await active.view(game))["options"][0]
    after: Json = (await active.act(game, option))["game"]
    return after


async def test_a_repeated_key_gets_the_same_response(ann: Player, bob: Player) -> None:
    game = await table([ann, bob])
    player = [ann, bob][game["turn"]["active"]]
    headers = {"Idempotency-Key": "k1"}
    path = f"/games/{game['id']}/actions"
    first = await player.http.post(path, json={"type": "roll"}, headers=headers)
    await player.act(game, {"type": "pass"})
    again = await player.http.post(path, json={"type": "roll"}, headers=headers)
    assert (first.status_code, again.status_code) == (200, 200)
    assert "idempotent-replayed" not in first.headers
    assert again.headers["idempotent-replayed"] == "true"
    assert again.content == first.content
    other = await player.http.post(path, json={"type": "pass"}, headers=headers)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")
    long = await player.http.post(path, json={"type": "pass"}, headers={"Idempotency-Key": "k" * 65})
    assert (long.status_code, long.json()["code"]) == (400, "malformed")


@pytest.mark.parametrize("ruleset", ["qwixx", "qwinto"])
async def test_every_response_of_a_game_is_replayed_byte_for_byte(ann: Player, bob: Player, ruleset: str) -> None:
    """Actions that roll, reveal, mark and end."""
    game = await table([ann, bob], ruleset=ruleset, clock={"roll_s": 3600, "answer_s": 3600})
    given = []
    for number in range(24):
        player = [ann, bob][(await ann.view(game))["turn"]["waiting_for"][0]]
        option = (await player.view(game))["options"][0]
        request = {"json": option, "headers": {"Idempotency-Key": f"k{number}"}}
        given.append((player, request, await player.http.post(f"/games/{game['id']}/actions", **request)))
    request = {"json": {"type": "resign"}, "headers": {"Idempotency-Key": "end"}}
    given.append((ann, request, await ann.http.post(f"/games/{game['id']}/actions", **request)))
    for player, request, first in given:
        again = await player.http.post(f"/games/{game['id']}/actions", **request)
        assert again.content == first.content
        assert again.headers["idempotent-replayed"] == "true"


async def test_a_response_that_appended_nothing_is_replayed_byte_for_byte(ann: Player, bob: Player) -> None:
    game = await rolled([ann, bob])
    await ann.act(game, {"type": "pass"})
    request: Json = {"json": {"type": "pass"}, "headers": {"Idempotency-Key": "same"}}
    first = await ann.http.post(f"/games/{game['id']}/actions", **request)
    assert first.json()["events"] == []
    await bob.act(game, {"type": "pass"})
    again = await ann.http.post(f"/games/{game['id']}/actions", **request)
    assert again.content == first.content
    assert again.headers["idempotent-replayed"] == "true"


async def test_a_repeated_request_for_a_rematch_is_replayed_byte_for_byte(ann: Player, bob: Player) -> None:
    """The player who asks again under a key sits in the next game already: nothing is appended."""
    game = await table([ann, bob])
    path = f"/games/{game['id']}/rematch"
    await bob.post(f"/games/{game['id']}/leave")
    await ann.post(path)
    headers = {"Idempotency-Key": "again"}
    first = await ann.http.post(path, headers=headers)
    assert (first.status_code, first.json()["status"]) == (200, "open")
    await bob.post(path)
    again = await ann.http.post(path, headers=headers)
    assert again.content == first.content
    assert again.headers["idempotent-replayed"] == "true"
    other = await ann.http.post(f"/games/{game['id']}/leave", headers=headers)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")


async def test_the_etag_of_a_game_is_its_version(ann: Player, bob: Player) -> None:
    game = await table([ann, bob])
    path = f"/games/{game['id']}"
    answer = await ann.http.get(path)
    assert answer.headers["etag"] == f'"{game["version"]}"'
    assert answer.headers["cache-control"] == "private, no-cache"
    unchanged = await ann.http.get(path, headers={"If-None-Match": answer.headers["etag"]})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    player = [ann, bob][game["turn"]["active"]]
    stale = await player.http.post(path + "/actions", json={"type": "roll"}, headers={"If-Match": '"1"'})
    assert (stale.status_code, stale.json()["code"]) == (412, "version_mismatch")
    await player.act(game, {"type": "roll"}, headers={"If-Match": answer.headers["etag"]})


async def test_every_version_can_be_read_and_no_other(ann: Player, bob: Player) -> None:
    game = await rolled([ann, bob])
    for version in range(1, game["version"] + 1):
        assert (await ann.view(game, version=version))["version"] == version
    assert (await ann.get(f"/games/{game['id']}?version=0", 404))["code"] == "not_found"
    assert (await ann.get(f"/games/{game['id']}?version={game['version'] + 1}", 404))["code"] == "not_found"
    # Version 4 lies inside the append that started the game: no action was possible there.
    assert (await [ann, bob][game["turn"]["active"]].view(game, version=4))["options"] == []


async def test_a_sealed_answer_is_seen_by_its_author_and_may_be_replaced(ann: Player, bob: Player) -> None:
    game = await rolled([ann, bob])
    options = (await ann.view(game))["options"]
    await ann.act(game, options[0])
    assert (await ann.view(game))["your_answer"]["type"] == options[0]["type"]
    assert (await bob.view(game))["your_answer"] is None
    sealed = (await bob.get(f"/games/{game['id']}/events?limit=1000"))["results"][-1]
    assert (sealed["type"], sealed["data"]) == ("answer_sealed", {"seat": 0})
    replaced = await ann.act(game, {"type": "pass"})
    assert replaced["game"]["your_answer"] == {"type": "pass"}
    unchanged = await ann.act(game, {"type": "pass"})
    assert (unchanged["events"], unchanged["version"]) == ([], replaced["version"])


async def test_an_action_for_another_roll_or_phase_is_refused(ann: Player, bob: Player) -> None:
    game = await rolled([ann, bob])
    assert (await ann.act(game, {"type": "pass", "roll": 7}, 409))["code"] == "stale_roll"
    assert (await ann.act(game, {"type": "pass", "roll": 1, "phase": "colour"}, 409))["code"] == "wrong_phase"


async def test_a_preview_appends_nothing(ann: Player, bob: Player) -> None:
    game = await rolled([ann, bob])
    mark = next(option for option in (await ann.view(game))["options"] if option["type"] == "mark")
    preview = await ann.preview(game, mark)
    assert preview["points"] == {"before": 0, "after": 1}
    assert [(fact["type"], fact["row"], fact["number"]) for fact in preview["marks"]] == [
        ("cell_marked", mark["row"], mark["number"])
    ]
    assert (await ann.view(game))["version"] == game["version"]
    for name in ("roll", "reroll", "resign", "return"):
        assert (await ann.preview(game, {"type": name}, 400))["errors"][0]["pointer"] == "/type"
    assert (await ann.view(game))["version"] == game["version"]


async def test_a_preview_at_an_earlier_version_says_what_an_answer_would_have_done(ann: Player, bob: Player) -> None:
    game = await rolled([ann, bob])
    asked = await ann.view(game)
    mark = next(option for option in asked["options"] if option["type"] == "mark")
    await ann.act(game, {"type": "pass"})
    await bob.act(game, {"type": "pass"})
    await bob.act(game, {"type": "resign"})
    at = {"version": asked["version"]}
    assert (await ann.preview(game, mark, params=at))["points"] == {"before": 0, "after": 1}
    assert (await ann.preview(game, mark, 409))["code"] == "game_over"
    assert (await ann.preview(game, mark, 409, params={"version": asked["version"] + 2}))["code"] == "wrong_phase"
    assert (await ann.preview(game, mark, 404, params={"version": 999}))["code"] == "not_found"
    assert (await ann.preview(game, mark, 400, params={"version": "x"}))["errors"][0]["pointer"] == "?version"
    assert (await ann.preview(game, mark, 400, params={"at": "1"}))["errors"][0]["pointer"] == "?at"


async def test_what_is_wrong_with_a_preview_is_told_in_the_order_of_an_action(ann: Player, bob: Player) -> None:
    game = await rolled([ann, bob])
    stale = {"If-Match": '"1"'}
    assert (await ann.preview({"id": str(uuid7())}, {"type": "roll"}, 404))["code"] == "not_found"
    assert (await ann.preview(game, {"type": "roll"}, 400, headers=stale))["code"] == "malformed"
    assert (await ann.preview(game, {"type": "pass", "roll": 9}, 412, headers=stale))["code"] == "version_mismatch"
    assert (await ann.preview(game, {"type": "pass", "roll": 9}, 409))["code"] == "stale_roll"
    mark = {"type": "mark", "row": "red", "number": 0}
    assert (await ann.preview(game, mark, 422))["code"] == "no_such_number"


async def test_a_long_poll_returns_when_an_event_is_appended(ann: Player, bob: Player) -> None:
    game = await rolled([ann, bob])
    poll = asyncio.create_task(ann.get(f"/games/{game['id']}/events?after={game['version']}&wait=30"))
    await bob.act(game, {"type": "pass"})
    page = await asyncio.wait_for(poll, 10)
    assert [event["version"] for event in page["results"]] == [game["version"] + 1]
    nothing = await ann.get(f"/games/{game['id']}/events?after={page['version']}&wait=1")
    assert nothing == {"results": [], "version": page["version"]}


async def test_a_stream_resumes_from_any_version(ann: Player, bob: Player) -> None:
    game = await rolled([ann, bob])
    path = f"/games/{game['id']}/stream"
    async with ann.http.stream("GET", path, headers={"Last-Event-ID": "3"}) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        lines = stream.aiter_lines()
        old = [await next_event(lines) for _ in range(game["version"] - 3)]
        await bob.act(game, {"type": "pass"})
        live = await asyncio.wait_for(next_event(lines), 10)
    assert [event["version"] for event in old] == list(range(4, game["version"] + 1))
    assert (live["version"], live["data"]) == (game["version"] + 1, {"seat": 1})


async def next_event(lines: Any) -> Json:
    async for line in lines:
        if line.startswith("data: "):
            event: Json = json.loads(line.removeprefix("data: "))
            return event
    raise AssertionError("the stream has ended")


async def test_the_dice_can_be_recomputed_from_export_and_proof(ann: Player, bob: Player) -> None:
    game = await rolled([ann, bob])
    await ann.act(game, {"type": "resign"})
    header, *lines = (await bob.http.get(f"/games/{game['id']}/export")).text.splitlines()
    described = json.loads(header)
    events = [Event(**json.loads(line)) for line in lines]
    assert (described["format"], described["complete"], described["events"]) == ("qwixx-log", True, len(events))
    assert first_bad_version(events) is None
    proof = await bob.get(f"/games/{game['id']}/proof")
    seed = bytes.fromhex(proof["server_seed"])
    assert hashlib.sha256(seed).hexdigest() == proof["commitment"] == events[0].data["commitment"]
    mixed = "\n".join(f"{seat}:{client}" for seat, client in enumerate(proof["client_seeds"]))
    assert hashlib.sha256(mixed.encode()).hexdigest() == proof["entropy"]
    roll = proof["rolls"][0]
    message = f"{game['id']}|{proof['entropy']}|1|blue|0".encode()
    thrown = next(1 + byte % 6 for byte in hmac.digest(seed, message, "sha256") if byte < 252)
    assert roll["dice"]["blue"] == [thrown]


async def test_polling_never_limits_actions(ann: Player, bob: Player) -> None:
    game = await rolled([ann, bob])
    answers = await asyncio.gather(*(ann.http.get(f"/games/{game['id']}") for _ in range(500)))
    limited = [answer for answer in answers if answer.status_code == 429]
    assert all(answer.headers["retry-after"].isdigit() for answer in limited)
    await ann.act(game, {"type": "pass"})


async def test_a_revoked_token_ends_reads_polls_and_streams(ann: Player, bob: Player, new_player: NewPlayer) -> None:
    game = await rolled([ann, bob])
    poll = asyncio.create_task(ann.http.get(f"/games/{game['id']}/events?after={game['version']}&wait=20"))
    async with ann.http.stream("GET", f"/games/{game['id']}/stream") as stream:
        lines = stream.aiter_lines()
        await next_event(lines)
        answer = await ann.http.delete("/sessions/current")
        assert answer.status_code == 204
        rest = await asyncio.wait_for(drained(lines), 5)
    assert rest is not None
    assert (await asyncio.wait_for(poll, 5)).status_code == 401
    assert (await ann.act(game, {"type": "pass"}, 401))["code"] == "not_authenticated"


async def test_a_player_who_left_a_private_game_cannot_follow_it(ann: Player, bob: Player) -> None:
    game = await ann.create(seats=3, visibility="private")
    version = (await bob.post("/games/join", {"code": game["code"]}))["version"]
    path = f"/games/{game['id']}"
    poll = asyncio.create_task(bob.http.get(f"{path}/events?after={version}&wait=20"))
    async with bob.http.stream("GET", f"{path}/stream") as stream:
        lines = stream.aiter_lines()
        await next_event(lines)
        await bob.post(f"{path}/leave")
        rest = await asyncio.wait_for(drained(lines), 5)
    assert not [line for line in rest if line == f"id: {version + 1}"]
    assert (await asyncio.wait_for(poll, 5)).status_code == 404


async def drained(lines: Any) -> list[str]:
    return [line async for line in lines]
