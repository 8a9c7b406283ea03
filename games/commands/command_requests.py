"""Shared by REST and streams: reads the action of a command, and makes the context with which it is submitted."""

from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from typing import Any

from games.commands.context import CommandContext
from games.game.events import canonical
from games.game.json import strict_json
from games.game.values import Value
from games.log.rows import Caller
from games.rules import actions
from games.rules.refused import Refused
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


def command_context(
    identity: Identity, path: str, body: Any, key: str | None, version: int | None, now: datetime
) -> CommandContext:
    """The context of a command; the fingerprint tells whether a key is used again for the same path and body."""
    if key is not None and (len(key) not in KEY_LENGTH or "\x00" in key):
        code = "too_short" if not key else "too_long" if len(key) not in KEY_LENGTH else "wrong_format"
        raise Refused("malformed", errors=[("Idempotency-Key", code, "1 to 64 characters")])
    fingerprint = b""
    if key:
        text = body.canonical if isinstance(body, ParsedAction) else canonical(body)
        fingerprint = sha256(path.encode() + b"\n" + text).digest()
    return CommandContext(Caller(identity.player, identity.session, key, fingerprint), now, version, identity.is_bot)
