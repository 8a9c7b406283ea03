"""The roles of the embedded PostgreSQL: `up` migrates as the owner and serves as the service, also with older data."""

import os
import subprocess
import sys
from pathlib import Path

import httpx
import psycopg
import pytest

from qwixx_service.embedded import services
from tests.embedded.launcher import ROOT, SERVERS, UP, LaunchedProgram, environment

OWNERS = """
    SELECT DISTINCT relowner::regrole::text FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'c')
     UNION SELECT DISTINCT proowner::regrole::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace
"""
# As an earlier version left it: one role, that of the server, owns everything.
AS_BEFORE = """
    ALTER DATABASE qwixx OWNER TO postgres;
    DROP OWNED BY qwixx_service;
    CREATE TABLE kept AS SELECT 'a pad' AS thing;
    CREATE TYPE kept_type AS (thing text);
    CREATE FUNCTION kept_function() RETURNS int LANGUAGE sql RETURN 1;
    DROP ROLE qwixx_owner, qwixx_service;
"""


def superuser(data: Path) -> "psycopg.Connection[tuple[str]]":
    return psycopg.connect(services.superuser_url(data), autocommit=True)


@pytest.fixture
def older(used: Path) -> Path:
    """A folder whose database knows one role."""
    with LaunchedProgram(SERVERS, used) as servers:
        servers.wait_for("ready")
        with superuser(used) as connection:
            connection.execute(AS_BEFORE)
    return used


def test_up_migrates_as_the_owner_and_serves_as_the_service_with_data_of_an_earlier_version(older: Path) -> None:
    with LaunchedProgram(UP, older) as up:
        assert httpx.post(f"{up.home}/api/v1/players/guests", json={}, timeout=30).status_code == 201
        assert any("celery@" in line and "ready." in line for line in up.lines) or up.wait_for("ready.")  # the worker
        with superuser(older) as connection:
            assert connection.execute(OWNERS).fetchall() == [("qwixx_owner",)]
            assert connection.execute("SELECT thing FROM kept").fetchone() == ("a pad",)
            used = "SELECT DISTINCT usename FROM pg_stat_activity WHERE datname = 'qwixx' AND pid <> pg_backend_pid()"
            assert connection.execute(used).fetchall() == [("qwixx_service",)]
            supers = "SELECT rolname FROM pg_roles WHERE rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls"
            assert connection.execute(supers).fetchall() == [("postgres",)]


def check_deploy(data: Path, **urls: str) -> str:
    checked = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy"],
        cwd=ROOT,
        env=environment(data, {"SECRET_KEY": os.environ["SECRET_KEY"], **urls}),
        capture_output=True,
        text=True,
        check=False,
    )
    return checked.stderr


@pytest.mark.parametrize(
    ("urls", "is_warned"),
    [
        ({}, False),
        ({"DATABASE_URL": "postgresql://ann@host/games"}, True),
        ({"DATABASE_URL": "postgresql://ann@host/games", "DATABASE_OWNER_URL": "postgresql://bob@host/games"}, False),
        ({"DATABASE_URL": "postgresql://qwixx_service@host/games"}, False),  # a process that is not told of the owner
    ],
)
def test_check_warns_in_deployments_of_a_service_that_owns_its_tables(
    data: Path, urls: dict[str, str], *, is_warned: bool
) -> None:
    assert ("qwixx_service.W001" in check_deploy(data, **urls)) == is_warned
