"""Views of the OpenAPI and AsyncAPI documents and of their pages; no page loads anything from another host."""

import threading
from functools import cache
from typing import Any

import msgspec
from csp.decorators import csp_exempt
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.views import SpectacularSwaggerView

from games.streams import asyncapi
from games.streams.frame_examples import EXAMPLES
from games.streams.frames import CLOSE_CODES
from qwixx_service.documents import openapi_3_0
from qwixx_service.documents.openapi import with_address
from qwixx_service.documents.version import version
from qwixx_service.http.errors import STATUS
from qwixx_service.http.problems import language_of
from qwixx_service.http.texts import texts

ADDRESS = "/api/v1/openapi.json"
LOCAL_URL = "http://127.0.0.1:8000"  # of the copies in docs/

generating = threading.Lock()

SWAGGER_TEMPLATE = "qwixx_service/swagger.html"
swagger_view = SpectacularSwaggerView.as_view(url=ADDRESS, template_name=SWAGGER_TEMPLATE)
swagger = csp_exempt()(swagger_view)  # its page has inline scripts


def openapi(public_url: str) -> bytes:
    """The same bytes in every process with this address, so that copies can be compared."""
    with generating:
        return generated_openapi(public_url)


@cache
def generated_openapi(public_url: str) -> bytes:
    """Once per process, by one thread: drf-spectacular fails while another thread generates."""
    document = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    document = with_address(msgspec.to_builtins(document, enc_hook=str), public_url)
    return msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n"


def openapi_view(_: HttpRequest) -> HttpResponse:
    return _document(openapi(settings.PUBLIC_URL))


@cache
def openapi_in_3_0(public_url: str) -> bytes:
    return msgspec.json.encode(openapi_3_0.rendered(msgspec.json.decode(openapi(public_url))))


def openapi_3_0_view(_: HttpRequest) -> HttpResponse:
    return _document(openapi_in_3_0(settings.PUBLIC_URL))


@cache
def streams(public_url: str) -> bytes:
    return asyncapi.document(version(), public_url)


def asyncapi_view(_: HttpRequest) -> HttpResponse:
    return _document(streams(settings.PUBLIC_URL))


def _document(content: bytes) -> HttpResponse:
    return HttpResponse(content, content_type="application/json", headers={"Cache-Control": "public, max-age=60"})


def streams_view(request: HttpRequest) -> HttpResponse:
    """The AsyncAPI document as a page, without scripts."""
    preface = asyncapi.PREFACE.partition("Close codes:")[0].strip().replace("`", "").split("\n\n")
    codes = [(code, *meaning) for code, meaning in CLOSE_CODES.items()]
    shown = [_shown(name, stream) for name, stream in asyncapi.STREAMS.items()]
    return render(request, "qwixx_service/streams.html", {"preface": preface, "streams": shown, "codes": codes})


def _shown(name: str, stream: asyncapi.Stream) -> dict[str, Any]:
    frames = [
        {
            "sender": sender,
            "name": asyncapi.name_of(kind),
            "members": ", ".join(kind.__struct_fields__),
            "meaning": " ".join((kind.__doc__ or "").split()).replace("`", ""),
            "sample": msgspec.json.format(msgspec.json.encode(EXAMPLES[kind])).decode(),
        }
        for sender, kinds in (("service", stream.sends), ("client", stream.takes))
        for kind in kinds
    ]
    query = [(parameter, schema["description"].replace("`", "")) for parameter, schema in stream.query.items()]
    return {"name": name, "address": stream.address, "summary": stream.summary, "query": query, "frames": frames}


def errors_view(request: HttpRequest) -> HttpResponse:
    """The page that the `type` of every problem document links to."""
    words = texts(language := language_of(request))
    rows = [(code, status, *words[code][:2]) for code, status in STATUS.items()]
    answer = render(request, "qwixx_service/errors.html", {"rows": rows, "language": language})
    answer["Content-Language"], answer["Vary"] = language, "Accept-Language"
    return answer
