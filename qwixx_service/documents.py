"""The API's document and its pages: made once per process, and readable without any other machine."""

from functools import cache

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.views import SpectacularSwaggerView

from qwixx_service.errors import STATUS
from qwixx_service.problems import language_of
from qwixx_service.texts import texts

ADDRESS = "/api/v1/openapi.json"

swagger = require_safe(SpectacularSwaggerView.as_view(url=ADDRESS))


@cache
def openapi() -> bytes:
    """The same bytes wherever it is made, so that copies can be compared."""
    document = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return msgspec.json.format(msgspec.json.encode(document, enc_hook=str), indent=1) + b"\n"


@require_safe
def openapi_view(_: HttpRequest) -> HttpResponse:
    return HttpResponse(openapi(), content_type="application/json", headers={"Cache-Control": "public, max-age=60"})


@require_safe
def errors_view(request: HttpRequest) -> HttpResponse:
    """Where the `type` of every problem leads."""
    words = texts(language := language_of(request))
    rows = [(code, status, *words[code]) for code, status in STATUS.items()]
    answer = render(request, "qwixx_service/errors.html", {"rows": rows, "language": language})
    answer["Content-Language"], answer["Vary"] = language, "Accept-Language"
    return answer
