"""A request of the fast lane as most clients write it, read at one glance. Whatever is unusual about one, or not all
here yet, is for the server's own parser: what is recognised here means the same to every reader of HTTP."""

import re
from typing import Any, NamedTuple

from games.api import play
from games.api.play.http import Disconnected, Request

REQUEST = re.compile(
    rb"(GET|POST) (/api/v1/games/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(/actions|))"
    rb"(?:\?([A-Za-z0-9_=&.-]*))? HTTP/1\.1\r\n((?:[A-Za-z0-9-]+: [!-~][ -~]*\r\n){1,50})\r\n"
)
HEADER = re.compile(rb"([A-Za-z0-9-]+): ([ -~]*)\r\n")
UNUSUAL = frozenset(
    (b"transfer-encoding", b"expect", b"upgrade", b"te", b"trailer", b"http2-settings", b"proxy-connection")
)
BODY_LIMIT = 4096  # no action is longer


class Call(NamedTuple):
    method: str
    way: play.Way
    request: Request


def read(data: bytes) -> Call | None:
    """The call, if this is one, whole, and nothing else.

    >>> line = b"GET /api/v1/games/0192f0c0-0000-7000-8000-000000000000 HTTP/1.1\\r\\n"
    >>> read(line + b"Host: x\\r\\n\\r\\n").request.headers
    {b'host': b'x'}
    >>> read(line + b"Host: x\\r\\nExpect: 100-continue\\r\\n\\r\\n")
    """
    found = REQUEST.match(data)
    if found is None:
        return None
    verb, path, game, end, query, lines = found.groups()
    method = verb.decode()
    way = play.way_of(method, game.decode(), end.decode())
    if way is None:
        return None
    pairs = HEADER.findall(lines)
    headers = {name.lower(): value for name, value in pairs}
    body = data[found.end() :]
    if (
        len(headers) < len(pairs)
        or b" \r\n" in lines
        or not UNUSUAL.isdisjoint(headers)
        or headers.get(b"connection", b"keep-alive").lower() != b"keep-alive"
        or headers.get(b"content-length", b"0") != b"%d" % len(body)
        or len(body) > BODY_LIMIT
    ):
        return None
    return Call(method, way, Request(path.decode(), headers, query or b"", body, _nothing_more))


async def _nothing_more() -> Any:
    raise Disconnected
