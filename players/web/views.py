"""The pages that mailed links open: plain forms without scripts; only the button changes anything."""

from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from players.accounts import registration
from players.database.refusal import RequestRefused
from players.mail import delivery
from players.mail.mail_texts import texts
from players.mail.signed_links import Purpose

# Mail programs open links to check them, so a GET request only shows the form.
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "X-Robots-Tag": "noindex",
}


def now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251  (adapters read the clock)


@csrf_exempt  # the URL contains a secret, so no other site can forge this form
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    return _page(request, "confirm", token, lambda: registration.confirm_address(token, now()))


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def reset(request: HttpRequest, token: str) -> HttpResponse:
    password = request.POST.get("password", "")
    return _page(request, "reset", token, lambda: registration.reset_password(token, password, now()))


def _page(request: HttpRequest, purpose: Purpose, token: str, work: Any) -> HttpResponse:
    """The page in the language of the player to whom the link was mailed."""
    recipient = delivery.recipient(token, purpose, now())
    language = (recipient.locale if recipient else "") or translation.get_language_from_request(request)
    all_texts = texts(language)
    if recipient is None:
        return _render(request, language, all_texts["gone"], 410)
    if request.method != "POST":
        return _render(request, language, all_texts[purpose], form=True)
    with translation.override(language):
        try:
            work()
        except RequestRefused as refused:
            if refused.code == "link_expired":
                return _render(request, language, all_texts["gone"], 410)
            errors: Any = refused.data.get("errors", ())
            messages = [message for _pointer, _code, message in errors]
            return _render(request, language, all_texts[purpose], 422, form=True, errors=messages)
    return _render(request, language, all_texts[purpose], done=True)


def _render(request: HttpRequest, language: str, text: dict[str, str], status: int = 200, **more: Any) -> HttpResponse:
    context = {"language": language, "text": text, "link": texts(language)["link"], **more}
    response = render(request, "players/account.html", context, status=status)
    for name, value in {**HEADERS, "Content-Language": language, "Vary": "Accept-Language"}.items():
        response[name] = value
    return response
