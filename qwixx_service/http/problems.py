"""Problem documents as answers of Django: for its own errors, and for those of every view that machines call."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.loader import render_to_string

from players.languages.accept_language import LANGUAGES, preferred
from qwixx_service.http.errors import BY_STATUS, MEDIA_TYPE, STATUS, Problem, of_exception, problem
from qwixx_service.http.texts import texts

# The rest is pages for people: they get HTML, and with it sessions, CSRF tokens and the like.
MACHINES = ("/api/", "/healthz", "/readyz", "/metrics", "/static/")


def is_for_machines(path: str) -> bool:
    return path.startswith(MACHINES)


def is_for_people(request: HttpRequest) -> bool:
    return not is_for_machines(request.path_info) and "text/html" in request.headers.get("Accept", "")


def language_of(request: HttpRequest) -> str:
    return preferred(request.headers.get("Accept-Language", ""))


def chosen_language(request: HttpRequest) -> str:
    """Of a page: by the switch in the admin's menu, which leaves a cookie there; else by the browser's setting."""
    kept = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    return kept if kept in LANGUAGES else language_of(request)


def request_id_of(request: HttpRequest) -> str:
    """Given to the request at the doorstep; a request that was made by hand came through none."""
    return str(getattr(request, "scope", {}).get("request_id", ""))


def answer(request: HttpRequest, code: str, **data: Any) -> HttpResponse:
    return _response(problem(code, language=language_of(request), request_id=request_id_of(request), **data))


def of(request: HttpRequest, error: Exception) -> HttpResponse:
    return _response(of_exception(error, language=language_of(request), request_id=request_id_of(request)))


def _response(said: Problem) -> HttpResponse:
    return HttpResponse(said.body, status=said.status, headers={**said.headers, "Vary": "Accept-Language"})


def in_our_words(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """An error that a view of Django's made by itself, such as 405 with its `Allow`, becomes a problem too."""
    if response.status_code < 400 or response.get("Content-Type") == MEDIA_TYPE:
        return response
    fallback = BY_STATUS[500] if response.status_code >= 500 else BY_STATUS[400]
    said = answer(request, BY_STATUS.get(response.status_code, fallback).split()[0])
    if "Allow" in response:
        said["Allow"] = response["Allow"]
    return said


def told(request: HttpRequest, code: str) -> HttpResponse:
    """An error that is nobody's view: a page for people, a document for machines, in the same words."""
    if not is_for_people(request):
        return answer(request, code)
    language = chosen_language(request)
    context = {"language": language, "texts": texts(language)[code], "request_id": request_id_of(request)}
    page = render_to_string("qwixx_service/error.html", context)
    return HttpResponse(page, status=STATUS[code], headers={"Vary": "Accept-Language", "Content-Language": language})


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    return told(request, "malformed")


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    return told(request, "not_allowed")


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    return told(request, "not_found")


def server_error(request: HttpRequest) -> HttpResponse:
    return told(request, "internal")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    return told(request, "not_allowed")
