"""Pages for whoever follows a mailed link: plain forms, no script; to open one changes nothing, its button does."""

from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from players.accounts import mail, registration
from players.accounts.mail_links import Purpose
from players.accounts.mail_texts import words
from players.database.refusal import Refused

# Mail programs follow links to look at them: they get a form and no more.
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "X-Robots-Tag": "noindex",
}


def now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251  (a door)


@csrf_exempt  # nobody can forge a form whose address holds a secret
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    return _page(request, "confirm", token, lambda: registration.confirm(token, now()))


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def reset(request: HttpRequest, token: str) -> HttpResponse:
    password = request.POST.get("password", "")
    return _page(request, "reset", token, lambda: registration.reset_password(token, password, now()))


def _page(request: HttpRequest, purpose: Purpose, token: str, work: Any) -> HttpResponse:
    """In the language of whom the link was mailed to."""
    reader = mail.reader(token, purpose, now())
    language = (reader.locale if reader else "") or translation.get_language_from_request(request)
    said = words(language)
    if reader is None:
        return _shown(request, language, said["gone"], 410)
    if request.method != "POST":
        return _shown(request, language, said[purpose], form=True)
    with translation.override(language):
        try:
            work()
        except Refused as refused:
            if refused.code == "link_expired":
                return _shown(request, language, said["gone"], 410)
            errors: Any = refused.data.get("errors", ())
            flaws = [flaw for _pointer, _code, flaw in errors]
            return _shown(request, language, said[purpose], 422, form=True, flaws=flaws)
    return _shown(request, language, said[purpose], done=True)


def _shown(request: HttpRequest, language: str, said: dict[str, str], status: int = 200, **more: Any) -> HttpResponse:
    context = {"language": language, "said": said, "door": words(language)["door"], **more}
    answer = render(request, "players/account.html", context, status=status)
    for name, value in {**HEADERS, "Content-Language": language, "Vary": "Accept-Language"}.items():
        answer[name] = value
    return answer
