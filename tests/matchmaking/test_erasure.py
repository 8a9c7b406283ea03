"""What is kept about a player beside his games can be shown to him, and all of it can be erased."""

from uuid import UUID

import pytest

from games.matchmaking import invitations
from players.database.ids import uuid7
from players.models import Block, Mute, Player
from players.social import blocks
from tests.matchmaking.conftest import now


@pytest.fixture
def three(db: None) -> list[UUID]:
    players = [Player(id=uuid7(), name=name) for name in ("Ann", "Ben", "Cat")]
    return [player.pk for player in Player.objects.bulk_create(players)]


def test_blocks_and_mutes_go_with_either_of_the_two(three: list[UUID]) -> None:
    ann, ben, cat = three
    for one, other in ((ann, ben), (ben, ann), (ben, cat)):
        blocks.put(Block, one, other)
    blocks.put(Mute, cat, ann)
    assert blocks.export(ann) == {"blocks": [str(ben)], "mutes": []}
    blocks.erase(ann)
    assert blocks.export(ben) == {"blocks": [str(cat)], "mutes": []}
    assert blocks.export(cat) == blocks.export(ann) == {"blocks": [], "mutes": []}


def test_a_block_counts_both_ways_a_mute_one_way(three: list[UUID]) -> None:
    ann, ben, cat = three
    blocks.put(Block, ann, ben)
    blocks.put(Mute, cat, ann)
    assert [set(blocks.blocked_either_way(player)) for player in three] == [{ben}, {ann}, set()]
    assert blocks.blocked_pairs(three) == {frozenset((ann, ben))}
    assert [set(blocks.muted_by(player)) for player in three] == [{cat}, {ann}, set()]


def test_invitations_go_with_who_sent_and_who_got_them(three: list[UUID]) -> None:
    ann, ben, cat = three
    for by, player in ((ann, ben), (cat, ann), (ben, cat)):
        invitations.invite(uuid7(), by, player, now())
    assert {(row["by"], row["player"]) for row in invitations.export(ann)} == {(ann, ben), (cat, ann)}
    invitations.erase(ann)
    assert invitations.export(ann) == []
    assert [(row["by"], row["player"]) for row in invitations.export(cat)] == [(ben, cat)]
