"""Settings classes for DRF: JSON only, parsed strictly and written by msgspec; errors as problem documents."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from django.http import HttpResponse
from rest_framework import exceptions
from rest_framework.metadata import BaseMetadata
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from games.game.json import strict_json
from players.api.field_errors import errors_in
from qwixx_service.http import problems

CODES: tuple[tuple[type[exceptions.APIException], str], ...] = (
    (exceptions.ParseError, "malformed"),
    (exceptions.NotAuthenticated, "not_authenticated"),
    (exceptions.AuthenticationFailed, "not_authenticated"),
    (exceptions.PermissionDenied, "not_allowed"),
    (exceptions.NotFound, "not_found"),
    (exceptions.MethodNotAllowed, "method_not_allowed"),
    (exceptions.UnsupportedMediaType, "unsupported_media_type"),
    (exceptions.Throttled, "too_many_requests"),
)


class JSONRenderer(BaseRenderer):
    media_type = "application/json"
    format = "json"
    charset = None

    def render(self, data: Any, *_: Any, **__: Any) -> bytes:
        return b"" if data is None else msgspec.json.encode(data, enc_hook=_plain)


def _plain(value: Any) -> Any:
    """Lazily translated texts, and DRF's own types of text, list and mapping."""
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, Iterable) and not isinstance(value, str) else str(value)


class JSONParser(BaseParser):
    media_type = "application/json"

    def parse(self, stream: Any, _: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        request = (parser_context or {})["request"]
        return strict_json.document(stream.read(), request.META.get("CONTENT_TYPE", ""))


class OnlyJSON(DefaultContentNegotiation):
    """There is one representation: `Accept` refuses nothing, and a body without a content type is JSON."""

    def select_renderer(self, _: Request, renderers: Any, __: str | None = None) -> Any:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type

    def select_parser(self, request: Request, parsers: Any) -> Any:
        given = request.content_type.partition(";")[0].strip().lower()
        found = next((parser for parser in parsers if given in ("", parser.media_type)), None)
        if found is None:
            request.stream.read(1)  # which is refused as too large before the type is
        return found


class Methods(BaseMetadata):
    """What OPTIONS returns: the methods that there are."""

    def determine_metadata(self, _: Request, view: Any) -> dict[str, Any]:
        return {"methods": view.allowed_methods}


def exception_handler(error: Exception, context: Mapping[str, Any]) -> HttpResponse:
    request, view = context["request"], context["view"]
    if isinstance(error, exceptions.ValidationError):
        return problems.problem_response(request, "malformed", errors=list(errors_in("", error.detail)))
    code = next((code for kind, code in CODES if isinstance(error, kind)), None)
    if code is None:
        return problems.exception_response(request, error)
    document = problems.problem_response(request, code, retry_after=getattr(error, "wait", None))
    if code == "method_not_allowed":
        document["Allow"] = ", ".join(view.allowed_methods)
    return document
