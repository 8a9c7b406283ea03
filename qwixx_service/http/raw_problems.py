"""Problem documents as bytes of HTTP, for requests that are refused before they reach the application."""

from collections.abc import Iterable
from http import HTTPStatus

from players.languages.accept_language import preferred
from qwixx_service.http.errors import problem
from qwixx_service.http.middleware.request_ids import request_id_of

Fields = Iterable[tuple[bytes, bytes]]


def raw_problem(code: str, request_fields: Fields, response_fields: Fields) -> bytes:
    """A whole response, in the language of the request; `response_fields` are those that the server adds to each."""
    given = {name: value.decode("latin-1") for name, value in request_fields}
    request_id = request_id_of(given.get(b"x-request-id", ""))
    document = problem(code, language=preferred(given.get(b"accept-language", "")), request_id=request_id)
    fields = {
        **{name.decode(): value.decode() for name, value in response_fields},
        **document.headers,
        "Vary": "Accept-Language",
        "X-Request-ID": request_id,
        "Content-Length": str(len(document.body)),
        "Connection": "close",
    }
    lines = [f"HTTP/1.1 {document.status} {HTTPStatus(document.status).phrase}"]
    lines += [f"{name}: {value}" for name, value in fields.items()]
    return "\r\n".join([*lines, "", ""]).encode() + document.body
