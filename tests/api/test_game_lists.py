"""Lists of games: every filter alone and with others, refused values, and private games."""

import asyncio
import itertools
from base64 import b64encode
from typing import Any
from urllib.parse import quote

import pytest

from tests.api.client import Json, Player, table
from tests.api.conftest import NewPlayer

MEMBERS = ["id", "ruleset", "sheet", "status", "version", "seats", "size", "visibility", "rated", "clock", "turn"]
MEMBERS += ["you", "result", "created_at", "ended_at"]
TURN = ("active", "phase", "waiting_for", "deadline_at")
LISTS = ("", "?status=open,playing,finished,aborted,voided", "?mine=true", "?waiting=me", "?sheet=classic")
REFUSED = [
    *("status=", "status=open,", "status=OPEN", "status=open%00", "status=" + "open," * 5000 + "open"),
    *("ruleset=", "ruleset=chess", "sheet=", "sheet=none", "rated=1", "rated=", "mine=yes", "waiting=bob"),
    *("player=me", "player=", "player=0192", "player=%7B01926f3a-7c5e-7b1d-9a40-3f6c2d8e1b57%7D"),
    *("ended_after=", "ended_after=2026-01-31", "ended_after=2026-01-31T12:00:00", "ended_before=now"),
    *("ended_before=2026-02-30T00:00:00Z", "ended_before=0000-01-01T00:00:00Z", "ended_after=1769860800"),
    *("limit=0", "limit=1e2", "cursor=rubbish", "order=id", "visibility=private", "Status=open", "status[]=open"),
    *("mine=true&mine=true", "x=" + "1" * 5000, "player=" + "0" * 5000),
]


async def ids(player: Player, query: str) -> list[str]:
    return [game["id"] for game in (await player.get(f"/games{query}"))["results"]]


async def over(players: list[Player], **settings: Any) -> Json:
    """A game that has ended: the last player has left it."""
    game = await table(players, **settings)
    await players[-1].post(f"/games/{game['id']}/leave")
    return await players[0].view(game)


def as_summary(view: Json) -> Json:
    """The summary of a game, but for its times, from its view."""
    seats = [{name: seat[name] for name in ("seat", "player")} for seat in view["seats"]]
    turn = view["turn"] and {name: view["turn"][name] for name in TURN}
    return {name: view[name] for name in MEMBERS if name in view} | {"seats": seats, "turn": turn}


async def test_a_summary_agrees_with_the_view_of_its_game(ann: Player, bob: Player) -> None:
    games = [
        await ann.create(),
        await table([ann, bob], ruleset="qwinto"),
        await over([ann, bob], rated=True),
        await ann.create(seats=3, bots=["easy"], visibility="private", clock=None),
        await ann.create(),
    ]
    await ann.post(f"/games/{games[4]['id']}/leave")
    summaries = {each["id"]: each for each in (await ann.get("/games?mine=true"))["results"]}
    for game in games[:4]:
        summary, view = summaries[game["id"]], await ann.view(game)
        assert list(summary) == MEMBERS
        assert {name: summary[name] for name in as_summary(view)} == as_summary(view)
        assert (summary["ended_at"] is None) == (summary["result"] is None) == (view["status"] in ("open", "playing"))
    (aborted,) = (await ann.get("/games?status=aborted"))["results"]
    assert (aborted["id"], aborted["result"]) == (games[4]["id"], {"reason": "aborted", "ranking": []})


@pytest.mark.parametrize("action", ["roll", "pass"])
async def test_a_summary_tells_who_has_to_act(ann: Player, bob: Player, action: str) -> None:
    game = await table([ann, bob])
    active = (ann, bob)[game["turn"]["active"]]
    for kind in ("roll",) if action == "roll" else ("roll", "pass"):
        await active.act(game, {"type": kind})
    (summary,) = (await active.get("/games?status=playing&mine=true"))["results"]
    assert summary["turn"] == as_summary(await active.view(game))["turn"]
    assert summary["turn"]["waiting_for"] == ([0, 1] if action == "roll" else [1 - game["turn"]["active"]])


async def test_each_filter_selects_its_games(ann: Player, bob: Player) -> None:
    waiting, playing = await ann.create(), await table([ann, bob], ruleset="qwinto")
    rated, plain = await over([ann, bob], rated=True), await over([bob, ann], ruleset="qwinto")
    end = (await ann.get("/games?status=finished"))["results"][0]["ended_at"]
    expected = {
        "?status=open": [waiting],
        "?status=playing,open": [playing, waiting],
        "?status=finished&ruleset=qwinto": [plain],
        "?ruleset=qwixx": [rated, waiting],
        "?sheet=classic&rated=true": [rated],
        "?rated=false": [plain, playing, waiting],
        f"?player={bob.player['id']}": [plain, rated, playing],
        f"?player={bob.player['id']}&mine=true&status=finished&rated=true": [rated],
        f"?ended_after={end}": [plain],
        f"?ended_before={end}": [rated],
        f"?ended_before={end}&status=open,finished&rated=true&ruleset=qwixx&sheet=classic": [rated],
        f"?ended_after={end}&mine=true&status=open": [],
        f"?player={bob.player['id']}&ended_before={end}": [rated],
        "?mine=false&status=open": [waiting],
    }
    for query, games in expected.items():
        assert await ids(ann, query) == [game["id"] for game in games], query
    active = (ann, bob)[playing["turn"]["active"]]
    assert await ids(active, "?waiting=me&mine=true&ruleset=qwinto") == [playing["id"]]
    assert await ids(active, "?waiting=me&ruleset=qwixx") == []


async def test_a_list_by_end_is_paged_from_the_last_end_to_the_first(ann: Player, bob: Player) -> None:
    first, second = await table([ann, bob]), await table([ann, bob])
    for game in (second, first):
        await ann.post(f"/games/{game['id']}/leave")
    for query in ("", "&mine=true", f"&player={bob.player['id']}"):
        page = await ann.get(f"/games?ended_after=2020-01-01T00:00:00Z&limit=1{query}")
        assert [game["id"] for game in page["results"]] == [first["id"]]
        following = await ann.get(page["next"])
        assert [game["id"] for game in following["results"]] == [second["id"]]
        assert following["next"] is None
        assert (await ann.get(following["previous"]))["results"] == page["results"]


async def test_a_wrong_or_unknown_parameter_is_named(ann: Player) -> None:
    for query in REFUSED:
        problem = await ann.get(f"/games?{query}", 400)
        assert problem["code"] == "malformed"
        assert [error["pointer"] for error in problem["errors"]] == ["?" + query.partition("=")[0]], query


async def test_all_wrong_parameters_are_named_at_once(ann: Player) -> None:
    problem = await ann.get("/games?status=none&rated=maybe&colour=red&limit=0", 400)
    assert {error["pointer"] for error in problem["errors"]} == {"?status", "?rated", "?colour", "?limit"}


async def test_the_earliest_and_latest_times_are_accepted(ann: Player) -> None:
    offsets = ("-23:59", "-14:00", "+00:00", "+14:00", "+23:59")
    times = [time + offset for time in ("0001-01-01T00:00:00", "9999-12-31T23:59:59.999999") for offset in offsets]
    for name, time in itertools.product(("ended_after", "ended_before"), times):
        assert (await ann.get("/games", params={name: time}))["results"] == []


@pytest.mark.parametrize("position", ["9999-12-31 23:59:59-23:59", "0001-01-01 00:00:00+23:59", "2026-01-31 12:00:00"])
async def test_a_cursor_with_a_time_that_no_page_gives_is_refused(ann: Player, position: str) -> None:
    cursor = b64encode(f"p={quote(position)}".encode()).decode()
    query = {"ended_after": "2020-01-01T00:00:00Z", "cursor": cursor}
    problem = await ann.get("/games", 400, params=query)
    assert [error["pointer"] for error in problem["errors"]] == ["?cursor"]


async def test_a_cursor_of_another_order_is_refused(ann: Player, bob: Player) -> None:
    for _ in range(2):
        await over([ann, bob])
    cursor = (await ann.get("/games?limit=1"))["next"].partition("cursor=")[2].partition("&")[0]
    problem = await ann.get(f"/games?ended_after=2020-01-01T00:00:00Z&cursor={cursor}", 400)
    assert [error["pointer"] for error in problem["errors"]] == ["?cursor"]


async def test_a_private_game_is_in_no_list_of_others(ann: Player, bob: Player, new_player: NewPlayer) -> None:
    eve = await new_player("Eve")
    hidden = [await ann.create(visibility="private"), await ann.create(visibility="private", bots=["easy"])]
    finished = await ann.create(visibility="private")
    await bob.post(f"/games/{finished['id']}/join", {"code": finished["code"]})
    await bob.post(f"/games/{finished['id']}/leave")
    ended = "&ended_after=2020-01-01T00:00:00Z"
    for player in (ann.player, bob.player):
        for query in (*LISTS, f"?player={player['id']}", f"?player={player['id']}&status=finished"):
            assert await ids(eve, query) == [], query
            assert await ids(eve, (query or "?mine=false") + ended) == [], query
        assert (await eve.get(f"/players/{player['id']}/games"))["results"] == []
    assert await ids(bob, f"?player={ann.player['id']}") == [finished["id"]]
    assert await ids(ann, "?mine=true") == [finished["id"], hidden[1]["id"], hidden[0]["id"]]


async def test_public_finished_games_of_a_player_are_found_by_others(
    ann: Player, bob: Player, new_player: NewPlayer
) -> None:
    game, eve = await over([ann, bob]), await new_player("Eve")
    (found,) = (await eve.get(f"/games?player={bob.player['id']}&status=finished"))["results"]
    assert (found["id"], found["you"]) == (game["id"], None)
    assert found["result"] == game["result"]
    assert (await eve.get(f"/players/{bob.player['id']}/games"))["results"] == [found]


async def test_a_list_never_mixes_two_versions_of_a_game(ann: Player, bob: Player) -> None:
    """Two seats are taken when the game has started, and only then."""
    playing = asyncio.Event()

    async def read() -> list[Json]:
        seen = []
        while not playing.is_set():
            seen += (await ann.get("/games?mine=true"))["results"]
        return seen

    async def play() -> None:
        for _ in range(15):
            await table([ann, bob])
        playing.set()

    *pages, _ = await asyncio.gather(read(), read(), play())
    for game in (game for page in pages for game in page):
        assert (game["status"] == "playing") == (len(game["seats"]) == 2) == (game["turn"] is not None)
