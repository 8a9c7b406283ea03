"""Links with which any player may look at a private game that is over."""

import pytest

from tests.api.client import Json, Player
from tests.api.conftest import NewPlayer

READS = ("", "/export", "/proof")


async def ended(players: list[Player]) -> Json:
    ann, bob = players
    game = await ann.create(visibility="private")
    await bob.post(f"/games/{game['id']}/join", {"code": game["code"]})
    return game


async def test_a_shared_private_game_is_seen_with_its_key_only(ann: Player, bob: Player, new_player: NewPlayer) -> None:
    cid = await new_player("Cid")
    game = await ended([ann, bob])
    path = f"/games/{game['id']}"
    assert (await ann.get(f"{path}/share-link", 409))["code"] == "game_not_over"
    await bob.act(game, {"type": "resign"})
    link = await ann.get(f"{path}/share-link")
    assert link == await bob.get(f"{path}/share-link")
    assert link["url"].endswith(f"/game/{game['id']}?share={link['share']}")
    assert (await cid.get(f"{path}/share-link", 404))["code"] == "not_found"
    for read in READS:
        assert (await cid.http.get(path + read)).status_code == 404
        assert (await cid.http.get(path + read, params={"share": link["share"][:-1] + "_"})).status_code == 404
        assert (await cid.http.get(path + read, params={"share": link["share"]})).status_code == 200
    seen = await cid.get(path, params={"share": link["share"], "version": 4})
    assert (seen["you"], seen["code"], seen["options"]) == (None, None, [])


@pytest.mark.parametrize("key", ["", "é", "x" * 10_000])
async def test_a_key_that_is_none_opens_nothing(ann: Player, bob: Player, new_player: NewPlayer, key: str) -> None:
    cid, game = await new_player("Cid"), await ended([ann, bob])
    await bob.act(game, {"type": "resign"})
    assert (await cid.http.get(f"/games/{game['id']}", params={"share": key})).status_code == 404


async def test_the_key_of_one_game_opens_no_other_and_none_in_progress(
    ann: Player, bob: Player, new_player: NewPlayer
) -> None:
    cid, shared, other = await new_player("Cid"), await ended([ann, bob]), await ended([ann, bob])
    await bob.act(shared, {"type": "resign"})
    key = (await ann.get(f"/games/{shared['id']}/share-link"))["share"]
    assert (await cid.http.get(f"/games/{other['id']}", params={"share": key})).status_code == 404
    await bob.act(other, {"type": "resign"})
    assert (await cid.http.get(f"/games/{other['id']}", params={"share": key})).status_code == 404
