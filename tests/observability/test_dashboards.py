"""Dashboards of Grafana: complete, without overlap, and every query names a metric that exists."""

import json
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests.embedded.launcher import ROOT
from tests.observability.metric_names import named, unknown

SHOWN = (
    *(
        "games",
        "overdue_games",
        "outages",
        "commands",
        "append_seconds",
        "http_request_seconds",
        "sockets",
        "listening",
    ),
    *("pool_wait_seconds", "django_pool_waits", "event_loop_lag_seconds", "queue_length", "wal_archive_age_seconds"),
    *("matchmaking_wait_seconds", "projection_lag_seconds", "deadline_lateness_seconds", "stream_holes"),
    *("mail_failures", "webhook_failures", "bot_failures", "password_checks", "background_restarts"),
)
DASHBOARDS = sorted((ROOT / "deploy/grafana").glob("*.json"))


def panels(path: Path) -> list[Any]:
    dashboard = json.loads(path.read_text())
    return [panel for panel in dashboard["panels"] if panel["type"] != "row"]


def queries() -> Iterator[str]:
    for path in DASHBOARDS:
        yield from (target["expr"] for panel in panels(path) for target in panel["targets"])


@pytest.mark.django_db
def test_dashboards_query_metrics_that_exist(server: str) -> None:
    assert unknown(server, queries()) == set()


@pytest.mark.parametrize("name", SHOWN)
def test_what_an_operator_watches_is_on_a_dashboard(name: str) -> None:
    assert f"qwixx_{name}" in {without_suffix(name) for query in queries() for name in named(query)}


def without_suffix(name: str) -> str:
    return re.sub("_(bucket|sum|count|total)$", "", name)


@pytest.mark.parametrize("path", DASHBOARDS, ids=lambda path: path.stem)
def test_a_dashboard_has_the_fields_that_grafana_provisions(path: Path) -> None:
    dashboard = json.loads(path.read_text())
    assert {"uid", "title", "schemaVersion", "templating", "panels", "time"} <= dashboard.keys()
    assert [variable["type"] for variable in dashboard["templating"]["list"]] == ["datasource"]
    identities = [panel["id"] for panel in dashboard["panels"]]
    assert len(set(identities)) == len(identities)
    assert {target["datasource"]["uid"] for panel in panels(path) for target in panel["targets"]} == {"${datasource}"}


@pytest.mark.parametrize("path", DASHBOARDS, ids=lambda path: path.stem)
def test_panels_do_not_overlap_and_have_titles(path: Path) -> None:
    assert all(panel["title"] for panel in panels(path))
    for one, other in combinations([panel["gridPos"] for panel in panels(path)], 2):
        beside = one["x"] + one["w"] <= other["x"] or other["x"] + other["w"] <= one["x"]
        below = one["y"] + one["h"] <= other["y"] or other["y"] + other["h"] <= one["y"]
        assert beside or below
