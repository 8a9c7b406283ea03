"""Django middlewares: problem documents in place of Django's own errors, and the language of a request."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import translation

from qwixx_service.http import problems
from qwixx_service.http.errors import code_and_data
from qwixx_service.http.middleware.request_metrics import DJANGO_ROUTE

GetResponse = Callable[[HttpRequest], HttpResponseBase]
NO_CONTENT, METHOD_NOT_ALLOWED = 204, 405


class ProblemDocumentMiddleware:
    """The outermost: errors of all other middlewares and of every view pass here."""

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self._get_response(request)
        if response.status_code == NO_CONTENT:
            del response.headers["Content-Length"]  # which Django sets, and HTTP forbids (RFC 9110, 8.6)
        if problems.is_api(request.path_info) or is_bare_405(request, response):
            return problems.as_problem(request, response)
        return response  # a page has texts of its own

    def process_view(self, request: HttpRequest, *_: Any) -> None:
        """Leave the route for the metrics."""
        if request.resolver_match:
            problems.scope_of(request)[DJANGO_ROUTE] = f"/{request.resolver_match.route}"

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """What a view outside of DRF raised; a page shows Django's own error page for what has no code."""
        code, _ = code_and_data(error)
        if problems.is_api(request.path_info):
            return problems.exception_response(request, error)
        return None if code == "internal" else problems.page_or_problem(request, code)


class LanguageMiddleware:
    """Texts that Django and DRF translate follow `Accept-Language`, as our own do, until a player is authenticated."""

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with translation.override(problems.language_of(request)):
            return self._get_response(request)


def is_bare_405(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Django has no page for a wrong method."""
    return response.status_code == METHOD_NOT_ALLOWED and not problems.wants_html(request)
