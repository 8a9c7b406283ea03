"""HTTP requests and responses as bytes on a connection."""

import socket

import httpx


def raw_request(ann: httpx.Client, path: str, method: str = "GET", *headers: str, version: str = "1.1") -> bytes:
    lines = [f"{method} {path} HTTP/{version}", "Host: test", f"Authorization: {ann.headers['authorization']}"]
    return "\r\n".join([*lines, *headers, "", ""]).encode()


def responses(connection: socket.socket, count: int) -> list[tuple[str, bytes]]:
    """Head and body of each response, split by its `Content-Length`."""
    found: list[tuple[str, bytes]] = []
    data = b""
    while len(found) < count:
        head, ended, rest = data.partition(b"\r\n\r\n")
        named = head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0]
        length = int(named or 0)  # without one there is no body, as with a 304
        if ended and len(rest) >= length:
            found.append((head.decode().lower(), rest[:length]))
            data = rest[length:]
        else:
            more = connection.recv(65536)
            assert more, data
            data += more
    assert not data
    return found
