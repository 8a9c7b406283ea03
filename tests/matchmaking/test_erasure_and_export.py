"""Blocks, mutes and invitations are part of a player's data export, and are erased with the player."""

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


def test_blocks_and_mutes_are_erased_with_either_player(three: list[UUID]) -> None:
    ann, ben, cat = three
    for one, other in ((ann, ben), (ben, ann), (ben, cat)):
        blocks.put(Block, one, other)
    blocks.put(Mute, cat, ann)
    assert blocks.export(ann) == {"blocks": [str(ben)], "mutes": []}
    blocks.erase(ann)
    assert blocks.export(ben) == {"blocks": [str(cat)], "mutes": []}
    assert blocks.export(cat) == blocks.export(ann) == {"blocks": [], "mutes": []}


def test_a_block_works_both_ways_and_a_mute_one_way(three: list[UUID]) -> None:
    ann, ben, cat = three
    blocks.put(Block, ann, ben)
    blocks.put(Mute, cat, ann)
    assert [set(blocks.blocked_either_way(player)) for player in three] == [{ben}, {ann}, set()]
    assert blocks.blocked_pairs(three) == {frozenset((ann, ben))}
    assert [set(blocks.muted_by(player)) for player in three] == [{cat}, {ann}, set()]


def test_invitations_are_erased_with_sender_and_receiver(three: list[UUID]) -> None:
    ann, ben, cat = three
    for by, player in ((ann, ben), (cat, ann), (ben, cat)):
        invitations.invite(uuid7(), by, player, now())
    assert {(row["by"], row["player"]) for row in invitations.export(ann)} == {(ann, ben), (cat, ann)}
    invitations.erase(ann)
    assert invitations.export(ann) == []
    assert [(row["by"], row["player"]) for row in invitations.export(cat)] == [(ben, cat)]
