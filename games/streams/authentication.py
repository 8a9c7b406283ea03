"""Who opens a socket, and what the address asks for: the header's token or a ticket, a language, a subprotocol."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from games import calls
from games.game import strict_json
from games.rules.refused import Refused
from games.streams.frames import PROTOCOL
from players.sessions import stream_tickets, tokens
from players.sessions.directory import directory
from players.sessions.identity import Identity

Scope = dict[str, Any]
Said = dict[str, Any]
# An error in the words of a language: code, detail and what is wrong with which member. The wiring has them.
Explain = Callable[[Exception, str], tuple[str, str, list[dict[str, str]]]]

# No member twice, none besides, and nothing escaped: what stands in the braces is for whoever reads actions.
ACTION = re.compile(
    r"""\{"type": ?"action", ?"id": ?"([ !#-\[\]-~]{1,64})", ?"action": ?(\{(?:[^{}"\\]|"[^"\\]*")*\})\}"""
)
USUAL_LENGTH = 512
LARGEST_FRAME = 64 * 1024
MOST_DIGITS = 15


class Caller(NamedTuple):
    identity: Identity
    digest: bytes

    async def is_welcome(self) -> bool:
        return await directory.whose(self.digest) is not None


async def caller(scope: Scope, query: dict[str, str]) -> Caller:
    """By the header, or by a ticket, which is used up by it."""
    given = header(scope, b"authorization")
    if given is None and "ticket" in query:
        digest = await stream_tickets.gate.redeem(query["ticket"])
    else:
        scheme, _, token = (given or "").partition(" ")
        digest = tokens.digest(token.strip()) if scheme.lower() == "bearer" else None
    identity = await directory.whose(digest) if digest else None
    if identity is None or digest is None:
        raise Refused("not_authenticated")
    return Caller(identity, digest)


def header(scope: Scope, name: bytes) -> str | None:
    """One given twice is a list: two tokens are none."""
    values = [value.decode("latin-1") for key, value in scope["headers"] if key == name]
    return ", ".join(values) if values else None


def query(scope: Scope) -> dict[str, str]:
    """A parameter given twice counts as its last."""
    try:
        given = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True, max_num_fields=50)
    except ValueError:
        raise Refused("malformed") from None
    return {name: values[-1] for name, values in given.items()}


def accept(scope: Scope) -> dict[str, Any]:
    """Whoever offers our subprotocol gets it; whoever offers none is served as well."""
    subprotocol = PROTOCOL if PROTOCOL in scope["subprotocols"] else None
    headers = [(b"x-request-id", scope["request_id"].encode())] if "request_id" in scope else []
    return {"type": "websocket.accept", "subprotocol": subprotocol, "headers": headers}


def after(query: dict[str, str]) -> int | None:
    """The version that a client has, by the address; None: it has nothing."""
    given = query.get("after")
    if given is None:
        return None
    if not (given.removeprefix("-").isascii() and given.removeprefix("-").isdigit()) or len(given) > MOST_DIGITS:
        raise Refused("malformed")
    return max(0, int(given))


def action_in(text: str) -> tuple[str, calls.ParsedAction] | None:
    """The id and the action of a command as clients write it; None: it may be one, but has to be read first.

    >>> action_in('{"type":"action","id":"a1","action":{"type":"pass"}}')[1].request.action
    Pass()
    >>> action_in('{"type":"action","id":"a1","id":"a2","action":{"type":"pass"}}')
    """
    found = ACTION.fullmatch(text) if len(text) <= USUAL_LENGTH else None  # the expression takes its time
    return (found[1], calls.action_in(found[2])) if found else None


def read(text: str | None) -> Said:
    """The object in a client's frame; what is binary, too large or none cannot be read at all."""
    if text is None or len(text) > LARGEST_FRAME:
        raise Refused("malformed")
    return strict_json.object_in(text)
