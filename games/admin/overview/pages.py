"""The page of the statistics: a period and a ruleset are chosen in its address."""

import json
from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase
from django.template.response import TemplateResponse

from games import clock
from games.admin.dashboard import COLOURS, chart_options
from games.admin.overview.tables import TABLES, Figures, FigureTable
from games.rules.registry import RULESETS
from players.admin import csv_files
from players.admin.texts import label, text

SPANS = (14, 30, 90, 365)


def statistics(request: HttpRequest) -> HttpResponseBase:
    found, chosen = _figures(request)
    context = {
        **admin.site.each_context(request),
        "title": text("stats.title"),
        "spans": SPANS,
        "rulesets": [(key, label(key, "ruleset")) for key in RULESETS],
        "chosen": chosen,
        "tables": [_shown(make(found)) for make in TABLES.values()],
        "options": chart_options(stacked=False),
    }
    return TemplateResponse(request, "games/statistics.html", context)


def csv_file(request: HttpRequest, name: str) -> HttpResponseBase:
    if name not in TABLES:
        raise Http404
    table = TABLES[name](_figures(request)[0])
    rows = ([first, *("" if value is None else value for value in values)] for first, values in table.rows)
    return csv_files.response(name, [text("stats.first_column"), *table.header], rows)


def _figures(request: HttpRequest) -> tuple[Figures, dict[str, Any]]:
    if not request.user.has_perm("games.view_game"):
        raise PermissionDenied
    span = next((span for span in SPANS if str(span) == request.GET.get("days")), SPANS[1])
    ruleset = request.GET.get("ruleset", "") if request.GET.get("ruleset") in RULESETS else ""
    today = clock.now().date()
    days = [today - timedelta(days=n) for n in range(span - 1, -1, -1)]
    return Figures(days, ruleset), {"days": span, "ruleset": ruleset}


def _shown(table: FigureTable) -> dict[str, Any]:
    sets = [
        {
            "label": name,
            "data": [values[column] for _, values in table.rows],
            "backgroundColor": COLOURS[column % len(COLOURS)],
        }
        for column, name in enumerate(table.header)
    ]
    chart = json.dumps({"labels": [first for first, _ in table.rows], "datasets": sets})
    return {"table": table, "title": text(f"stats.{table.name}"), "chart": chart if table.is_chart else ""}
