"""Games that wait for the caller: the filtered list and the number in the profile."""

from tests.api.client import Json, Player, table


async def is_waiting(player: Player, game: Json) -> bool:
    """The list and the number in the profile agree."""
    listed = {one["id"] for one in (await player.get("/games?waiting=me"))["results"]}
    assert (await player.get("/players/me"))["games_waiting"] == len(listed)
    return game["id"] in listed


async def test_a_game_waits_for_a_player_until_their_answer_is_sealed(ann: Player, bob: Player) -> None:
    game = await table([ann, bob])
    active, other = (ann, bob) if game["turn"]["active"] == 0 else (bob, ann)
    assert (await is_waiting(active, game), await is_waiting(other, game)) == (True, False)
    await active.act(game, {"type": "roll"})
    assert (await is_waiting(active, game), await is_waiting(other, game)) == (True, True)
    await active.act(game, {"type": "pass"})
    assert (await is_waiting(active, game), await is_waiting(other, game)) == (False, True)
    await other.act(game, {"type": "pass"})
    assert (await is_waiting(active, game), await is_waiting(other, game)) == (True, False)


async def test_no_game_waits_for_a_player_before_its_start_or_after_its_end(ann: Player, bob: Player) -> None:
    game = await ann.create()
    assert not await is_waiting(ann, game)
    await bob.join(game)
    await ann.post(f"/games/{game['id']}/leave")
    assert not await is_waiting(ann, game)
    assert not await is_waiting(bob, game)
