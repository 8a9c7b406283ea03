"""What a database must be before the service starts on it: each problem is named in one sentence."""

from collections.abc import Iterator

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from qwixx_service.database import server_checks
from qwixx_service.embedded.data_folder import CannotStart


@pytest.fixture
def odd_database() -> Iterator[psycopg.Connection[tuple[str]]]:
    """A second database, which Django uses meanwhile."""
    used = connection.settings_dict
    name = used["NAME"]
    with psycopg.connect(settings.DATABASE_URL, autocommit=True) as server:
        server.execute("DROP DATABASE IF EXISTS qwixx_odd WITH (FORCE)")
        server.execute("CREATE DATABASE qwixx_odd")
        used["NAME"] = "qwixx_odd"
        with psycopg.connect(settings.DATABASE_URL, dbname="qwixx_odd", autocommit=True) as odd:
            yield odd
        used["NAME"] = name
        server.execute("DROP DATABASE qwixx_odd WITH (FORCE)")


def test_a_usual_database_has_no_problem(odd_database: psycopg.Connection[tuple[str]]) -> None:
    assert list(server_checks.problems()) == []


def test_a_missing_extension_and_a_wrong_isolation_level_are_named(
    odd_database: psycopg.Connection[tuple[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    odd_database.execute("DROP EXTENSION plpgsql")
    odd_database.execute("ALTER DATABASE qwixx_odd SET default_transaction_isolation = 'serializable'")
    monkeypatch.setattr(server_checks, "OLDEST_SERVER", 99)
    version, isolation, extension = server_checks.problems()
    assert version.endswith("the service needs 99 or later.")
    assert isolation == server_checks.ISOLATION.format("serializable")
    assert extension == server_checks.NO_PLPGSQL
    with pytest.raises(CannotStart, match="the service needs 99 or later"):
        server_checks.check()


def test_a_database_that_cannot_be_reached_has_no_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may come back: the service starts, and answers 503 until then."""
    monkeypatch.setitem(connection.settings_dict, "HOST", "/nowhere")
    assert list(server_checks.problems()) == []
