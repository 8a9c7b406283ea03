"""The use cases that read games: a game at any version, its events and players, its proof, its export."""

from collections.abc import Iterable
from uuid import UUID

import msgspec

from games.engine.cache import CachedGame
from games.engine.engine import Engine
from games.game import views
from games.game.aggregate import GameState
from games.game.events import Data
from games.results import share_keys
from games.rules.refused import Refused
from players.database.ids import uuid_of
from players.sessions.directory import directory

_encode = msgspec.json.Encoder().encode


async def visible(engine: Engine, game_id: UUID, player: str | None, share: str = "") -> CachedGame:
    """The game as it is stored now, if this player may see it; with its key, also a shared one."""
    known = await engine.read(game_id)
    _check_visible(known.game, player, share)
    return known


def _check_visible(game: GameState, player: str | None, share: str) -> None:
    if not views.may_look(game, player) and not share_keys.opens(share, game):
        raise Refused("not_found")


async def game_at(engine: Engine, newest: GameState, version: int) -> tuple[GameState, bool]:
    """The game at a version, and whether an append ended there: the events of one append share their time."""
    if version == newest.version:
        return newest, True
    if not 1 <= version < newest.version:
        raise Refused("not_found")
    game_id = UUID(newest.id)
    game, (following,) = await engine.game_at(game_id, version), await engine.log(game_id, version, 1)
    return game, following.at != game.at


async def events_since(
    engine: Engine, game_id: UUID, player: str, after: int, limit: int | None = None, share: str = ""
) -> Data:
    """The events that this player may see now. The game after the last of them says which are still sealed."""
    events, game = await engine.follow(game_id, after, limit)
    _check_visible(game, player, share)
    results = views.event_views(events, views.seat_of(game, player), views.sealed_versions(game))
    return {"results": results, "version": game.version}


async def people(games: Iterable[GameState]) -> views.Person:
    """The public profiles of the players of these games, by player id."""
    players = [participant.player for game in games for participant in game.participants if participant.player]
    ids = [uuid_of(player) for player in players]
    profiles = await directory.profiles(ids)
    found = [profiles[each] for each in ids]
    cards = {
        player: {"id": player, "name": profile.name, "is_guest": profile.is_guest, "is_bot": profile.is_bot}
        for player, profile in zip(players, found, strict=True)
    }
    return cards.__getitem__


def share_key(game: GameState, player: str) -> str:
    """For a player of a game that is over, who may show it to others."""
    if views.seat_of(game, player) is None:
        raise Refused("not_seated")
    if not game.is_over:
        raise Refused("game_not_over")
    return share_keys.share_key(game)


async def proof(engine: Engine, known: CachedGame) -> Data:
    if not known.game.is_over:
        raise Refused("game_not_over")
    events = [event async for page in engine.log_until(UUID(known.game.id), known.game.version) for event in page]
    return views.proof(known.game, events, known.secret)


async def export(engine: Engine, known: CachedGame, player: str, share: str = "") -> tuple[Data, list[bytes]]:
    """A header, then every event as this player may see it, as JSON: text takes less memory than decoded events."""
    game = known.game
    _check_visible(game, player, share)
    seat, sealed = views.seat_of(game, player), views.sealed_versions(game)
    events: list[bytes] = []
    async for page in engine.log_until(UUID(game.id), game.version):
        events += map(_encode, views.event_views(page, seat, sealed))
    header = {
        "format": "qwixx-log",
        "format_version": 1,
        "game": game.id,
        "ruleset": game.setup.ruleset,
        "sheet": game.setup.sheet,
        "events": len(events),
        "complete": game.is_over,
    }
    return header, events
