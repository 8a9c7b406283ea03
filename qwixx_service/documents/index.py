"""The view of the API's root: what there is, and where it is described."""

from functools import cache
from typing import Any

import msgspec
from django.conf import settings
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.streams import asyncapi
from qwixx_service.documents import views
from qwixx_service.documents.version import version_info

DOCUMENTS = {
    "openapi": views.ADDRESS,
    "openapi_3_0": "/api/v1/openapi-3.0.json",
    "asyncapi": "/api/v1/asyncapi.json",
    "docs": "/api/docs/",
    "errors": "/api/docs/errors",
    "streams": "/api/docs/streams/",
}


@cache
def resources() -> dict[str, list[str]]:
    """The methods of every address, from the OpenAPI document."""
    paths = msgspec.json.decode(views.openapi(settings.PUBLIC_URL))["paths"]
    return {path: [method.upper() for method in methods] for path, methods in paths.items()}


class IndexSerializer(serializers.Serializer[Any]):
    """The addresses of the service: `resources` with their methods, `streams`, and the `documents` about them."""

    version = serializers.CharField()
    documents = serializers.DictField(child=serializers.CharField())
    resources = serializers.DictField(child=serializers.ListField(child=serializers.CharField()))
    streams = serializers.ListField(child=serializers.CharField())


class IndexView(APIView):
    authentication_classes: Any = ()
    permission_classes: Any = (AllowAny,)

    @extend_schema(
        operation_id="readIndex",
        tags=["service"],
        summary="List the addresses with their methods, the streams and the documents",
        responses=IndexSerializer,
        examples=[
            OpenApiExample(
                "A part of it",
                {
                    "version": "0.1.0",
                    "documents": DOCUMENTS,
                    "resources": {"/api/v1/games": ["GET", "POST"]},
                    "streams": ["/ws/v1/games/{game_id}", "/ws/v1/lobby", "/ws/v1/me"],
                },
                response_only=True,
            )
        ],
    )
    def get(self, _request: Request) -> Response:
        content = {
            "version": version_info()["version"],
            "documents": DOCUMENTS,
            "resources": resources(),
            "streams": [stream.address for stream in asyncapi.STREAMS.values()],
        }
        return Response(content, headers={"Cache-Control": "public, max-age=60"})


class IndexWithSlashView(IndexView):
    """The same with a slash at the end, which people type; not in the document."""

    schema = None
