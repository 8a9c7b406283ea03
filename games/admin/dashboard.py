"""The first page: what the service is doing and whether it is well. Numbers are kept for a while, words are not."""

import json
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest
from django.utils.dateformat import format as dated
from django.utils.formats import number_format

from games.admin.figures import by_day, figures
from games.admin.health import Sign
from players.admin.texts import said, worded

KEPT_S = 15
STATUSES = {"playing": "#3b82f6", "open": "#f59e0b", "finished": "#10b981", "aborted": "#9ca3af", "voided": "#ef4444"}
COLOURS = ("#3b82f6", "#8b5cf6", "#10b981", "#f59e0b", "#ef4444", "#9ca3af")


def options(*, stacked: bool) -> str:
    axes = {"x": {"stacked": stacked}, "y": {"stacked": stacked, "beginAtZero": True, "display": True}}
    return json.dumps({"maintainAspectRatio": False, "scales": axes})


def callback(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Called by unfold. Whoever may see no game sees no figures either."""
    context["title"] = said("dashboard.title")
    if request.user.has_perm("games.view_game"):
        context["figures"] = shown(cache.get_or_set("games.admin.dashboard", figures, KEPT_S))
    return context


def shown(found: Any) -> dict[str, Any]:
    """The numbers, in words and as charts."""
    days = found["days"]
    return {
        **found,
        "span": len(days),
        "counts": [(status, worded(status, "status"), _count(found, status)) for status in STATUSES],
        "games": _games(days, found["games"]),
        "players": _players(days, found["newcomers"], found["became"]),
        "time_outs": _bars(days, {said("dashboard.time_outs"): found["time_outs"]}, COLOURS[3:]),
        "time_outs_total": sum(found["time_outs"].values()),
        "lengths": [
            (worded(ruleset, "ruleset"), n, minutes(mean), minutes(median))
            for ruleset, day, n, mean, median in found["lengths"]
            if day is None
        ],
        "length": _length(days, found["lengths"]),
        "queue": [(worded(ruleset, "ruleset"), n, round(longest)) for ruleset, n, longest in found["queue"]],
        "health": [(said(f"health.{sign.name}", len(days)), _told(sign), sign.is_well) for sign in found["health"]],
        "stacked": options(stacked=True),
        "side_by_side": options(stacked=False),
    }


def _count(found: Any, status: str) -> int:
    """Of what is under way all, of what is over that of these days."""
    ended = sum(n for _, over, n in found["games"] if over == status)
    return int(found["now"].get(status, ended))


def _games(days: list[date], games: list[Any]) -> str:
    series = {worded(s, "status"): {day: n for day, found, n in games if found == s} for s in STATUSES}
    return _bars(days, series, STATUSES.values())


def _players(days: list[date], newcomers: list[Any], became: Mapping[date, int]) -> dict[str, Any]:
    series = {
        said("dashboard.newcomers"): {day: number for day, number, _ in newcomers},
        said("dashboard.with_account"): {day: number for day, _, number in newcomers},
        said("dashboard.became"): dict(became),
    }
    totals = [(name, sum(values.values())) for name, values in series.items()]
    return {"chart": _bars(days, series, COLOURS), "totals": totals}


def _length(days: list[date], lengths: list[Any]) -> str:
    """The median of each day, in minutes."""
    series: dict[str, dict[date, float]] = {}
    for ruleset, day, _, _, median in lengths:
        if day is not None:
            series.setdefault(worded(ruleset, "ruleset"), {})[day] = round(median / 60, 1)
    return _bars(days, series, COLOURS)


def _bars(days: list[date], series: Mapping[str, Mapping[date, float]], colours: Iterable[str]) -> str:
    """As Chart.js reads it."""
    sets = [
        {"label": name, "data": by_day(days, dict(values)), "backgroundColor": colour}
        for (name, values), colour in zip(series.items(), colours, strict=False)
    ]
    return json.dumps({"labels": [dated(day, "j M") for day in days], "datasets": sets})


def _told(sign: Sign) -> str:
    if sign.kind == "word":
        return said(f"health.{sign.figure}")
    if sign.kind == "number":
        return str(sign.figure)
    return said("health.never") if sign.figure is None else said("health.ago", seconds=number_format(sign.figure, 1))


def minutes(seconds: float) -> str:
    """
    >>> minutes(754)
    '12:34'
    """
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
