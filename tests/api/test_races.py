"""Concurrent requests: answers never refuse one another, and a seat or a key is used once."""

import asyncio
import uuid

from tests.api.client import Player, table
from tests.api.conftest import NewPlayer


async def test_five_seats_answer_concurrently_and_twice(new_player: NewPlayer) -> None:
    players = [await new_player() for _ in range(5)]
    game = await table(players)
    view = await players[0].view(game)
    await players[view["turn"]["active"]].act(game, {"type": "roll"})
    keys = [str(uuid.uuid4()) for _ in players]
    await asyncio.gather(
        *(
            player.act(game, {"type": "pass"}, headers={"Idempotency-Key": key})
            for player, key in zip(players, keys, strict=True)
            for _twice in range(2)
        )
    )
    events = (await players[0].get(f"/games/{game['id']}/events?limit=1000"))["results"]
    types = [event["type"] for event in events]
    assert types.count("answer_sealed") == 5
    assert types.count("phase_closed") == 1


async def test_one_of_ten_concurrent_joins_gets_the_last_seat(new_player: NewPlayer, ann: Player) -> None:
    game = await ann.create()
    others = [await new_player() for _ in range(10)]
    answers = await asyncio.gather(*(other.http.post(f"/games/{game['id']}/join", json={}) for other in others))
    assert sorted(answer.status_code for answer in answers) == [200, *[409] * 9]
    assert {answer.json().get("code") for answer in answers if answer.status_code == 409} == {"game_full"}


async def test_concurrent_requests_with_one_key_create_one_game(ann: Player) -> None:
    headers = {"Idempotency-Key": "new-game"}
    body = {"ruleset": "qwinto"}
    answers = await asyncio.gather(*(ann.http.post("/games", json=body, headers=headers) for _ in range(6)))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert sum("idempotent-replayed" not in answer.headers for answer in answers) == 1
    assert len((await ann.get("/games?mine=true"))["results"]) == 1
