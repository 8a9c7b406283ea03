"""The page of signals, for moderators: which players to look at, and why, in words."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.template.response import TemplateResponse
from django.utils.formats import number_format

from games.results.signal_models import CheatSignal
from players.admin.texts import label, text
from players.models import Player

MAX_ROWS = 200
PERMISSION = "players.ban_player"


def signals(request: HttpRequest) -> HttpResponseBase:
    if not request.user.has_perm(PERMISSION):
        raise PermissionDenied
    found = list(CheatSignal.objects.order_by("kind", "player", "pk")[:MAX_ROWS])
    people = Player.objects.in_bulk([each for row in found for each in (row.player, row.other) if each is not None])
    context = {
        **admin.site.each_context(request),
        "title": text("signal.title"),
        "signals": [shown(row, [people[each] for each in (row.player, row.other) if each in people]) for row in found],
    }
    return TemplateResponse(request, "games/signals.html", context)


def shown(signal: CheatSignal, people: list[Player]) -> dict[str, Any]:
    names = dict(zip(("one", "other"), (player.name for player in people), strict=False))
    values = {name: number_format(value) for name, value in signal.figures.items()}
    filled = {"one": "", "other": "", **names, **values, "ruleset": label(signal.ruleset, "ruleset")}
    return {
        "kind": label(signal.kind, "signal"),
        "words": text(f"signal.{signal.kind}_words", None, **filled),
        "people": people,
        "found_at": signal.found_at,
    }
