"""The version of the service, and the oldest app that it serves."""

import tomllib
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from django.conf import settings
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

API = "v1"
PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"


@cache
def version() -> str:
    """From pyproject.toml, or from the metadata of the installed package."""
    if PROJECT.exists():
        return str(tomllib.loads(PROJECT.read_text())["project"]["version"])
    return metadata.version("qwixx-service")


def version_info() -> dict[str, str]:
    """What clients learn about the service."""
    return {"version": version(), "api": API, "oldest_app": settings.OLDEST_APP}


class VersionSerializer(serializers.Serializer[Any]):
    """The versions of the service and of its API."""

    version = serializers.CharField()
    api = serializers.CharField()
    oldest_app = serializers.CharField(help_text="An older app should ask its player to update.")


class VersionView(APIView):
    authentication_classes: Any = ()
    permission_classes: Any = (AllowAny,)

    @extend_schema(
        operation_id="readVersion",
        tags=["service"],
        summary="Read the version of the service, and the oldest app that it still serves",
        responses=VersionSerializer,
        examples=[OpenApiExample("Now", {"version": "0.1.0", "api": API, "oldest_app": "0.1.0"}, response_only=True)],
    )
    def get(self, _request: Request) -> Response:
        return Response(version_info(), headers={"Cache-Control": "public, max-age=60"})
