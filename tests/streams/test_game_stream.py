"""The frames of a game's stream, in the order and the form that the contract gives them."""

import asyncio
import json
from collections.abc import Mapping

import msgspec
import pytest

from games.streams import frames
from tests.api.client import Json, Player, table
from tests.api.conftest import NewPlayer
from tests.streams.client import Socket
from tests.streams.conftest import Open, Watch
from tests.streams.player import Phone

OTHER_FRAMES = frames.Hello | frames.StateFrame | frames.Heartbeat | frames.Ack | frames.ErrorFrame
SEATS_CHANGE = ("seat_taken", "game_started")
PARTS = ("version", "turn", "options", "your_answer")
ANSWERS = ("ack", "error", "heartbeat")


def active_first(game: Json, *players: Player) -> list[Player]:
    """The player who has to roll, then the others."""
    seat = game["turn"]["active"]
    return [*players[seat:], *players[:seat]]


def in_shape(socket: Socket, update: type[frames.StreamFrame] = frames.Update) -> None:
    """Every frame is what its type says."""
    for frame in socket.frames:
        msgspec.convert(frame, OTHER_FRAMES | update, strict=True)


async def test_a_stream_begins_with_hello_and_the_state_and_goes_on_with_updates(
    ann: Player, bob: Player, watching: Watch
) -> None:
    game = await ann.create()
    socket = await watching(ann, game)
    state = (await socket.next("state"))["game"]
    assert socket.line.subprotocol == "qx.v1"
    hello = socket.frames[0]
    assert (hello["type"], hello["protocol"], hello["heartbeat_s"]) == ("hello", "qx.v1", 15)
    assert hello["version"] == state["version"] == game["version"]
    assert {**state, "server_time": ""} == {**await ann.view(game), "server_time": ""}
    joined = await bob.join(game)
    update = await socket.next("update")
    assert update["version"] == joined["version"], "one update for all events of the commit"
    assert [seat["player"]["name"] for seat in update["seats"]] == ["Ann", "Bob"]
    events = (await ann.get(f"/games/{game['id']}/events?after={game['version']}"))["results"]
    assert socket.events == events
    in_shape(socket)


async def test_every_handshake_carries_an_id_and_keeps_the_clients(ann: Player, opening: Open) -> None:
    for path in ("/ws/v1/me", "/ws/v1/nowhere"):
        named = await opening(path, ann.token, headers={"X-Request-ID": "mine-1"})
        assert handshake(named)["x-request-id"] == "mine-1"
        ids = {handshake(await opening(path, ann.token))["x-request-id"] for _ in range(2)}
        assert len(ids) == 2


def handshake(socket: Socket) -> Mapping[str, str]:
    assert socket.line.response is not None
    return socket.line.response.headers


async def test_an_action_is_stored_then_sent_as_an_update_then_acked(ann: Player, bob: Player, watching: Watch) -> None:
    game = await table([ann, bob])
    roller, other = active_first(game, ann, bob)
    mine, theirs = await watching(roller, game), await watching(other, game)
    await mine.next("state")
    await theirs.next("state")
    ack = await mine.act("roll-1", {"type": "roll"})
    assert ack == {"type": "ack", "id": "roll-1", "version": game["version"] + 1}
    assert [frame["type"] for frame in mine.frames[2:]] == ["update", "ack"]
    update = await theirs.next("update")
    fresh = await other.view(game)
    assert {name: update[name] for name in PARTS} == {name: fresh[name] for name in PARTS}
    assert "seats" not in update
    in_shape(mine)
    in_shape(theirs)


@pytest.mark.parametrize("sort_keys", [False, True])
async def test_frames_sent_without_waiting_are_answered_in_their_order(
    ann: Player, bob: Player, watching: Watch, sort_keys: bool
) -> None:
    game = await table([ann, bob])
    roller, _ = active_first(game, ann, bob)
    socket = await watching(roller, game)
    await socket.next("state")
    actions: list[Json] = [{"type": "roll"}, {"type": "mark", "row": "pink", "number": 5}, {"type": "pass"}]
    sent: list[Json] = [{"type": "action", "id": f"a{n}", "action": action} for n, action in enumerate(actions)]
    sent.append({"type": "ping"})
    for frame in sent:
        await socket.line.send(json.dumps(frame, sort_keys=sort_keys))
    await socket.next("heartbeat")
    assert [(frame["type"], frame.get("id"), frame.get("code")) for frame in socket.frames[2:]] == [
        ("update", None, None),
        ("ack", "a0", None),
        ("error", "a1", "no_such_row"),
        ("update", None, None),
        ("ack", "a2", None),
        ("heartbeat", None, None),
    ]


async def test_the_ack_of_an_action_that_appends_nothing_comes_in_place_of_its_update(
    ann: Player, bob: Player, watching: Watch
) -> None:
    game = await table([ann, bob])
    roller, _ = active_first(game, ann, bob)
    socket = await watching(roller, game)
    await socket.act("roll", {"type": "roll"})
    first = await socket.act("answer-1", {"type": "pass"})
    again = await socket.act("answer-2", {"type": "pass"})
    assert again == {**first, "id": "answer-2"}
    assert [frame["type"] for frame in socket.frames[-2:]] == ["ack", "ack"]


async def test_an_action_that_changes_seats_is_acked_after_its_update(
    ann: Player, bob: Player, cid: Player, watching: Watch
) -> None:
    """Names are looked up before such an update is sent; the ack waits for it."""
    game = await table([ann, bob, cid])
    socket = await watching(ann, game)
    await socket.next("state")
    await socket.act("1", {"type": "resign"})
    assert [frame["type"] for frame in socket.frames[2:]] == ["update", "ack"]
    assert [seat["state"] for seat in socket.updates[0]["seats"]] == ["resigned", "playing", "playing"]


async def test_a_client_that_draws_from_its_stream_gets_the_whole_view_with_every_update(
    ann: Player, bob: Player, watching: Watch
) -> None:
    game = await table([ann, bob])
    roller, other = active_first(game, ann, bob)
    sockets = [await watching(player, game, view="full") for player in (roller, other)]
    for socket in sockets:
        await socket.next("state")
    await sockets[0].act("1", {"type": "roll"})
    for socket, player in zip(sockets, (roller, other), strict=True):
        update = await socket.next("update") if socket is sockets[1] else socket.updates[0]
        assert set(update) == {"type", "version", "events", "game"}
        fresh = await player.view(game)
        assert update["game"] | {"server_time": ""} == fresh | {"server_time": ""}
        in_shape(socket, frames.FullUpdate)
    late = await watching(other, game, view="full", after=0)
    resumed = await late.next("update")
    assert (resumed["version"], resumed["game"]["options"]) == (game["version"] + 1, update["game"]["options"])


async def test_a_repeated_id_is_acked_again_with_the_same_version(ann: Player, bob: Player, watching: Watch) -> None:
    game = await table([ann, bob])
    roller, other = active_first(game, ann, bob)
    socket = await watching(roller, game)
    first = await socket.act("roll-1", {"type": "roll"})
    await other.act(game, {"type": "pass"})
    assert await socket.act("roll-1", {"type": "roll"}) == first
    error = await socket.act("roll-1", {"type": "pass"})
    assert (error["type"], error["code"]) == ("error", "idempotency_key_reused")
    # The same key by POST is the same command.
    answer = await roller.http.post(
        f"/games/{game['id']}/actions", json={"type": "roll"}, headers={"Idempotency-Key": "roll-1"}
    )
    assert (answer.json()["version"], answer.headers["idempotent-replayed"]) == (first["version"], "true")


async def test_a_refusal_names_its_command_and_the_rule_in_the_callers_language(
    ann: Player, bob: Player, watching: Watch
) -> None:
    game = await table([ann, bob])
    roller, other = active_first(game, ann, bob)
    socket = await watching(other, game, headers={"Accept-Language": "de"})
    error = await socket.act("1", {"type": "roll"})
    said = await other.http.post(
        f"/games/{game['id']}/actions", json={"type": "roll"}, headers={"Accept-Language": "de"}
    )
    assert error == {"type": "error", "id": "1", "code": "not_your_turn", "detail": said.json()["detail"]}
    broken = await socket.act("2", {"type": "mark", "row": 7})
    assert (broken["code"], {wrong["pointer"] for wrong in broken["errors"]}) == ("malformed", {"/row", "/number"})
    # A refused id was not used up.
    assert (await (await watching(roller, game)).act("1", {"type": "roll"}))["type"] == "ack"


async def test_a_stream_resumes_from_any_version(ann: Player, bob: Player, watching: Watch) -> None:
    game = await ann.view(await table([ann, bob]))
    for after in range(game["version"] + 1):
        socket = await watching(ann, game, after=after)
        await socket.ponged()
        assert socket.versions == list(range(after + 1, game["version"] + 1))
        kinds = ["update"] if after < game["version"] else []
        assert [frame["type"] for frame in socket.frames] == ["hello", *kinds, "heartbeat"]
        for update in socket.updates:
            assert {name: update[name] for name in PARTS} == {name: game[name] for name in PARTS}
            assert update.get("seats", game["seats"]) == game["seats"]
            assert ("seats" in update) == any(event["type"] in SEATS_CHANGE for event in update["events"])
    await socket.send(type="resume", after=1)
    await socket.next("update")
    assert socket.versions == list(range(2, game["version"] + 1))
    beyond = await watching(ann, game, after=10_000)
    await beyond.ponged()
    assert beyond.events == []


@pytest.mark.parametrize("view", [None, "full"])
async def test_a_long_resume_comes_in_portions_of_100_and_only_the_last_says_what_the_seat_may_do(
    new_player: NewPlayer, server: str, watching: Watch, view: str | None
) -> None:
    players = [await new_player(f"Player {number}") for number in range(4)]
    game = await table(players)
    phones = [Phone(server, game["id"], player.token, f"long {player}") for player in players]
    async with asyncio.timeout(60):
        await asyncio.gather(*(phone.play() for phone in phones))
    over = await players[0].view(game)
    assert over["version"] > 100
    socket = await watching(players[0], game, after=0, view=view)
    await socket.at_version(over["version"])
    assert socket.versions == list(range(1, over["version"] + 1))
    *others, last = socket.updates
    assert {len(update["events"]) for update in others} == {100}
    if view == "full":
        assert {update["game"] is None for update in others} == {True}
        assert last["game"] | {"server_time": ""} == over | {"server_time": ""}
    else:
        assert {update[name] for update in others for name in ("turn", "options", "your_answer")} == {None}
        assert (last["turn"], last["options"], last["seats"]) == (None, [], over["seats"])
        assert not any("seats" in update for update in others)


async def test_a_ping_is_answered_with_the_head_of_the_log(ann: Player, watching: Watch) -> None:
    game = await ann.create()
    socket = await watching(ann, game)
    await socket.send(type="ping")
    assert (await socket.next("heartbeat"))["version"] == game["version"]


async def test_sealed_answers_are_seen_by_their_authors_alone_until_the_phase_closes(
    ann: Player, bob: Player, cid: Player, watching: Watch
) -> None:
    game = await table([ann, bob])
    roller, other = active_first(game, ann, bob)
    await roller.act(game, {"type": "roll"})
    mine, twin = await watching(other, game, after=0), await watching(other, game, after=0)
    theirs, spectator = await watching(roller, game, after=0), await watching(cid, game, after=0)
    for socket in (mine, twin, theirs, spectator):
        await socket.next("update")
    sealed = (await mine.act("1", {"type": "pass"}))["version"]
    for socket, knows in ((mine, True), (twin, True), (theirs, False), (spectator, False)):
        await socket.at_version(sealed)
        assert ("action" in socket.events[-1]["data"], "nonce" in socket.events[-1]["data"]) == (knows, knows)
        late = await watching(roller if socket is theirs else cid, game, after=sealed - 1)
        await late.next("update")
        assert "action" not in late.events[-1]["data"]
    assert mine.updates[-1]["your_answer"] == {"type": "pass"}
    assert [update["your_answer"] for update in (theirs.updates[-1], spectator.updates[-1])] == [None, None]
    assert [update["options"] for update in spectator.updates] == [[], []]
    closed = (await theirs.act("2", {"type": "pass"}))["version"]
    await spectator.at_version(closed)
    after = await watching(cid, game, after=sealed - 1)
    await after.next("update")
    assert after.events[0]["data"]["action"] == {"type": "pass"}
    assert [event["version"] for event in after.events] == list(range(sealed, closed + 1))


async def test_the_lobby_shows_open_games_and_then_every_change(ann: Player, bob: Player, opening: Open) -> None:
    first, second = await ann.create(), await ann.create(ruleset="qwinto")
    await ann.create(visibility="private")
    lobby, qwinto = await opening("/ws/v1/lobby", bob.token), await opening("/ws/v1/lobby?ruleset=qwinto", bob.token)
    listed = (await lobby.next("games"))["games"]
    assert [game["id"] for game in listed] == [second["id"], first["id"]]
    assert listed == (await bob.get("/games?status=open"))["results"]
    assert [game["id"] for game in (await qwinto.next("games"))["games"]] == [second["id"]]
    await bob.join(first)
    started = (await lobby.next("game"))["game"]
    assert (started["id"], started["status"], len(started["seats"])) == (first["id"], "playing", 2)
    assert started == (await bob.get("/games?status=playing"))["results"][0]
    assert started["you"] == 1
    await ann.create(visibility="private")
    third = await ann.create(ruleset="qwinto")
    assert (await qwinto.next("game"))["game"]["id"] == third["id"] == (await lobby.next("game"))["game"]["id"]


async def test_each_socket_of_the_lobby_is_told_its_own_seat(ann: Player, bob: Player, opening: Open) -> None:
    sockets = [await opening("/ws/v1/lobby?sheet=classic&ruleset=qwixx", player.token) for player in (ann, bob)]
    for socket in sockets:
        assert (await socket.next("games"))["games"] == []
    game = await ann.create(seats=3)
    assert [(await socket.next("game"))["game"]["you"] for socket in sockets] == [0, None]
    await bob.join(game)
    assert [(await socket.next("game"))["game"]["you"] for socket in sockets] == [0, 1]


async def test_the_me_stream_sends_started_games_and_turns(ann: Player, bob: Player, opening: Open) -> None:
    sockets = [await opening("/ws/v1/me", player.token) for player in (ann, bob)]
    for socket in sockets:
        await socket.next("hello")
    game = await table([ann, bob])
    for socket in sockets:
        assert (await socket.next("game_started"))["game"] == game["id"]
    told = await sockets[game["turn"]["active"]].next("your_turn")
    assert (told["game"], told["turn"]["phase"]) == (game["id"], "roll")
    late = await opening("/ws/v1/me", (ann, bob)[game["turn"]["active"]].token)
    assert await late.next("your_turn") == told
