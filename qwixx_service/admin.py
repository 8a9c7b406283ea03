"""How the admin is wired: its menu, its language and its policy for scripts; what its pages show the apps know."""

from collections.abc import Callable
from typing import Any

from csp.constants import NONE, SELF, UNSAFE_EVAL, UNSAFE_INLINE
from django.http import HttpRequest, HttpResponseBase
from django.urls import reverse
from django.utils import translation
from django.utils.cache import patch_vary_headers

from qwixx_service.problems import language_of

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
    """The language that the browser asks for, and a policy of its own; on no other page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(PREFIX):
            return self._get_response(request)
        with translation.override(language_of(request)):
            response = self._get_response(request)
        patch_vary_headers(response, ["Accept-Language"])
        response._csp_replace = POLICY  # type: ignore[attr-defined]  # as the decorators of django-csp do it
        return response


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """Only what this member of staff may open."""
    pages = [
        ("Games", "casino", "admin:games_game_changelist", "games.view_game"),
        ("Players", "group", "admin:players_player_changelist", "players.view_player"),
        ("Reports", "flag", "admin:players_report_changelist", "players.view_report"),
        ("Log of actions", "history", "admin:players_staffaction_changelist", "players.view_staffaction"),
    ]
    may = request.user.has_perm
    items = [{"title": "Dashboard", "icon": "dashboard", "link": reverse("admin:index")}]
    items += [{"title": t, "icon": icon, "link": reverse(name)} for t, icon, name, needed in pages if may(needed)]
    return [{"items": items}]
