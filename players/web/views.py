"""Pages that mailed links open: forms without scripts, which change nothing until they are submitted."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from players.accounts import registration
from players.database.refusal import RequestRefused
from players.mail import delivery, mail_texts
from players.mail.signed_links import Purpose

# Mail programs open links to inspect them: a GET returns the form and changes nothing.
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "X-Robots-Tag": "noindex",
}


def now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251  (an adapter reads the clock)


@csrf_exempt  # the address contains a secret that another site does not have
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    return _respond(request, "confirm", token, lambda: registration.confirm_address(token, now()))


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def reset(request: HttpRequest, token: str) -> HttpResponse:
    password = request.POST.get("password", "")
    return _respond(request, "reset", token, lambda: registration.reset_password(token, password, now()))


def _respond(request: HttpRequest, purpose: Purpose, token: str, submit: Callable[[], Any]) -> HttpResponse:
    """The form, or the result of submitting it, in the language of the player to whom the link was mailed."""
    recipient = delivery.recipient(token, purpose, now())
    language = (recipient.locale if recipient else "") or translation.get_language_from_request(request)
    texts = mail_texts.texts(language)
    if recipient is None:
        return _render(request, language, texts["gone"], 410)
    if request.method != "POST":
        return _render(request, language, texts[purpose], form=True)
    with translation.override(language):
        try:
            submit()
        except RequestRefused as refused:
            if refused.code == "link_expired":
                return _render(request, language, texts["gone"], 410)
            errors: Any = refused.data.get("errors", ())
            messages = [message for _pointer, _code, message in errors]
            return _render(request, language, texts[purpose], 422, form=True, errors=messages)
    return _render(request, language, texts[purpose], done=True)


def _render(request: HttpRequest, language: str, texts: dict[str, str], status: int = 200, **more: Any) -> HttpResponse:
    context = {"language": language, "texts": texts, "links": mail_texts.texts(language)["link"], **more}
    headers = {**HEADERS, "Content-Language": language, "Vary": "Accept-Language"}
    response = render(request, "players/account.html", context, status=status)
    for name, value in headers.items():
        response[name] = value
    return response
