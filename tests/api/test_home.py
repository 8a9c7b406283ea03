"""`GET /home` returns what the single calls return, in a bounded number of queries."""

import asyncio
from datetime import UTC, datetime
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games import runtime
from games.game.decisions import game_settings, lobby
from games.game.decisions.draft import Draft, Moment
from games.log.rows import Caller
from players.accounts import guests
from players.database.ids import uuid7
from tests.api.client import Json, Player, table
from tests.api.conftest import NewPlayer
from tests.results.game_logs import MONDAY, ended, people, stored

QUEUE = {"ruleset": "qwixx", "sheet": "classic", "seats": 2}
MOST_QUERIES = 25


async def single_calls(player: Player) -> Json:
    lists = {"waiting": "waiting=me", "playing": "mine=true&status=playing", "open": "mine=true&status=open"}
    return {
        "player": await player.get("/players/me"),
        "version": await player.get("/version"),
        **{name: (await player.get(f"/games?{query}"))["results"] for name, query in lists.items()},
        "invitations": (await player.get("/invitations"))["results"],
        "stats": (await player.get(f"/players/{player.player['id']}/stats"))["results"],
        "queue": None,
        "more": dict.fromkeys(("waiting", "playing", "open", "invitations")),
    }


async def test_home_equals_the_single_calls(ann: Player, bob: Player) -> None:
    for ruleset in ("qwixx", "qwinto", "qwixx"):
        await table([ann, bob], ruleset=ruleset)
    await ann.post(f"/games/{(await table([ann, bob], rated=True))['id']}/leave")
    await ann.create()
    hidden = await bob.create(visibility="private")
    await bob.post(f"/games/{hidden['id']}/invitations", {"player": ann.player["id"]}, 201)
    for player in (ann, bob):
        home, expected = await player.get("/home"), await single_calls(player)
        assert datetime.fromisoformat(home.pop("server_time")).tzinfo
        assert home == expected
        assert home["player"]["games_waiting"] == len(home["waiting"])
    assert [each["game"] for each in (await ann.get("/home"))["invitations"]] == [hidden["id"]]


async def test_home_shows_the_ticket_until_the_player_leaves_the_queue(ann: Player) -> None:
    ticket = (await ann.post("/matchmaking", QUEUE, 202))["ticket"]
    queue = (await ann.get("/home"))["queue"]
    assert set(queue) == set(await ann.get(f"/matchmaking/{ticket}"))
    assert (queue["ticket"], queue["status"]) == (ticket, "queued")
    await ann.http.delete(f"/matchmaking/{ticket}")
    assert (await ann.get("/home"))["queue"] is None


async def test_the_tag_of_home_changes_with_its_content_only(ann: Player, bob: Player) -> None:
    first, second = [await ann.http.get("/home") for _ in range(2)]
    assert first.json()["server_time"] != second.json()["server_time"]
    assert first.headers["etag"] == second.headers["etag"]
    condition = {"If-None-Match": first.headers["etag"]}
    unchanged = await ann.http.get("/home", headers=condition)
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert unchanged.headers["etag"] == first.headers["etag"]
    assert (await bob.http.get("/home", headers=condition)).status_code == 200
    await ann.create()
    changed = await ann.http.get("/home", headers=condition)
    assert (changed.status_code, len(changed.json()["open"])) == (200, 1)
    assert changed.headers["etag"] != first.headers["etag"]


async def test_home_shows_the_newest_twenty_and_where_the_others_are(ann: Player) -> None:
    games = await asyncio.gather(*(ann.create(visibility="private") for _ in range(21)))
    home = await ann.get("/home")
    assert [game["id"] for game in home["open"]] == sorted((game["id"] for game in games), reverse=True)[:20]
    assert [name for name, address in home["more"].items() if address] == ["open"]
    assert len((await ann.get(home["more"]["open"] + "&limit=100"))["results"]) == 21


async def test_home_never_shows_a_game_in_two_states(ann: Player, bob: Player) -> None:
    """All lists are of one moment: a game that starts leaves `open` when it enters `playing`."""
    done = asyncio.Event()

    async def read(player: Player) -> list[Json]:
        homes = []
        while not done.is_set():
            homes.append(await player.get("/home"))
        return homes

    async def play() -> None:
        for _ in range(12):
            await table([ann, bob])
        done.set()

    *readers, _ = await asyncio.gather(read(ann), read(bob), play())
    for home in (home for homes in readers for home in homes):
        playing, waiting, unstarted = [{game["id"] for game in home[name]} for name in ("playing", "waiting", "open")]
        assert not playing & unstarted
        assert waiting <= playing
        assert home["player"]["games_waiting"] == len(waiting)


async def test_home_of_a_new_player_is_empty(new_player: NewPlayer) -> None:
    home = await (await new_player("Eve")).get("/home")
    assert [home[name] for name in ("waiting", "playing", "open", "invitations", "queue")] == [[], [], [], [], None]
    assert {figures["played"] for figures in home["stats"]} == {0}


def start(*players: UUID) -> None:
    """A game in progress."""
    game_id = uuid7()

    def decide(moment: Moment) -> Draft:
        return lobby.create_with_players(str(game_id), game_settings.Settings("qwixx"), list(map(str, players)), moment)

    runtime.call(lambda engine: engine.create(game_id, decide, datetime.now(UTC), Caller()))


@pytest.mark.parametrize("address", ["/api/v1/home", "/api/v1/games?mine=true", "/api/v1/games?status=finished"])
def test_the_number_of_queries_does_not_grow_with_the_games(transactional_db: None, address: str) -> None:
    guest = guests.create_guest(datetime.now(UTC), "Ann")
    client, counts = Client(headers={"Authorization": f"Bearer {guest.token}"}), []
    try:
        for number in (1, 20):
            for _ in range(number):
                other = people(1)[0]
                stored([ended([guest.player.id, other], range(2), MONDAY)])
                start(guest.player.id, other)
            with CaptureQueriesContext(connection) as queries:
                assert client.get(address).status_code == 200
            counts.append(len(queries))
    finally:
        runtime.end()
    assert counts[0] == counts[1] <= MOST_QUERIES, counts
