"""Wiring of the admin: its menu, its language, its content security policy and its error messages."""

from collections.abc import Callable
from typing import Any

from csp.constants import NONE, SELF, UNSAFE_EVAL, UNSAFE_INLINE
from csp.decorators import csp_replace
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.text import capfirst

from players.admin.texts import current_language, text
from qwixx_service.http.errors import code_and_data, member
from qwixx_service.http.problems import chosen_language
from qwixx_service.http.texts import texts

PREFIX = "/admin/"
# Unfold's pages have expressions in attributes (Alpine) and inline styles. Nothing is loaded from another host.
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
    """Gives admin pages the chosen language and their own policy, and shows refused staff actions as messages."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response
        self._get_admin_response = csp_replace(POLICY)(get_response)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(PREFIX):
            return self._get_response(request)
        with translation.override(chosen_language(request)):
            response = self._get_admin_response(request)
        patch_vary_headers(response, ["Accept-Language"])
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponseBase | None:
        """Redirects a refused staff action to the page it was sent from; other errors are left to Django."""
        match = request.resolver_match
        if match is None or not str(match.url_name).endswith("_action") or isinstance(error, PermissionDenied):
            return None
        message = error_message(error)
        if message is None:
            return None
        messages.error(request, message)
        page = f"{match.namespace}:{str(match.url_name).removesuffix('action')}change"
        return HttpResponseRedirect(reverse(page, args=[match.kwargs["pk"]]))


def error_message(error: Exception) -> str | None:
    """The text of a refused action, or None for an unexpected error."""
    code, data = code_and_data(error)
    if code == "internal":
        return None
    language = current_language()
    error_text = texts(language)[code]
    details = [member(flaw, language)["detail"] for flaw in data.get("errors", ())]
    return " ".join([f"{error_text.title}:", *(details or [error_text.detail_of(data)])])


def _link(request: HttpRequest, url: str, *, is_elsewhere: bool) -> dict[str, Any]:
    return {"link": url, "active": request.path.startswith(url) and not is_elsewhere}


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """The menu, with the pages that the logged-in member of staff may open."""
    pages = [
        ("game", "casino", "admin:games_game_changelist", "games.view_game"),
        ("player", "group", "admin:players_player_changelist", "players.view_player"),
        ("report", "flag", "admin:players_report_changelist", "players.view_report"),
        ("staffaction", "history", "admin:players_staffaction_changelist", "players.view_staffaction"),
    ]
    items = [{"title": text("dashboard.title"), "icon": "dashboard", "link": reverse("admin:index")}]
    if request.user.has_perm("games.view_game"):
        items.append({"title": text("stats.title"), "icon": "monitoring", "link": reverse("admin:games_statistics")})
    if request.user.has_perm("players.ban_player"):
        items.append({"title": text("signal.title"), "icon": "policy", "link": reverse("admin:games_signals")})
    # Both are below the list of games.
    is_elsewhere = request.path.startswith((reverse("admin:games_statistics"), reverse("admin:games_signals")))
    items += [
        {
            "title": capfirst(text(f"{model}.many")),
            "icon": icon,
            **_link(request, reverse(url), is_elsewhere=is_elsewhere),
        }
        for model, icon, url, permission in pages
        if request.user.has_perm(permission)
    ]
    items.append({"title": text("factor.title"), "icon": "lock", "link": reverse("second_factor_enrol")})
    return [{"items": items}]
