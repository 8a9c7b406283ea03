"""Opening, finding, joining, leaving, starting and playing again, as a client sees it."""

import asyncio

from tests.api.client import Player, table
from tests.api.conftest import NewPlayer


async def test_the_creator_sits_in_seat_0_with_the_defaults(ann: Player) -> None:
    game = await ann.create()
    assert (game["status"], game["sheet"], game["visibility"], game["rated"]) == ("open", "classic", "public", False)
    assert game["clock"] == {"roll_s": 20, "answer_s": 45}
    assert [(seat["seat"], seat["player"]["id"]) for seat in game["seats"]] == [(0, ann.player["id"])]
    assert (game["you"], game["turn"], game["options"], game["result"]) == (0, None, [], None)
    assert len(game["code"]) == 6


async def test_a_full_game_starts_by_itself(ann: Player, bob: Player) -> None:
    game = await table([ann, bob])
    assert (game["status"], game["turn"]["phase"], game["turn"]["roll"], game["turn"]["dice"]) == (
        "playing",
        "roll",
        0,
        None,
    )
    assert len(game["sheets"]) == 2


async def test_a_private_game_is_found_by_its_code_alone(ann: Player, bob: Player) -> None:
    game = await ann.create(visibility="private", clock=None)
    path = f"/games/{game['id']}"
    assert (await bob.get(path, 404))["code"] == "not_found"
    assert (await bob.post(path + "/join", {}, 404))["code"] == "not_found"
    assert (await bob.post(path + "/join", {"code": "XXXXXX"}, 404))["code"] == "not_found"
    assert (await bob.act(game, {"type": "roll"}, 404))["code"] == "not_found"
    assert (await bob.act(game, {"type": "nonsense"}, 404))["code"] == "not_found"
    joined = await bob.post("/games/join", {"code": game["code"].lower()})
    assert (joined["id"], joined["you"]) == (game["id"], 1)


async def test_a_spectator_sees_no_code_and_no_options(ann: Player, bob: Player, new_player: NewPlayer) -> None:
    game = await table([ann, bob])
    view = await (await new_player()).view(game)
    assert (view["you"], view["code"], view["options"]) == (None, None, [])


async def test_refused_seat_commands_name_their_reason(ann: Player, bob: Player, new_player: NewPlayer) -> None:
    carl = await new_player()
    game = await ann.create(seats=3)
    path = f"/games/{game['id']}"
    assert (await ann.join(game, 409))["code"] == "already_seated"
    assert (await ann.post(path + "/start", None, 409))["code"] == "not_enough_seats"
    await bob.join(game)
    assert (await bob.post(path + "/start", None, 403))["code"] == "not_allowed"
    assert (await carl.post(path + "/start", None, 403))["code"] == "not_seated"
    await ann.post(path + "/start")
    assert (await carl.join(game, 409))["code"] == "game_not_open"
    assert (await ann.post(path + "/start", None, 409))["code"] == "game_not_open"
    assert (await ann.post(path + "/rematch", None, 409))["code"] == "game_not_over"
    assert (await ann.get(path + "/proof", 409))["code"] == "game_not_over"


async def test_the_creator_frees_a_seat_and_seats_close_up_at_the_start(
    ann: Player, bob: Player, new_player: NewPlayer
) -> None:
    carl = await new_player()
    game = await ann.create(seats=4)
    await bob.join(game)
    await carl.join(game)
    answer = await ann.http.delete(f"/games/{game['id']}/seats/1")
    assert answer.status_code == 200
    assert [seat["seat"] for seat in answer.json()["seats"]] == [0, 2]
    started = await ann.post(f"/games/{game['id']}/start")
    assert [seat["player"]["id"] for seat in started["seats"]] == [ann.player["id"], carl.player["id"]]
    assert [seat["seat"] for seat in started["seats"]] == [0, 1]


async def test_leaving_frees_the_seat_or_resigns(ann: Player, bob: Player) -> None:
    game = await ann.create()
    left = await ann.post(f"/games/{game['id']}/leave")
    assert (left["status"], left["result"]["reason"]) == ("aborted", "aborted")
    game = await table([ann, bob])
    left = await bob.post(f"/games/{game['id']}/leave")
    assert (left["status"], left["result"]["reason"]) == ("finished", "last_seat_standing")
    assert [rank["seat"] for rank in left["result"]["ranking"]] == [0, 1]
    assert (await ann.act(game, {"type": "roll"}, 409))["code"] == "game_over"


async def test_a_rematch_is_one_shared_game_for_all_players(ann: Player, bob: Player, new_player: NewPlayer) -> None:
    game = await table([ann, bob], ruleset="qwinto")
    path = f"/games/{game['id']}/rematch"
    await ann.post(f"/games/{game['id']}/leave")
    both = await asyncio.gather(ann.post(path), bob.post(path))
    assert both[0]["id"] == both[1]["id"] != game["id"]
    again = await ann.post(path, None, 200)
    assert (again["id"], again["status"], again["ruleset"]) == (both[0]["id"], "playing", "qwinto")
    assert (await ann.view(game))["next_game"] == again["id"]
    stranger = await new_player()
    assert (await stranger.post(path, None, 403))["code"] == "not_seated"


async def test_an_aborted_rematch_is_followed_by_another(ann: Player, bob: Player) -> None:
    game = await table([ann, bob])
    path = f"/games/{game['id']}/rematch"
    await ann.post(f"/games/{game['id']}/leave")
    empty = await ann.post(path)
    assert (await ann.post(f"/games/{empty['id']}/leave"))["status"] == "aborted"
    both = await asyncio.gather(ann.post(path), bob.post(path))
    assert both[0]["id"] == both[1]["id"] != empty["id"]
    assert (await ann.view(game))["next_game"] == both[0]["id"]
    events = (await ann.get(f"/games/{game['id']}/events?limit=1000"))["results"]
    next_games = [event["data"]["next_game"] for event in events if event["type"] == "rematch_created"]
    assert next_games == [empty["id"], both[0]["id"]]
    await ann.post(f"/games/{both[0]['id']}/leave")  # played, if only for a moment: it stays the next game
    assert (await bob.post(path))["id"] == both[0]["id"]


async def test_seats_of_a_rematch_are_held_for_its_players(ann: Player, bob: Player, new_player: NewPlayer) -> None:
    game = await table([ann, bob])
    await bob.post(f"/games/{game['id']}/leave")
    following = await ann.post(f"/games/{game['id']}/rematch")
    assert following["status"] == "open"
    assert (await (await new_player()).join(following, 403))["code"] == "not_allowed"
    assert (await bob.join(following))["status"] == "playing"


async def test_lists_are_filtered_and_paged(ann: Player, bob: Player) -> None:
    made = [await ann.create() for _ in range(5)]
    hidden = await ann.create(visibility="private")
    running = await table([ann, bob], ruleset="qwinto")
    first = await bob.get("/games?status=open&ruleset=qwixx&limit=3")
    assert [game["id"] for game in first["results"]] == [game["id"] for game in made[:1:-1]]
    second = await bob.get(first["next"])
    assert [game["id"] for game in second["results"]] == [game["id"] for game in made[1::-1]]
    assert second["next"] is None
    assert hidden["id"] in {game["id"] for game in (await ann.get("/games?mine=true"))["results"]}
    waiting = [await player.get("/games?waiting=me") for player in (ann, bob)]
    active = running["turn"]["active"]
    assert [len(page["results"]) for page in waiting] == [int(seat == active) for seat in range(2)]
    summary = waiting[active]["results"][0]
    assert summary["turn"]["active"] == active
    assert (await bob.get("/games?status=nonsense", 400))["code"] == "malformed"
    assert (await bob.get("/games?limit=101", 400))["code"] == "malformed"


async def test_rulesets_need_no_token_and_describe_every_sheet(ann: Player) -> None:
    del ann.http.headers["Authorization"]
    rulesets = {ruleset["key"]: ruleset for ruleset in (await ann.get("/rulesets"))["results"]}
    assert rulesets["qwixx"]["seats"] == [2, 5]
    assert rulesets["qwinto"]["seats"] == [2, 6]
    sheet = rulesets["qwixx"]["sheets"][0]
    assert [row["key"] for row in sheet["rows"]] == ["red", "yellow", "green", "blue"]
    assert sheet["rows"][2]["cells"][0] == {"number": 12, "colour": "green", "column": 0, "bonus": False}
    assert sheet["score"]["crosses"][12] == 78
    bonus = [
        (row["key"], cell["column"])
        for row in rulesets["qwinto"]["sheets"][0]["rows"]
        for cell in row["cells"]
        if cell["bonus"]
    ]
    assert bonus == [("orange", 3), ("orange", 7), ("yellow", 8), ("purple", 2), ("purple", 9)]
    assert (await ann.get("/games", 401))["code"] == "not_authenticated"


async def test_the_profile_counts_the_games_that_wait_for_the_player(ann: Player, bob: Player) -> None:
    games = [await table([ann, bob]) for _ in range(3)]
    counts = [(await player.get("/players/me"))["games_waiting"] for player in (ann, bob)]
    assert counts == [sum(game["turn"]["active"] == seat for game in games) for seat in range(2)]
