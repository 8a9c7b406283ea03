"""Join codes cannot be guessed: wrong ones are counted, and all that cannot be used get one answer."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

from games.game.decisions.lobby import MAX_EVENTS_BEFORE_START
from players.limits import lockout
from players.limits.models import Attempt
from tests.api.client import Json, Player
from tests.api.conftest import NewPlayer
from tests.players.conftest import in_a_thread

WRONG = "222222"
PER_PLAYER = lockout.WRONG_CODES_PER_PLAYER.attempts


async def private(ann: Player, **settings: Any) -> Json:
    return await ann.create(visibility="private", clock=None, **settings)


async def refused(player: Player, code: str, **options: Any) -> tuple[int, Json]:
    """The status and the document of a refused join by code, without what differs in every answer."""
    answer = await player.http.post("/games/join", json={"code": code}, **options)
    document = answer.json()
    assert document.pop("request_id")
    return answer.status_code, document


async def test_all_codes_that_cannot_be_used_get_the_same_answer(
    ann: Player, bob: Player, new_player: NewPlayer
) -> None:
    carl = await new_player()
    full, aborted, playing, over = [await private(ann, seats=2) for _ in range(4)]
    for game in (full, over):
        await bob.post("/games/join", {"code": game["code"]})
    await ann.post(f"/games/{aborted['id']}/leave")
    await ann.post(f"/games/{playing['id']}/bots", {"level": "easy"})
    await bob.post(f"/games/{over['id']}/leave")
    rematch = await ann.post(f"/games/{over['id']}/rematch")
    unknown = await refused(carl, WRONG)
    assert (unknown[0], unknown[1]["code"]) == (404, "not_found")
    for game in (full, aborted, playing, over, rematch):
        assert await refused(carl, game["code"]) == unknown
    for malformed in ("", "K7QXM", "x" * 60_000):
        assert await refused(carl, malformed) == unknown


async def test_headers_and_seeds_do_not_reveal_which_codes_exist(ann: Player, bob: Player) -> None:
    game = await private(ann)
    stale = {"If-Match": '"999"'}
    assert await refused(bob, game["code"], headers=stale) == await refused(bob, WRONG, headers=stale)
    used = {"Idempotency-Key": "used"}
    await bob.post("/games", {"ruleset": "qwixx"}, 201, headers=used)
    answers = [await refused(bob, code, headers=used) for code in (game["code"], WRONG)]
    assert answers[0] == answers[1]
    assert answers[0][1]["code"] == "idempotency_key_reused"
    seeds = [
        await bob.http.post("/games/join", json={"code": code, "client_seed": "no seed"})
        for code in (game["code"], WRONG)
    ]
    assert [answer.json()["errors"][0]["pointer"] for answer in seeds] == ["/client_seed"] * 2


async def test_a_code_with_the_id_of_a_private_game_reveals_no_more_than_the_code(
    ann: Player, bob: Player, new_player: NewPlayer
) -> None:
    carl = await new_player()
    game = await private(ann)
    await bob.post("/games/join", {"code": game["code"]})
    for code in (game["code"], WRONG):
        assert (await carl.post(f"/games/{game['id']}/join", {"code": code}, 404))["code"] == "not_found"
    assert await in_a_thread(Attempt.objects.count) == 4


async def test_a_code_of_a_public_game_that_is_full_says_so(ann: Player, bob: Player, new_player: NewPlayer) -> None:
    carl, game = await new_player(), await ann.create()
    await bob.post("/games/join", {"code": game["code"]})
    for path in ("/games/join", f"/games/{game['id']}/join"):
        assert (await carl.post(path, {"code": game["code"]}, 409))["code"] == "game_full"
    assert await in_a_thread(Attempt.objects.count) == 0


async def test_a_player_of_the_game_is_told_why_its_code_cannot_be_used(ann: Player) -> None:
    game = await private(ann)
    assert (await ann.post("/games/join", {"code": game["code"]}, 409))["code"] == "already_seated"
    assert await in_a_thread(Attempt.objects.count) == 0


async def test_after_ten_wrong_codes_in_a_minute_a_player_must_wait(ann: Player, bob: Player) -> None:
    game = await private(ann, seats=3)
    for _ in range(PER_PLAYER):
        await bob.post("/games/join", {"code": WRONG}, 404)
    answer = await bob.http.post("/games/join", json={"code": game["code"]})
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many_requests")
    assert 1 <= int(answer.headers["retry-after"]) <= 60
    assert (await bob.post(f"/games/{game['id']}/join", {"code": game["code"]}, 429))["code"] == "too_many_requests"

    def let_a_minute_pass() -> None:
        Attempt.objects.update(at=datetime.now(UTC) - timedelta(minutes=2))

    await in_a_thread(let_a_minute_pass)
    assert (await bob.post("/games/join", {"code": game["code"]}))["you"] == 1


async def test_wrong_codes_that_are_sent_at_once_are_all_counted(bob: Player) -> None:
    tries = [bob.http.post("/games/join", json={"code": WRONG}) for _ in range(2 * PER_PLAYER)]
    statuses = [answer.status_code for answer in await asyncio.gather(*tries)]
    assert sorted(statuses) == [404] * PER_PLAYER + [429] * PER_PLAYER


async def test_sixty_wrong_codes_in_a_minute_lock_an_address(ann: Player, bob: Player) -> None:
    def have_failed() -> None:
        for _ in range(lockout.WRONG_CODES_PER_ADDRESS.attempts):
            lockout.count(lockout.WRONG_CODES_PER_ADDRESS, "127.0.0.1", datetime.now(UTC))

    game = await private(ann)
    await in_a_thread(have_failed)
    assert (await bob.post("/games/join", {"code": game["code"]}, 429))["code"] == "too_many_requests"
    public = await ann.create()
    assert (await bob.join(public))["status"] == "playing"  # without a code there is nothing to guess


async def test_a_join_that_is_repeated_with_its_key_is_no_wrong_code(ann: Player, bob: Player) -> None:
    game, key = await private(ann), {"Idempotency-Key": "join"}
    first, again = [await bob.post("/games/join", {"code": game["code"]}, headers=key) for _ in range(2)]
    assert first == again
    assert await in_a_thread(Attempt.objects.count) == 0


async def test_an_open_game_takes_no_more_seats_when_its_log_is_full(ann: Player, new_player: NewPlayer) -> None:
    game = await ann.create(seats=5)
    visitors = [await new_player() for _ in range(3)]
    answer, version = None, 0
    while answer is None:
        for visitor in visitors:
            joined = await visitor.http.post(f"/games/{game['id']}/join", json={})
            if joined.status_code != 200:
                answer = joined
                break
            version = (await visitor.post(f"/games/{game['id']}/leave"))["version"]
            assert version <= MAX_EVENTS_BEFORE_START
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many_requests")
    assert version > MAX_EVENTS_BEFORE_START - 10  # it was this limit, not that of requests
    assert int(answer.headers["retry-after"]) == 60
    assert (await ann.post(f"/games/{game['id']}/bots", {"level": "easy"}, 429))["code"] == "too_many_requests"
    assert (await ann.post(f"/games/{game['id']}/leave"))["status"] == "aborted"
