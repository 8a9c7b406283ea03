"""Numbers of a running web process, and of the tables that describe the whole service."""

import re
from typing import Any

import httpx
import pytest
from django.db import connection

from games.metrics.outage_counter import OutageCollector
from qwixx_service.observability.wal_archive import WalArchiveCollector
from tests.http.conftest import ann, http, service
from tests.http.web_server import WebServer

__all__ = ["ann", "http", "service"]


def value(client: httpx.Client, sample: str) -> float:
    found = re.findall(rf"^{re.escape(sample)} (\S+)$", client.get("/metrics").text, re.MULTILINE)
    return float(found[0]) if found else 0.0


def test_the_process_measures_its_event_loop_its_pools_and_its_listener(ann: httpx.Client, service: WebServer) -> None:
    waits = value(ann, "qwixx_pool_wait_seconds_count")
    game = ann.post("/api/v1/games", json={"ruleset": "qwixx"}).json()["id"]
    assert ann.get(f"/api/v1/games/{game}", params={"version": 1}).status_code == 200
    assert value(ann, "qwixx_pool_wait_seconds_count") > waits
    assert value(ann, "qwixx_event_loop_lag_seconds_count") > 0
    assert value(ann, "qwixx_listening") == 1
    assert value(ann, "qwixx_django_connections") >= 1
    assert "qwixx_django_pool_waits_total" in ann.get("/metrics").text


@pytest.mark.parametrize(("password", "outcome"), [("wrong", "invalid_credentials"), ("ten blue dice", "ok")])
def test_checks_of_passwords_are_counted_by_outcome(http: httpx.Client, password: str, outcome: str) -> None:
    sample = f'qwixx_password_checks_total{{outcome="{outcome}"}}'
    account = {"name": "Ann", "email": "ann.counted@example.org", "password": "ten blue dice"}
    assert http.post("/api/v1/players", json=account).status_code == 201
    before = value(http, sample)
    http.post("/api/v1/sessions", json={"email": account["email"], "password": password})
    assert value(http, sample) == before + 1


def samples(collector: Any) -> dict[str, float]:
    return {sample.name: sample.value for family in collector.collect() for sample in family.samples}


@pytest.mark.django_db
def test_outages_and_their_length_are_counted() -> None:
    assert samples(OutageCollector()) == {"qwixx_outages_total": 0, "qwixx_outage_seconds_total": 0}
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO games_outage (began, ended) VALUES (now() - interval '12 s', now())")
    assert samples(OutageCollector()) == {"qwixx_outages_total": 1, "qwixx_outage_seconds_total": 12}


@pytest.mark.django_db
def test_a_server_that_archives_nothing_has_no_age_of_its_archive() -> None:
    assert samples(WalArchiveCollector()) == {}
