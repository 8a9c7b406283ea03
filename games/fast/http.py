"""Just enough HTTP for the fast lane: a request that was asked, and answers; knows no game."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import parse_qs

import msgspec

from games import strict_json
from games.rules.refused import Refused

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

NOT_MODIFIED = 304
WHOLE = "qx.whole"  # a message to a server that takes an answer in one piece, and the extension by which it says so
NO_VERSION = 2**31 - 1  # no log gets so long


def by_name(headers: Sequence[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """A header given twice is a list (RFC 9110, 5.3), as Django has it: two tokens are none.

    >>> by_name([(b"if-none-match", b"1"), (b"host", b"x"), (b"if-none-match", b"2")])
    {b'if-none-match': b'1, 2', b'host': b'x'}
    """
    found = dict(headers)
    if len(found) < len(headers):
        found = {name: b", ".join([value for key, value in headers if key == name]) for name in found}
    return found


class Request:
    """One call. Headers are looked up in lower case; a query parameter given twice counts as its last."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self.path: str = scope["path"]
        self.receive = receive
        self.client: str = (scope.get("client") or ("", 0))[0]
        self._headers = by_name(scope["headers"])
        self._query: bytes = scope.get("query_string", b"")

    def header(self, name: bytes) -> str | None:
        value = self._headers.get(name)
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
        parts = []
        while True:
            message = await self.receive()
            if message["type"] == "http.disconnect":
                raise Disconnected
            parts.append(message.get("body", b""))
            if not message.get("more_body"):
                return b"".join(parts)

    async def json(self) -> Any:
        """The body as JSON; what is none, or says it is something else, is refused."""
        content_type = self.header(b"content-type") or "application/json"
        body = await self.body()
        if content_type.split(";")[0].strip().lower() != "application/json":
            raise Refused("unsupported_media_type")
        return strict_json.document(body, content_type)


class Disconnected(Exception):
    """The client has gone; there is nobody to answer."""


class Response(NamedTuple):
    status: int
    body: bytes = b""
    headers: Mapping[str, str] = {}

    async def send(self, scope: Scope, send: Send) -> None:
        headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in self.headers.items()]
        if self.status != NOT_MODIFIED:
            headers.append((b"content-length", str(len(self.body)).encode()))
        if WHOLE in scope.get("extensions", ()):
            await send({"type": WHOLE, "status": self.status, "headers": headers, "body": self.body})
        else:
            await send({"type": "http.response.start", "status": self.status, "headers": headers})
            await send({"type": "http.response.body", "body": self.body})


def json_response(content: Any, headers: Mapping[str, str] | None = None) -> Response:
    return Response(200, msgspec.json.encode(content), {"Content-Type": "application/json", **(headers or {})})


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
