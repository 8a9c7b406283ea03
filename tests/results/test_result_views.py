"""Leaderboards, statistics and ratings over HTTP, from games that were played over HTTP."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from games.results import projector
from players import models
from players.ratings.skill import Skill, rate
from tests.api.client import Json, Player, table
from tests.api.conftest import NewPlayer
from tests.players.conftest import in_a_thread
from tests.results.game_logs import MONDAY, ended, stored


async def resigned(winner: Player, loser: Player, **settings: Any) -> Json:
    """A game from which the loser resigns."""
    game = await table([winner, loser], rated=True, **settings)
    await loser.act(game, {"type": "resign"})
    return game


async def project() -> None:
    await in_a_thread(projector.project_new)


def statistics(stats: Json, ruleset: str = "qwixx") -> Json:
    return next(entry for entry in stats["results"] if entry["ruleset"] == ruleset)


async def test_a_rated_game_is_on_leaderboards_and_in_the_statistics_of_both_players(ann: Player, bob: Player) -> None:
    game = await resigned(ann, bob)
    await project()
    board = await ann.get("/leaderboards/qwixx/wins?period=day")
    assert [(entry["rank"], entry["player"]["name"], entry["value"]) for entry in board["results"]] == [
        (1, "Ann", 1),
        (2, "Bob", 0),
    ]
    assert board["results"][0]["player"] == ann.player
    assert board["you"] == board["results"][0]
    assert (board["next"], board["previous"]) == (None, None)
    today = datetime.now(UTC).date()
    assert board["from"] == f"{today}T00:00:00Z"
    assert board["to"] == f"{today + timedelta(days=1)}T00:00:00Z"
    mine = statistics(await bob.get(f"/players/{ann.player['id']}/stats"))
    assert (mine["played"], mine["won"], mine["average"], mine["best"]) == (1, 1, 0.0, 0)
    assert (mine["rating"]["games"], mine["rating"]["provisional"]) == (1, True)
    assert [point["game"] for point in mine["rating"]["history"]] == [game["id"]]
    rating = await ann.get("/leaderboards/qwixx/rating")
    assert rating["results"][0]["value"] == mine["rating"]["value"] == mine["rating"]["history"][0]["value"]
    assert (rating["from"], rating["to"]) == (None, None)


async def test_statistics_and_leaderboards_tell_sheets_apart_and_ratings_do_not(ann: Player, bob: Player) -> None:
    players = [UUID(player.player["id"]) for player in (ann, bob)]
    sheets = ["classic", "classic", "double_a"]
    games = [ended(players, [10 + n, 5], MONDAY + timedelta(hours=n), sheet=sheet) for n, sheet in enumerate(sheets)]
    await in_a_thread(stored, games)
    await project()
    stats = statistics(await ann.get(f"/players/{ann.player['id']}/stats"))
    assert stats["sheets"] == [
        {"sheet": "classic", "played": 2, "won": 2, "average": 10.5, "best": 11},
        {"sheet": "double_a", "played": 1, "won": 1, "average": 12.0, "best": 12},
    ]
    assert (stats["played"], stats["won"], stats["average"], stats["best"]) == (3, 3, 11.0, 12)
    assert stats["rating"]["games"] == 3
    for path, best in {"": 12, "?sheet=classic": 11, "?sheet=double_a&period=month&at=2026-01-05": 12}.items():
        assert (await ann.get(f"/leaderboards/qwixx/best_score{path}"))["you"]["value"] == best
    nothing = await ann.get("/leaderboards/qwixx/wins?sheet=mixx_a")
    assert (nothing["results"], nothing["you"]) == ([], None)


async def test_every_rating_change_can_be_computed_again_from_its_explanation(ann: Player, bob: Player) -> None:
    for winner, loser in ((ann, bob), (bob, ann), (ann, bob)):
        await resigned(winner, loser)
    await project()
    stats = statistics(await ann.get(f"/players/{ann.player['id']}/stats"))
    why = (await ann.get(stats["rating"]["changes"]))["results"]
    assert [change["value"] for change in why] == [point["value"] for point in stats["rating"]["history"]]

    def skill(shown: Json) -> Skill:
        return Skill(shown["mu"], shown["sigma"], shown["games"])

    for change in why:
        (opponent,) = change["opponents"]
        assert opponent["player"] == bob.player
        before = sorted([(change["rank"], skill(change["before"])), (opponent["rank"], skill(opponent["before"]))])
        again = rate([each for _, each in before], [rank for rank, _ in before])
        assert skill(change["after"]) in again
        assert skill(change["after"]).shown == change["value"]
    assert why[0]["before"] == why[1]["after"]


async def test_rating_changes_are_paged_in_both_directions(ann: Player, bob: Player) -> None:
    players = [UUID(player.player["id"]) for player in (ann, bob)]
    games = [ended(players, [n, 5], MONDAY + timedelta(hours=n // 2)) for n in range(7)]
    await in_a_thread(stored, games)
    await project()
    path = f"/players/{ann.player['id']}/ratings/qwixx"
    whole = (await ann.get(path))["results"]
    first = await ann.get(path, params={"limit": 3})
    second = await ann.get(first["next"])
    third = await ann.get(second["next"])
    assert first["results"] + second["results"] + third["results"] == whole
    assert (first["previous"], third["next"]) == (None, None)
    assert (await ann.get(third["previous"])) == second
    assert (await ann.get(second["previous"]))["results"] == first["results"]


async def test_leaderboards_are_paged_in_both_directions_and_around_the_caller(ann: Player, bob: Player) -> None:
    others = [UUID(int=number) for number in range(1, 8)]
    me, rival = UUID(ann.player["id"]), UUID(bob.player["id"])
    player_rows = [models.Player(id=other, name="Cat") for other in others]
    await in_a_thread(models.Player.objects.bulk_create, player_rows)
    games = [ended([other, rival], [10 + n, 5], MONDAY) for n, other in enumerate(others)]
    games.append(ended([me, rival], [13, 5], MONDAY))
    await in_a_thread(stored, games)
    await project()
    path = "/leaderboards/qwixx/best_score"
    whole = await ann.get(path)
    assert [entry["rank"] for entry in whole["results"]] == [1, 2, 3, 4, 4, 6, 7, 8, 9]
    first = await ann.get(path, params={"limit": 4, "period": "month", "at": "2026-01-31"})
    assert (first["from"], first["to"]) == ("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z")
    second = await ann.get(first["next"])
    third = await ann.get(second["next"])
    assert first["results"] + second["results"] + third["results"] == whole["results"]
    assert (third["next"], first["previous"]) == (None, None)
    assert await ann.get(third["previous"]) == second
    assert second["from"] == first["from"]
    around = await ann.get(path, params={"around": "me", "limit": 3})
    assert around["results"][1] == around["you"]
    assert around["you"]["player"]["id"] == ann.player["id"]
    assert "around" not in around["next"]
    spectator = await bob.get(path, params={"period": "day", "at": "2026-01-06"})
    assert (spectator["results"], spectator["you"]) == ([], None)


async def test_unrated_games_count_in_statistics_but_not_on_leaderboards(ann: Player, bob: Player) -> None:
    game = await table([ann, bob])
    await bob.act(game, {"type": "resign"})
    await project()
    mine = statistics(await ann.get(f"/players/{ann.player['id']}/stats"))
    assert (mine["played"], mine["rating"]["games"], mine["rating"]["value"]) == (1, 0, 1000)
    assert (await ann.get("/leaderboards/qwixx/wins"))["results"] == []


async def test_a_new_player_has_empty_statistics_of_every_ruleset(ann: Player) -> None:
    stats = await ann.get(f"/players/{ann.player['id']}/stats")
    assert stats["player"] == ann.player
    rulesets = [ruleset["key"] for ruleset in (await ann.get("/rulesets"))["results"]]
    assert [entry["ruleset"] for entry in stats["results"]] == rulesets
    for entry in stats["results"]:
        assert (entry["played"], entry["won"], entry["average"], entry["best"]) == (0, 0, None, None)
        assert (entry["rating"]["value"], entry["rating"]["history"]) == (1000, [])


@pytest.mark.parametrize(
    ("path", "status", "pointer"),
    [
        ("/leaderboards/chess/wins", 404, None),
        ("/leaderboards/qwixx/beauty", 404, None),
        ("/leaderboards/qwixx/wins?period=year", 400, "?period"),
        ("/leaderboards/qwixx/wins?at=yesterday", 400, "?at"),
        ("/leaderboards/qwixx/wins?at=2026-02-30", 400, "?at"),
        ("/leaderboards/qwixx/wins?at=9999-12-31", 400, "?at"),
        ("/leaderboards/qwixx/wins?at=20260131", 400, "?at"),
        ("/leaderboards/qwixx/wins?sheet=beauty", 400, "?sheet"),
        ("/leaderboards/qwinto/wins?sheet=mixx_a", 400, "?sheet"),
        ("/leaderboards/qwixx/rating?sheet=classic", 400, "?sheet"),
        ("/leaderboards/qwixx/wins?around=you", 400, "?around"),
        ("/leaderboards/qwixx/wins?limit=0", 400, "?limit"),
        ("/leaderboards/qwixx/wins?limit=101", 400, "?limit"),
        ("/leaderboards/qwixx/wins?cursor=x", 400, "?cursor"),
        (f"/leaderboards/qwixx/wins?cursor=after.{UUID(int=0)}", 400, "?cursor"),
        (f"/leaderboards/qwixx/wins?cursor=after.9999999999.{UUID(int=0)}", 200, None),
        (f"/players/{UUID(int=5)}/stats", 404, None),
        (f"/players/{UUID(int=5)}/ratings/qwixx", 404, None),
        ("/players/ME/ratings/chess", 404, None),
        ("/players/ME/ratings/qwixx?limit=x", 400, "?limit"),
        (f"/players/ME/ratings/qwixx?cursor=after.{UUID(int=7)}", 400, "?cursor"),
    ],
)
async def test_an_invalid_parameter_is_refused_and_named(
    ann: Player, path: str, status: int, pointer: str | None
) -> None:
    answer = await ann.get(path.replace("ME", ann.player["id"]), status)
    if status == 400:
        assert (answer["code"], answer["errors"][0]["pointer"]) == ("malformed", pointer)


async def test_leaderboards_and_statistics_require_a_token(ann: Player) -> None:
    for path in ("/leaderboards/qwixx/wins", f"/players/{ann.player['id']}/stats"):
        answer = await ann.http.get(path, headers={"Authorization": ""})
        assert answer.status_code == 401


async def test_a_deleted_player_is_on_no_leaderboard_and_opponents_keep_their_wins(ann: Player, bob: Player) -> None:
    await resigned(ann, bob)
    await project()
    under_way = await table([ann, bob], rated=True)
    assert (await ann.http.delete("/players/me")).status_code == 204
    assert (await bob.view(under_way))["status"] == "finished"
    await project()
    board = await bob.get("/leaderboards/qwixx/wins")
    assert [(entry["player"]["id"], entry["value"]) for entry in board["results"]] == [(bob.player["id"], 1)]
    await bob.get(f"/players/{ann.player['id']}/stats", 404)
    stats = statistics(await bob.get(f"/players/{bob.player['id']}/stats"))
    why = (await bob.get(stats["rating"]["changes"]))["results"]
    assert [change["opponents"][0]["player"]["name"] for change in why] == ["Player", "Player"]


async def test_results_and_ratings_are_part_of_the_data_export(ann: Player, bob: Player) -> None:
    game = await resigned(ann, bob)
    await project()
    export = await ann.get("/players/me/export")
    assert [(result["game"], result["rank"]) for result in export["results"]] == [(game["id"], 1)]
    assert [(change["game"], change["ruleset"]) for change in export["ratings"]] == [(game["id"], "qwixx")]


async def private_and_rated(ann: Player, bob: Player) -> Json:
    game = await ann.create(seats=2, rated=True, visibility="private")
    await bob.post("/games/join", {"code": game["code"]})
    await bob.act(game, {"type": "resign"})
    return game


async def test_a_private_game_is_not_named_in_the_ratings_of_its_players(
    ann: Player, bob: Player, new_player: NewPlayer
) -> None:
    carl = await new_player("Carl")
    public, hidden = await resigned(ann, bob), await private_and_rated(ann, bob)
    await project()
    path = f"/players/{ann.player['id']}"
    seen: dict[str, Any] = {}
    for name, viewer in (("carl", carl), ("bob", bob), ("ann", ann)):
        stats = statistics(await viewer.get(f"{path}/stats"))
        seen[name] = stats["rating"]["history"], (await viewer.get(f"{path}/ratings/qwixx"))["results"]
    for name in ("ann", "bob"):
        history, changes = seen[name]
        assert [point["game"] for point in history] == [hidden["id"], public["id"]]
        assert [len(change["opponents"]) for change in changes] == [1, 1]
    history, changes = seen["carl"]
    assert [point["game"] for point in history] == [change["game"] for change in changes] == [None, public["id"]]
    assert [len(change["opponents"]) for change in changes] == [0, 1]
    assert history[0]["value"] == seen["ann"][0][0]["value"]
    assert history[0]["at"] == changes[0]["at"] == seen["ann"][0][0]["at"][:10] + "T00:00:00Z"
    texts = [(await carl.http.get(each)).text for each in (f"{path}/stats", f"{path}/ratings/qwixx?limit=1")]
    assert all(hidden["id"] not in text for text in texts)


async def test_a_cursor_of_rating_changes_fits_only_its_own_list(ann: Player, bob: Player) -> None:
    other = f"after.1.{bob.player['id']}"
    answer = await ann.get(f"/players/{ann.player['id']}/ratings/qwixx?cursor={other}", 400)
    assert answer["errors"][0]["pointer"] == "?cursor"
    far = f"before.9999999999.{ann.player['id']}"
    assert (await ann.get(f"/players/{ann.player['id']}/ratings/qwixx?cursor={far}"))["results"] == []
