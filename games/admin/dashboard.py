"""The dashboard: renders cached figures as labels and charts in the language of the request."""

import json
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest
from django.utils.dateformat import format as format_date
from django.utils.formats import number_format

from games.admin.figures import by_day, figures
from games.admin.health import HealthCheck
from players.admin.texts import label, text

CACHE_S = 15
STATUSES = {"playing": "#3b82f6", "open": "#f59e0b", "finished": "#10b981", "aborted": "#9ca3af", "voided": "#ef4444"}
COLOURS = ("#3b82f6", "#8b5cf6", "#10b981", "#f59e0b", "#ef4444", "#9ca3af")


def chart_options(*, stacked: bool) -> str:
    axes = {"x": {"stacked": stacked}, "y": {"stacked": stacked, "beginAtZero": True, "display": True}}
    return json.dumps({"maintainAspectRatio": False, "scales": axes})


def callback(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Called by unfold. Staff without the permission to view games see no figures."""
    context["title"] = text("dashboard.title")
    if request.user.has_perm("games.view_game"):
        context["figures"] = render(cache.get_or_set("games.admin.dashboard", figures, CACHE_S))
    return context


def render(found: Any) -> dict[str, Any]:
    """The figures with labels and charts, for the template."""
    days = found["days"]
    return {
        **found,
        "span": len(days),
        "counts": [(status, label(status, "status"), _count(found, status)) for status in STATUSES],
        "games": _games(days, found["games"]),
        "players": _players(days, found["new_players"], found["upgrades"]),
        "time_outs": _bars(days, {text("dashboard.time_outs"): found["time_outs"]}, COLOURS[3:]),
        "time_outs_total": sum(found["time_outs"].values()),
        "lengths": [
            (label(ruleset, "ruleset"), n, minutes(mean), minutes(median))
            for ruleset, day, n, mean, median in found["lengths"]
            if day is None
        ],
        "length": _length(days, found["lengths"]),
        "queue": [(label(ruleset, "ruleset"), n, round(longest)) for ruleset, n, longest in found["queue"]],
        "health": [(text(f"health.{check.name}", len(days)), _value(check), check.is_ok) for check in found["health"]],
        "stacked": chart_options(stacked=True),
        "side_by_side": chart_options(stacked=False),
    }


def _count(found: Any, status: str) -> int:
    """All games that are open or in progress now; of the others those created within the period."""
    in_period = sum(n for _, found_status, n in found["games"] if found_status == status)
    return int(found["now"].get(status, in_period))


def _games(days: list[date], games: list[Any]) -> str:
    series = {label(s, "status"): {day: n for day, found, n in games if found == s} for s in STATUSES}
    return _bars(days, series, STATUSES.values())


def _players(days: list[date], new_players: list[Any], upgrades: Mapping[date, int]) -> dict[str, Any]:
    series = {
        text("dashboard.newcomers"): {day: number for day, number, _ in new_players},
        text("dashboard.with_account"): {day: number for day, _, number in new_players},
        text("dashboard.became"): dict(upgrades),
    }
    totals = [(name, sum(values.values())) for name, values in series.items()]
    return {"chart": _bars(days, series, COLOURS), "totals": totals}


def _length(days: list[date], lengths: list[Any]) -> str:
    """The median of each day, in minutes."""
    series: dict[str, dict[date, float]] = {}
    for ruleset, day, _, _, median in lengths:
        if day is not None:
            series.setdefault(label(ruleset, "ruleset"), {})[day] = round(median / 60, 1)
    return _bars(days, series, COLOURS)


def _bars(days: list[date], series: Mapping[str, Mapping[date, float]], colours: Iterable[str]) -> str:
    """The data of a bar chart as JSON for Chart.js."""
    sets = [
        {"label": name, "data": by_day(days, dict(values)), "backgroundColor": colour}
        for (name, values), colour in zip(series.items(), colours, strict=False)
    ]
    return json.dumps({"labels": [format_date(day, "j M") for day in days], "datasets": sets})


def _value(check: HealthCheck) -> str:
    if check.unit == "text":
        return text(f"health.{check.value}")
    if check.unit == "number":
        return str(check.value)
    return text("health.never") if check.value is None else text("health.ago", seconds=number_format(check.value, 1))


def minutes(seconds: float) -> str:
    """
    >>> minutes(754)
    '12:34'
    """
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
