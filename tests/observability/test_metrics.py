"""Numbers of a running web process, and of the tables that describe the whole service."""

import re
import time
from typing import Any

import httpx
import pytest
from django.db import connection

from games import clock
from games.log.archive.partition_coverage import PartitionCollector
from games.metrics.outage_counter import OutageCollector
from qwixx_service.observability.replication_metrics import SyncStandbyCollector, WalArchiveCollector
from tests.http.conftest import ann, http, service
from tests.http.web_server import WebServer

DAY_S = 86400
__all__ = ["ann", "http", "service"]


def value(client: httpx.Client, sample: str) -> float:
    found = re.findall(rf"^{re.escape(sample)} (\S+)$", client.get("/metrics").text, re.MULTILINE)
    return float(found[0]) if found else 0.0


def test_the_process_measures_its_event_loop_its_pools_and_its_listener(ann: httpx.Client, service: WebServer) -> None:
    waits = value(ann, "qwixx_pool_wait_seconds_count")
    game = ann.post("/api/v1/games", json={"ruleset": "qwixx"}).json()["id"]
    assert ann.get(f"/api/v1/games/{game}", params={"version": 1}).status_code == 200
    assert value(ann, "qwixx_pool_wait_seconds_count") > waits
    deadline = time.monotonic() + 10
    while value(ann, "qwixx_event_loop_lag_seconds_count") == 0:  # the first one is 0.25 s after the start
        assert time.monotonic() < deadline
    assert value(ann, "qwixx_listening") == 1
    assert value(ann, "qwixx_django_connections") >= 1
    assert value(ann, "qwixx_log_partitioned_seconds") > 0
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


@pytest.mark.django_db
def test_a_server_without_synchronous_standbys_has_no_number_of_them() -> None:
    assert samples(SyncStandbyCollector()) == {}


STANDBYS = """
    CREATE SCHEMA replicated;
    CREATE FUNCTION replicated.current_setting(text) RETURNS text RETURN 'FIRST 1 (*)';
    CREATE TABLE replicated.pg_stat_replication (sync_state text);
    SET LOCAL search_path = replicated, pg_catalog, public;
"""


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("states", "confirming"), [([], 0), (["async", "potential"], 0), (["async", "quorum", "sync"], 2)]
)
def test_standbys_that_confirm_commits_are_counted_where_some_are_named(states: list[str], confirming: int) -> None:
    """In place of PostgreSQL's own view and setting, which need a second server."""
    with connection.cursor() as cursor:
        cursor.execute(STANDBYS)
        cursor.executemany("INSERT INTO pg_stat_replication VALUES (%s)", [(state,) for state in states])
    assert samples(SyncStandbyCollector()) == {"qwixx_sync_standbys": confirming}


EVENTS = """
    INSERT INTO games_event (game_id, version, type, v, body, hash, at)
    SELECT games_first_id(now() + interval '2 days'), n, 'passed', 1, '{}', '', now() FROM generate_series(1, 3) AS n
"""


@pytest.mark.django_db
def test_months_without_a_partition_are_missed_and_their_events_are_counted() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT relid::regclass::text FROM pg_partition_tree('games_event') WHERE isleaf ORDER BY 1")
        months = [name for (name,) in cursor.fetchall() if name != "games_event_default"]
        assert samples(PartitionCollector(clock.now))["qwixx_log_partitioned_seconds"] > 85 * DAY_S
        cursor.execute(f"DROP TABLE {', '.join(months[2:])}")
        assert 27 * DAY_S < samples(PartitionCollector(clock.now))["qwixx_log_partitioned_seconds"] < 63 * DAY_S
        cursor.execute(f"DROP TABLE {', '.join(months[:2])}")
        cursor.execute(EVENTS)
        cursor.execute("SELECT count(*) FROM games_event_default")
        (stored,) = cursor.fetchone()
    assert stored >= 3
    numbers = {"qwixx_log_partitioned_seconds": 0, "qwixx_log_default_events": stored}
    assert samples(PartitionCollector(clock.now)) == numbers
