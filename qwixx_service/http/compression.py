"""Django middleware that compresses what clients read from the API: documents, lists, rulesets and exports."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.middleware.gzip import GZipMiddleware

from qwixx_service.http.problems import is_api

SAFE = ("GET", "HEAD")


class CompressionMiddleware:
    """Responses that hand out secrets are not compressed (BREACH): tokens come from POST, and the admin is no API.

    The API reads tokens from a header, so that no page of another origin can make a browser send requests with one; and
    Django adds random bytes, which hide the length.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response
        self._compressed: Any = GZipMiddleware(get_response)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase
        if request.method in SAFE and is_api(request.path_info):
            response = self._compressed(request)
        else:
            response = self._get_response(request)
        return response
