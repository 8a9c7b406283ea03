"""Invitations: who may invite whom, and what accepting and declining do."""

import uuid

from tests.api.client import Json, Player, table
from tests.api.conftest import NewPlayer


async def invite(host: Player, game: Json, guest: Player, status: int = 201, **options: object) -> Json:
    answer: Json = await host.post(
        f"/games/{game['id']}/invitations", {"player": guest.player["id"]}, status, **options
    )
    return answer


async def invitations(player: Player) -> list[Json]:
    results: list[Json] = (await player.get("/invitations"))["results"]
    return results


async def test_an_invited_player_joins_a_private_game_without_its_code(ann: Player, bob: Player) -> None:
    game = await ann.create(visibility="private", clock=None)
    sent = await invite(ann, game, bob)
    (received,) = await invitations(bob)
    assert received == sent
    assert (sent["game"], sent["by"]["id"], sent["player"]["id"]) == (game["id"], ann.player["id"], bob.player["id"])
    assert (sent["ruleset"], sent["size"], sent["visibility"], sent["clock"]) == ("qwixx", 2, "private", None)
    joined = await bob.post(f"/invitations/{sent['id']}/accept")
    assert (joined["id"], joined["you"], joined["status"]) == (game["id"], 1, "playing")
    assert await invitations(bob) == []


async def test_a_second_invitation_of_a_player_is_the_first_one(
    ann: Player, bob: Player, new_player: NewPlayer
) -> None:
    carl = await new_player()
    game = await ann.create(seats=4)
    await carl.join(game)
    first = await invite(ann, game, bob)
    assert await invite(ann, game, bob) == first
    assert (await invite(carl, game, bob))["id"] == first["id"]
    assert len(await invitations(bob)) == 1


async def test_a_declined_invitation_stays_declined(ann: Player, bob: Player) -> None:
    game = await ann.create(visibility="private")
    sent = await invite(ann, game, bob)
    assert (await bob.post(f"/invitations/{sent['id']}/decline"))["id"] == sent["id"]
    assert (await invite(ann, game, bob))["id"] == sent["id"]
    assert await invitations(bob) == []
    assert (await bob.post(f"/invitations/{sent['id']}/accept", None, 404))["code"] == "not_found"
    await bob.get(f"/games/{game['id']}", 404)


async def test_the_invitation_of_another_player_is_not_found(ann: Player, bob: Player, new_player: NewPlayer) -> None:
    carl = await new_player()
    sent = await invite(ann, await ann.create(), bob)
    for answer in ("accept", "decline"):
        await carl.post(f"/invitations/{sent['id']}/{answer}", None, 404)
        await ann.post(f"/invitations/{sent['id']}/{answer}", None, 404)
    assert len(await invitations(bob)) == 1


async def test_only_a_seated_player_of_an_open_game_may_invite(ann: Player, bob: Player, new_player: NewPlayer) -> None:
    carl = await new_player()
    game = await ann.create(seats=3)
    assert (await invite(bob, game, carl, 403))["code"] == "not_seated"
    assert (await invite(ann, game, ann, 409))["code"] == "already_seated"
    unknown = {"player": str(uuid.uuid4())}
    assert (await ann.post(f"/games/{game['id']}/invitations", unknown, 404))["code"] == "not_found"
    private = await ann.create(visibility="private")
    assert (await invite(bob, private, carl, 404))["code"] == "not_found"
    playing = await table([ann, bob])
    assert (await invite(ann, playing, carl, 409))["code"] == "game_not_open"
    await ann.post(f"/games/{playing['id']}/leave")
    assert (await invite(ann, playing, carl, 409))["code"] == "game_over"


async def test_an_invitation_ends_when_the_game_is_full(ann: Player, bob: Player, new_player: NewPlayer) -> None:
    game = await ann.create()
    sent = await invite(ann, game, bob)
    await (await new_player()).join(game)
    assert await invitations(bob) == []
    assert (await bob.post(f"/invitations/{sent['id']}/accept", None, 409))["code"] == "game_full"


async def test_a_freed_seat_is_not_taken_again_by_the_same_invitation(ann: Player, bob: Player) -> None:
    game = await ann.create(seats=3, visibility="private")
    sent = await invite(ann, game, bob)
    await bob.post(f"/invitations/{sent['id']}/accept")
    assert (await bob.post(f"/invitations/{sent['id']}/accept", None, 409))["code"] == "already_seated"
    assert (await ann.http.delete(f"/games/{game['id']}/seats/1")).status_code == 200
    assert (await bob.post(f"/invitations/{sent['id']}/accept", None, 404))["code"] == "not_found"


async def test_idempotency_keys_work_for_invitations(ann: Player, bob: Player) -> None:
    game = await ann.create(seats=3)
    path, body, key = f"/games/{game['id']}/invitations", {"player": bob.player["id"]}, {"Idempotency-Key": "k"}
    first, again = [await ann.http.post(path, json=body, headers=key) for _ in range(2)]
    assert (first.status_code, first.json()) == (again.status_code, again.json())
    assert ("idempotent-replayed" in first.headers, "idempotent-replayed" in again.headers) == (False, True)
    other = {"player": ann.player["id"]}
    assert (await ann.post(path, other, 422, headers=key))["code"] == "idempotency_key_reused"
    accept = f"/invitations/{first.json()['id']}/accept"
    seated = [await bob.http.post(accept, headers=key) for _ in range(2)]
    assert [answer.status_code for answer in seated] == [200, 200]
    assert (seated[0].json(), "idempotent-replayed" in seated[1].headers) == (seated[1].json(), True)


async def test_declining_twice_with_one_key_is_replayed(ann: Player, bob: Player) -> None:
    sent = await invite(ann, await ann.create(), bob)
    path, key = f"/invitations/{sent['id']}/decline", {"Idempotency-Key": "d"}
    first, again = [await bob.http.post(path, headers=key) for _ in range(2)]
    assert (first.json(), "idempotent-replayed" in first.headers) == (sent, False)
    assert (again.json(), "idempotent-replayed" in again.headers) == (sent, True)


async def test_a_blocked_player_does_not_learn_that_the_invitation_is_hidden(ann: Player, bob: Player) -> None:
    await bob.http.put(f"/players/me/blocks/{ann.player['id']}")
    game = await ann.create()
    sent = await invite(ann, game, bob)
    assert sent["player"]["id"] == bob.player["id"]
    assert await invitations(bob) == []
    await bob.post(f"/invitations/{sent['id']}/accept", None, 404)
    await bob.http.delete(f"/players/me/blocks/{ann.player['id']}")
    assert [one["id"] for one in await invitations(bob)] == [sent["id"]]


async def test_a_player_cannot_invite_a_player_whom_they_block(ann: Player, bob: Player) -> None:
    await ann.http.put(f"/players/me/blocks/{bob.player['id']}")
    assert (await invite(ann, await ann.create(), bob, 403))["code"] == "not_allowed"
    assert await invitations(bob) == []
