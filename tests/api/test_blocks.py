"""Blocks and mutes, and their effect on rematches."""

import uuid

import pytest

from tests.api.client import Json, Player, table
from tests.api.conftest import NewPlayer


async def put(player: Player, other: Player, kind: str = "blocks") -> int:
    return (await player.http.put(f"/players/me/{kind}/{other.player['id']}")).status_code


async def over(players: list[Player], **settings: object) -> Json:
    """A game of theirs that has ended."""
    game = await table(players, **settings)
    for player in players[1:]:
        await player.post(f"/games/{game['id']}/leave")
    return game


@pytest.mark.parametrize("kind", ["blocks", "mutes"])
async def test_blocks_and_mutes_are_put_listed_and_removed(
    ann: Player, bob: Player, new_player: NewPlayer, kind: str
) -> None:
    carl = await new_player("Carl")
    path = f"/players/me/{kind}"
    assert [await put(ann, other, kind) for other in (bob, carl, bob)] == [204, 204, 204]
    assert [player["name"] for player in (await ann.get(path))["results"]] == ["Carl", "Bob"]
    assert (await bob.get(path))["results"] == []
    for _ in range(2):
        assert (await ann.http.delete(f"{path}/{carl.player['id']}")).status_code == 204
    assert (await ann.get(path))["results"] == [bob.player]
    assert (await ann.http.put(f"{path}/{ann.player['id']}")).json()["code"] == "not_allowed"
    assert (await ann.http.put(f"{path}/{uuid.uuid4()}")).json()["code"] == "not_found"


@pytest.mark.parametrize("kind", ["blocks", "mutes"])
async def test_lists_of_blocks_and_mutes_are_paged(ann: Player, new_player: NewPlayer, kind: str) -> None:
    others = [await new_player(f"Player {number}") for number in range(5)]
    for other in others:
        await put(ann, other, kind)
    names = [other.player["name"] for other in reversed(others)]
    page = await ann.get(f"/players/me/{kind}?limit=2")
    assert page["previous"] is None
    pages = [page]
    while pages[-1]["next"]:
        pages.append(await ann.get(pages[-1]["next"]))
    assert [[player["name"] for player in page["results"]] for page in pages] == [names[:2], names[2:4], names[4:]]
    await ann.http.delete(f"/players/me/{kind}/{others[0].player['id']}")  # where the last page is
    assert (await ann.get(pages[-1]["previous"]))["results"] == pages[1]["results"]
    back = await ann.get(pages[1]["previous"])
    assert (back["results"], back["previous"]) == (pages[0]["results"], None)
    for query in ("limit=0", "limit=101", "cursor=x", "cursor=after.1"):
        assert (await ann.get(f"/players/me/{kind}?{query}", 400))["code"] == "malformed"


@pytest.mark.parametrize("blocker", [0, 1], ids=["first player", "second player"])
async def test_players_with_a_block_between_them_have_no_rematch(ann: Player, bob: Player, blocker: int) -> None:
    game = await over([ann, bob])
    pair = [ann, bob]
    await put(pair[blocker], pair[1 - blocker])
    for player in pair:
        assert (await player.post(f"/games/{game['id']}/rematch", None, 403))["code"] == "not_allowed"
    assert (await ann.view(game))["next_game"] is None


async def test_the_other_players_have_a_rematch_without_a_blocked_player(
    ann: Player, bob: Player, new_player: NewPlayer
) -> None:
    carl = await new_player()
    game = await over([ann, bob, carl])
    path = f"/games/{game['id']}/rematch"
    await put(ann, bob)
    following = await ann.post(path)
    assert (await bob.post(path, None, 403))["code"] == "not_allowed"
    assert (await carl.post(path))["id"] == following["id"]
    assert (await ann.post(f"/games/{following['id']}/start"))["status"] == "playing"


async def test_a_player_blocked_after_joining_the_rematch_keeps_the_seat(
    ann: Player, bob: Player, new_player: NewPlayer
) -> None:
    carl = await new_player()
    game = await over([ann, bob, carl])
    path = f"/games/{game['id']}/rematch"
    following = await ann.post(path)
    await bob.post(path)
    await put(ann, bob)
    assert (await bob.post(path))["id"] == following["id"]
