"""Shared by REST and streams: the clock, parsing an action, the context of a command, the view after it."""

from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from typing import Any

from games.commands import CommandContext
from games.engine.engine import CommandResult
from games.game import strict_json
from games.game.aggregate import GameState
from games.game.events import Data, canonical, stamp
from games.game.values import Value
from games.game.views import Person, event_views, game_view, sealed_versions, seat_of
from games.log.rows import Caller
from games.rules import actions
from games.rules.refused import Refused
from players.database.ids import uuid_of
from players.sessions.directory import directory
from players.sessions.identity import Identity

KEY_LENGTH = range(1, 65)
CACHED_LENGTH = 128  # of an action's text; longer ones are parsed each time


class ParsedAction(Value, frozen=True):
    """An action as it was sent, and its canonical text, which does not depend on spaces or the order of members."""

    request: actions.Request
    canonical: bytes


def action_in(text: str) -> ParsedAction:
    """Parsed once and cached: clients send the same few texts again and again."""
    return _cached(text) if len(text) <= CACHED_LENGTH else _parsed(text)


def _parsed(text: str) -> ParsedAction:
    body = strict_json.object_in(text)
    return ParsedAction(actions.read(body), canonical(body))


_cached = lru_cache(maxsize=8192)(_parsed)


def now() -> datetime:
    return datetime.now(UTC)


def command_context(identity: Identity, path: str, body: Any, key: str | None, version: int | None) -> CommandContext:
    """The context of a command; the fingerprint tells whether a key is used again for the same path and body."""
    if key is not None and (len(key) not in KEY_LENGTH or "\x00" in key):
        raise Refused("malformed", errors=[("Idempotency-Key", "1 to 64 characters")])
    fingerprint = b""
    if key:
        text = body.canonical if isinstance(body, ParsedAction) else canonical(body)
        fingerprint = sha256(path.encode() + b"\n" + text).digest()
    return CommandContext(Caller(identity.player, identity.session, key, fingerprint), now(), version)


async def people(games: Iterable[GameState]) -> Person:
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


async def command_view(done: CommandResult, context: CommandContext) -> Data:
    """The game after a command. Its time is that of the last event, so that a replay is the same byte for byte.

    A command without a key that appended nothing cannot be replayed: its time is now."""
    server_time = done.game.at if done.events or context.caller.key else stamp(now())
    seat = seat_of(done.game, context.player)
    return game_view(done.game, seat, done.code, await people([done.game]), server_time)


async def action_view(done: CommandResult, context: CommandContext) -> Data:
    """What an action did, as its player may see it."""
    events = event_views(done.events, seat_of(done.game, context.player), sealed_versions(done.game))
    return {"version": done.game.version, "events": events, "game": await command_view(done, context)}
