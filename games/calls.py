"""What the doors share of a call: on whose behalf and on what condition, and how it is answered. Knows no protocol."""

from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from typing import Any

from games.commands import CommandContext
from games.engine.engine import CommandResult
from games.game import strict_json
from games.game.aggregate import Game
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
USUAL_LENGTH = 128  # of an action's text; longer ones are not remembered


class Asked(Value, frozen=True):
    """An action as it was sent: what it asks for, and the one text of it, however it was written down."""

    request: actions.Request
    canonical: bytes


def action_in(text: str) -> Asked:
    """Read once and remembered: the same few are sent again and again."""
    return _remembered(text) if len(text) <= USUAL_LENGTH else _action_in(text)


def _action_in(text: str) -> Asked:
    body = strict_json.object_in(text)
    return Asked(actions.read(body), canonical(body))


_remembered = lru_cache(maxsize=8192)(_action_in)


def now() -> datetime:
    return datetime.now(UTC)


def order(identity: Identity, path: str, body: Any, key: str | None, if_match: str | None) -> CommandContext:
    """The same key, path and body are the same order, however the body was written down: an `Asked` knows its one text,
    of anything else it is made here."""
    if key is not None and (len(key) not in KEY_LENGTH or "\x00" in key):
        raise Refused("malformed", errors=[("Idempotency-Key", "1 to 64 characters")])
    fingerprint = b""
    if key:
        text = body.canonical if isinstance(body, Asked) else canonical(body)
        fingerprint = sha256(path.encode() + b"\n" + text).digest()
    return CommandContext(Caller(identity.player, identity.session, key, fingerprint), now(), matched_version(if_match))


def matched_version(if_match: str | None) -> int | None:
    """The version that a quoted tag names; one that is no version of ours matches nothing.

    >>> matched_version('"42"'), matched_version("*"), matched_version("rubbish")
    (42, None, -1)
    """
    if if_match is None or if_match.strip() == "*":
        return None
    tag = if_match.strip().strip('"')
    return int(tag) if tag.isascii() and tag.isdigit() and len(tag) < 12 else -1


def is_known(if_none_match: str | None, etag: str) -> bool:
    """Does the client have this already? Compared weakly, as HTTP has it.

    >>> is_known('W/"41", "42"', '"42"'), is_known(None, '"42"')
    (True, False)
    """
    if if_none_match is None:
        return False
    tags = {tag.strip().removeprefix("W/") for tag in if_none_match.split(",")}
    return etag in tags or "*" in tags


def tagged(game: Game) -> dict[str, str]:
    """The tag of a game is its version; it does not cover the names of its players."""
    return {"ETag": f'"{game.version}"', "Cache-Control": "private, no-cache"}


def headers(done: CommandResult) -> dict[str, str]:
    return {**tagged(done.game), "Idempotent-Replayed": "true"} if done.is_replay else tagged(done.game)


async def people(games: Iterable[Game]) -> Person:
    """The public profiles of all who sit in these games."""
    players = [participant.player for game in games for participant in game.participants if participant.player]
    ids = [uuid_of(player) for player in players]
    profiles = await directory.profiles(ids)
    found = [profiles[each] for each in ids]
    cards = {
        player: {"id": player, "name": profile.name, "is_guest": profile.is_guest, "is_bot": profile.is_bot}
        for player, profile in zip(players, found, strict=True)
    }
    return cards.__getitem__


async def view(done: CommandResult, order: CommandContext) -> Data:
    """The game after a command; its time is that of the last event, so that a replay is the same to the letter.

    What appended nothing is answered now, unless it has a key: then it may be asked for again."""
    return await _view(done, order, seat_of(done.game, order.player))


async def _view(done: CommandResult, order: CommandContext, seat: int | None) -> Data:
    server_time = done.game.at if done.events or order.caller.key else stamp(now())
    return game_view(done.game, seat, done.code, await people([done.game]), server_time)


async def acted(done: CommandResult, order: CommandContext) -> Data:
    """What an action did, as its player may see it."""
    seat = seat_of(done.game, order.player)
    events = event_views(done.events, seat, sealed_versions(done.game))
    return {"version": done.game.version, "events": events, "game": await _view(done, order, seat)}
