"""Just enough HTTP for the fast lane: a request that was asked, and answers; knows no game."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qs

import msgspec

from games.game import strict_json
from games.game.values import Value
from games.rules.refused import Refused

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Header = tuple[bytes, bytes]

NOT_MODIFIED = 304
NO_VERSION = 2**31 - 1  # no log gets so long
JSON: Header = (b"content-type", b"application/json")


def by_name(headers: Sequence[Header]) -> dict[bytes, bytes]:
    """A header given twice is a list (RFC 9110, 5.3), as Django has it: two tokens are none.

    >>> by_name([(b"if-none-match", b"1"), (b"host", b"x"), (b"if-none-match", b"2")])
    {b'if-none-match': b'1, 2', b'host': b'x'}
    """
    found = dict(headers)
    if len(found) < len(headers):
        found = {name: b", ".join([value for key, value in headers if key == name]) for name in found}
    return found


class Request:
    """One call, whose body is here or has yet to be received. Headers are looked up in lower case; a query parameter
    given twice counts as its last."""

    __slots__ = ("_body", "_query", "headers", "path", "receive")

    def __init__(
        self, path: str, headers: Mapping[bytes, bytes], query: bytes, body: bytes | None, receive: Receive
    ) -> None:
        self.path = path
        self.headers = headers
        self.receive = receive
        self._query, self._body = query, body

    def header(self, name: bytes) -> str | None:
        value = self.headers.get(name)
        return None if value is None else value.decode("latin-1")

    def query(self) -> dict[str, str]:
        if not self._query:
            return {}
        try:
            given = parse_qs(self._query.decode("latin-1"), keep_blank_values=True, max_num_fields=50)
        except ValueError:
            raise Refused("malformed", errors=[("", "no more than 50 parameters")]) from None
        return {name: values[-1] for name, values in given.items()}

    async def body(self) -> bytes:
        if self._body is not None:
            return self._body
        parts = []
        while True:
            message = await self.receive()
            if message["type"] == "http.disconnect":
                raise Disconnected
            parts.append(message.get("body", b""))
            if not message.get("more_body"):
                return b"".join(parts)

    async def json_text(self) -> str:
        """The text of a body that says it is JSON, or nothing about itself; whether it is has to be seen."""
        content_type = self.header(b"content-type") or "application/json"
        body = await self.body()
        if content_type.split(";")[0].strip().lower() != "application/json":
            raise Refused("unsupported_media_type")
        return strict_json.text_of(body, content_type)


class Disconnected(Exception):
    """The client has gone; there is nobody to answer."""


class Response(Value, frozen=True):
    """An answer; its body is known, or is written bit by bit."""

    status: int
    headers: list[Header]
    body: bytes = b""
    write_body: Callable[[Send], Awaitable[None]] | None = None

    async def send(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers})
        if self.write_body is not None:
            await self.write_body(send)
        await send({"type": "http.response.body", "body": self.body})


def json_response(content: Any, headers: Mapping[str, str]) -> Response:
    body = msgspec.json.encode(content)
    return Response(200, [JSON, (b"content-length", b"%d" % len(body)), *on_the_wire(headers)], body)


def on_the_wire(headers: Mapping[str, str]) -> list[Header]:
    """
    >>> on_the_wire({"ETag": '"1"'})
    [(b'etag', b'"1"')]
    """
    return [(_lower(name), value.encode("latin-1")) for name, value in headers.items()]


@lru_cache(maxsize=64)
def _lower(name: str) -> bytes:
    return name.lower().encode()


def number(query: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    """A whole number from the query; outside its range it is malformed, never quietly something else."""
    given = query.get(name)
    if given is None:
        return default
    value = whole(given)
    if value is None or not least <= value <= most:
        raise Refused("malformed", errors=[(f"?{name}", f"a whole number from {least} to {most}")])
    return value


def version(query: Mapping[str, str], name: str, default: int) -> int:
    """A version from the query, whether there can be such a one or not: beyond any log there is nothing."""
    given = query.get(name)
    if given is None:
        return default
    value = whole(given)
    if value is None:
        raise Refused("malformed", errors=[(f"?{name}", "a whole number")])
    return max(-1, min(value, NO_VERSION))


def whole(text: str) -> int | None:
    """A number too long to be any of ours is cut, and stays too big.

    >>> whole("042"), whole("-1"), whole("0"), whole("4.2"), whole("9" * 5000) == 10**20 - 1
    (42, -1, 0, None, True)
    """
    found = re.fullmatch(r"(-?)([0-9]+)", text)
    return int(found[1] + "0" + found[2].lstrip("0")[:20]) if found else None


def flag(query: Mapping[str, str], name: str) -> bool:
    """True or false and nothing else: what is meant as a question must not be taken for an order."""
    given = query.get(name, "false")
    if given not in ("true", "false"):
        raise Refused("malformed", errors=[(f"?{name}", "true or false")])
    return given == "true"
