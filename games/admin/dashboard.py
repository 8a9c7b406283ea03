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
from players.admin.texts import EMPTY, label, text

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
        "players": _players(days, found["people"]),
        "time_outs": _bars(days, {text("dashboard.time_outs"): found["time_outs"]}, COLOURS[3:]),
        "time_outs_total": sum(found["time_outs"].values()),
        "lengths": [(label(ruleset, "ruleset"), n, minutes(mean)) for ruleset, n, mean in found["lengths"]],
        "length": _length(days, found["medians"]),
        "queue": [
            (label(ruleset, "ruleset"), n, round(longest), matched, EMPTY if wait is None else _seconds(wait))
            for ruleset, n, longest, matched, wait in found["queue"]
        ],
        "health": [(text(f"health.{check.name}", len(days)), _value(check), check.is_ok) for check in found["health"]],
        "stacked": chart_options(stacked=True),
        "side_by_side": chart_options(stacked=False),
    }


def _count(found: Any, status: str) -> int:
    """All games that are open or in progress now; of the others those created within the period."""
    in_period = sum(found["games"].get(status, {}).values())
    return int(found["now"].get(status, in_period))


def _games(days: list[date], games: Mapping[str, Mapping[date, int]]) -> str:
    return _bars(days, {label(status, "status"): games.get(status, {}) for status in STATUSES}, STATUSES.values())


def _players(days: list[date], people: Mapping[str, Mapping[date, int]]) -> dict[str, Any]:
    series = {
        text("dashboard.newcomers"): people["new"],
        text("dashboard.with_account"): people["new_accounts"],
        text("dashboard.became"): people["upgrades"],
    }
    totals = [(name, sum(values.values())) for name, values in series.items()]
    return {"chart": _bars(days, series, COLOURS), "totals": totals}


def _length(days: list[date], medians: Mapping[str, Mapping[date, int]]) -> str:
    """The median of each day, in minutes."""
    series = {
        label(ruleset, "ruleset"): {day: round(seconds / 60, 1) for day, seconds in of_days.items()}
        for ruleset, of_days in medians.items()
    }
    return _bars(days, series, COLOURS)


def _bars(days: list[date], series: Mapping[str, Mapping[date, float]], colours: Iterable[str]) -> str:
    """The data of a bar chart as JSON for Chart.js."""
    sets = [
        {"label": name, "data": by_day(days, dict(values)), "backgroundColor": colour}
        for (name, values), colour in zip(series.items(), colours, strict=False)
    ]
    return json.dumps({"labels": [format_date(day, "j M") for day in days], "datasets": sets})


def _seconds(number: float) -> str:
    return text("word.seconds", n=round(number))


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
