"""Problem documents and error pages as responses of Django."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.loader import render_to_string

from players.languages.accept_language import LANGUAGES, language_for
from qwixx_service.http.errors import BY_STATUS, MEDIA_TYPE, STATUS, Problem, of_exception, problem
from qwixx_service.http.texts import texts

# Clients of these are programs: their errors are problem documents whatever they accept.
API = ("/api/", "/static/")


def is_api(path: str) -> bool:
    return path.startswith(API)


def wants_html(request: HttpRequest) -> bool:
    return not is_api(request.path_info) and "text/html" in request.headers.get("Accept", "")


def language_of(request: HttpRequest) -> str:
    return language_for(scope_of(request), request.headers.get("Accept-Language", ""))


def chosen_language(request: HttpRequest) -> str:
    """The language of a page: the cookie that the admin's language menu sets, else the browser's setting."""
    cookie = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    return cookie if cookie in LANGUAGES else language_of(request)


def scope_of(request: HttpRequest) -> dict[str, Any]:
    """The ASGI scope of a request; a request that a test has built by hand has none."""
    scope: dict[str, Any] = request.META.get("asgi.scope", {})
    return scope


def request_id_of(request: HttpRequest) -> str:
    return str(scope_of(request).get("request_id", ""))


def problem_response(request: HttpRequest, code: str, **data: Any) -> HttpResponse:
    return _response(problem(code, language=language_of(request), request_id=request_id_of(request), **data))


def exception_response(request: HttpRequest, error: Exception) -> HttpResponse:
    return _response(of_exception(error, language=language_of(request), request_id=request_id_of(request)))


def _response(document: Problem) -> HttpResponse:
    return HttpResponse(document.body, status=document.status, headers={**document.headers, "Vary": "Accept-Language"})


def as_problem(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Replace an error that Django has made itself, such as 405 with its `Allow`, by a problem document."""
    if response.status_code < 400 or response.get("Content-Type") == MEDIA_TYPE:
        return response
    fallback = BY_STATUS[500] if response.status_code >= 500 else BY_STATUS[400]
    document = problem_response(request, BY_STATUS.get(response.status_code, fallback).split()[0])
    if "Allow" in response:
        document["Allow"] = response["Allow"]
    return document


def page_or_problem(request: HttpRequest, code: str) -> HttpResponse:
    """A page for browsers, a document for programs, with the same text."""
    if not wants_html(request):
        return problem_response(request, code)
    language = chosen_language(request)
    context = {"language": language, "texts": texts(language)[code], "request_id": request_id_of(request)}
    page = render_to_string("qwixx_service/error.html", context)
    return HttpResponse(page, status=STATUS[code], headers={"Vary": "Accept-Language", "Content-Language": language})


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    return page_or_problem(request, "malformed")


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    return page_or_problem(request, "not_allowed")


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    return page_or_problem(request, "not_found")


def server_error(request: HttpRequest) -> HttpResponse:
    return page_or_problem(request, "internal")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    return page_or_problem(request, "not_allowed")
