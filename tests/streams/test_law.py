"""The law of streams: folding the updates that one viewer received gives that viewer's view, at every version."""

import asyncio
import random

import pytest

from games.game.aggregate import GameState, fold
from games.game.events import Event, first_bad_version
from games.rules.registry import RULESETS
from tests.api.client import Json, table
from tests.api.conftest import NewPlayer
from tests.streams.client import Socket
from tests.streams.conftest import Watch
from tests.streams.copies import completed, known, people_in, seen
from tests.streams.player import Phone

SEATS = 3
PARTS = ("version", "turn", "options", "your_answer")


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_a_copy_folded_from_updates_is_the_view_at_every_version(
    new_player: NewPlayer, watching: Watch, server: str, ruleset: str
) -> None:
    """Three seats and a spectator, live from the first event on; the seats play over sockets of their own."""
    players = [await new_player(f"Player {number}") for number in range(SEATS + 1)]
    game = await table(players[:SEATS], ruleset=ruleset)
    viewers = [await watching(player, game, after=0) for player in players]
    for viewer in viewers:
        await viewer.at_version(game["version"])
    phones = [Phone(server, game["id"], player.token, f"{ruleset} {player}") for player in players[:SEATS]]
    async with asyncio.timeout(60):
        await asyncio.gather(*(phone.play() for phone in phones))
    log = completed((await players[0].get(f"/games/{game['id']}/events?limit=1000"))["results"])
    assert first_bad_version(log) is None
    luck = random.Random(ruleset)
    for player, viewer in zip(players, viewers, strict=True):
        await viewer.at_version(len(log))
        await viewer.ponged()
        assert viewer.versions == list(range(1, len(log) + 1))
        assert completed(viewer.events) == log
        fresh = await player.view(game)
        truths = _folds_to_the_truth(viewer, fresh, log)
        _updates_have_the_parts_of_the_view(viewer, truths)
        for version in luck.sample(range(game["version"], len(log)), 3):
            then = await player.view(game, version=version)
            assert truths[version] | {"options": [], "server_time": ""} == then | {"options": [], "server_time": ""}


def _folds_to_the_truth(viewer: Socket, fresh: Json, log: list[Event]) -> dict[int, Json]:
    """By version: what the viewer's copy shows, which is what the whole log shows to this viewer."""
    people, truths = people_in(fresh), {}
    mine: GameState | None = None
    whole: GameState | None = None
    for received, event in zip(viewer.events, log, strict=True):
        mine, whole = fold(mine, [known(received)]), fold(whole, [event])
        you = fresh["you"] if fresh["you"] in [participant.seat for participant in whole.participants] else None
        like = {**fresh, "you": you}
        truths[event.version] = seen(whole, like, people)
        assert seen(mine, like, people) == truths[event.version]
    return truths


def _updates_have_the_parts_of_the_view(viewer: Socket, truths: dict[int, Json]) -> None:
    """Every update has what the seat may do after it; `seats` are those of the view, and unchanged where missing."""
    updates = [update for update in viewer.updates if update["options"] is not None]
    assert len(updates) > 10
    seats: list[Json] = []
    for update in updates:
        truth = truths[update["version"]]
        assert {name: update[name] for name in PARTS} == {name: truth[name] for name in PARTS}
        seats = update.get("seats", seats)
        assert seats == truth["seats"]
