"""How the admin is wired: its menu, its language and its policy for scripts; what its pages show the apps know."""

from collections.abc import Callable
from functools import cache
from gettext import NullTranslations
from typing import Any

from csp.constants import NONE, SELF, UNSAFE_EVAL, UNSAFE_INLINE
from django.http import HttpRequest, HttpResponseBase
from django.urls import reverse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.text import capfirst
from django.utils.translation import trans_real

from players.admin import texts as admin_texts
from players.admin.texts import said
from qwixx_service.http.errors import code_and_data, member
from qwixx_service.http.problems import chosen_language
from qwixx_service.http.texts import texts

PREFIX = "/admin/"
# Its pages carry expressions in their attributes (Alpine) and styles in their text. Nothing comes from elsewhere.
POLICY = {
    "default-src": [NONE],
    "script-src": [SELF, UNSAFE_INLINE, UNSAFE_EVAL],
    "style-src": [SELF, UNSAFE_INLINE],
    "img-src": [SELF, "data:"],
    "font-src": [SELF],
    "connect-src": [SELF],
    "base-uri": [NONE],
    "form-action": [SELF],
    "frame-ancestors": [NONE],
}


class AdminMiddleware:
    """The language that was chosen there or else the browser's, and a policy of its own; on no other page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(PREFIX):
            return self._get_response(request)
        language = chosen_language(request)
        teach(language)
        with translation.override(language):
            response = self._get_response(request)
        patch_vary_headers(response, ["Accept-Language"])
        response._csp_replace = POLICY  # type: ignore[attr-defined]  # as the decorators of django-csp do it
        return response


class Words(NullTranslations):
    """Texts for Django's own catalogue to take in; none of them has a number."""

    plural = staticmethod(lambda number: int(number != 1))

    def __init__(self, words: dict[str, Any]) -> None:
        super().__init__()
        self._catalog = words


@cache
def teach(language: str) -> None:
    """Unfold, which draws the pages, brings no translations: Django's catalogue learns ours, once per process."""
    prefix = "unfold."
    every = admin_texts.catalogue(language).items()
    ours = {name.removeprefix(prefix): text for name, text in every if name.startswith(prefix)}
    trans_real.translation(language).merge(Words(ours))


def explained(error: Exception) -> str | None:
    """A refusal, as whoever was refused reads it on a page. None: it is no refusal but a fault."""
    code, data = code_and_data(error)
    if code == "internal":
        return None
    language = admin_texts.language()
    text, wrong = texts(language)[code], [member(flaw, language)["detail"] for flaw in data.get("errors", ())]
    return " ".join([f"{text.title}:", *(wrong or [text.told(data.get("until"))])])


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """Only what this member of staff may open."""
    pages = [
        ("game", "casino", "admin:games_game_changelist", "games.view_game"),
        ("player", "group", "admin:players_player_changelist", "players.view_player"),
        ("report", "flag", "admin:players_report_changelist", "players.view_report"),
        ("staffaction", "history", "admin:players_staffaction_changelist", "players.view_staffaction"),
    ]
    may = request.user.has_perm
    items = [{"title": said("dashboard.title"), "icon": "dashboard", "link": reverse("admin:index")}]
    items += [
        {"title": capfirst(said(f"{model}.many")), "icon": icon, "link": reverse(name)}
        for model, icon, name, needed in pages
        if may(needed)
    ]
    return [{"items": items}]
