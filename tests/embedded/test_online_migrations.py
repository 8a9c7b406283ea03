"""`manage.py migrate --check-online`: which migrations the processes of the last release would not survive."""

import threading
from io import StringIO

import psycopg
import pytest
from django.contrib.postgres.operations import AddIndexConcurrently
from django.core.management import call_command
from django.db import connection, models
from django.db.migrations import operations
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation

from qwixx_service.database import online_migrations
from qwixx_service.management.commands import migrate

INDEX = models.Index(fields=["code"], name="for_this_test")
CHECK = models.CheckConstraint(condition=models.Q(version__gte=0), name="for_this_test")


def test_every_migration_since_the_last_release_can_run_while_it_is_in_use(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("migrate", check_online=True)
    assert "can run" in capsys.readouterr().out


def why(operation: Operation, unused_since: str = "") -> str:
    state = MigrationLoader(None).project_state()
    return online_migrations.problem(operation, "games", state, state, unused_since)


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        (operations.RemoveField("game", "code"), "the last release may use it"),
        (operations.RenameField("game", "code", "join_code"), "the last release may use it"),
        (operations.DeleteModel("Outage"), "the last release may use it"),
        (operations.AddField("game", "mood", models.CharField(max_length=8)), "db_default"),
        (operations.AlterField("game", "code", models.TextField()), "type of a column"),
        (operations.AlterField("game", "ended_at", models.DateTimeField()), "type of a column"),
        (operations.AddIndex("game", INDEX), "AddIndexConcurrently"),
        (operations.AddConstraint("game", CHECK), "AddConstraintNotValid"),
        (operations.RunSQL("DROP FUNCTION games_append(games_append_item[], uuid[])"), "drops"),
        (operations.RunSQL("ALTER TYPE games_append_item ADD ATTRIBUTE mood text"), "a type"),
        (operations.RunSQL("CREATE INDEX ON games_game (code)"), "under a lock"),
        (operations.RunSQL("ALTER TABLE games_game ALTER COLUMN code SET NOT NULL"), "under a lock"),
        (operations.RunSQL("UPDATE games_game SET code = ''"), "changes all rows"),
        (operations.RunSQL("DO $$ BEGIN DROP TABLE games_outage; END $$"), "drops"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_an_operation_that_stops_the_last_release_is_named(operation: Operation, reason: str) -> None:
    assert reason in why(operation)


@pytest.mark.parametrize(
    "operation",
    [
        operations.AddField("game", "mood", models.CharField(max_length=8, null=True)),
        operations.AddField("game", "mood", models.CharField(max_length=8, db_default="")),
        AddIndexConcurrently("game", INDEX),
        operations.CreateModel("Mood", [("id", models.BigAutoField(primary_key=True))]),
        operations.RunSQL("CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ DELETE FROM games_outage; $$"),
        operations.RunSQL("CREATE TRIGGER t AFTER UPDATE OF code ON games_game EXECUTE FUNCTION f() -- DROP TABLE x"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_operation_that_the_last_release_does_not_notice_is_allowed(operation: Operation) -> None:
    assert why(operation) == ""


def test_what_an_earlier_release_stopped_using_may_be_dropped() -> None:
    assert why(operations.RemoveField("game", "code"), unused_since="0.1.0") == ""


def test_migrate_waits_for_a_lock_only_a_moment_and_tries_again(
    owner_conninfo: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every query on a table waits behind the one that waits for its lock."""
    monkeypatch.setattr(migrate, "LOCK_TIMEOUT", "SET lock_timeout = '50ms'")
    monkeypatch.setattr(migrate, "PAUSE_S", 0.05)
    said = StringIO()
    with psycopg.connect(owner_conninfo) as holder:
        holder.execute("LOCK TABLE django_migrations IN ACCESS EXCLUSIVE MODE")
        release = threading.Timer(0.5, holder.rollback)
        release.start()
        connection.close()
        call_command("migrate", verbosity=0, stderr=said)
        release.join()
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]
    assert said.getvalue().count("A lock was not free") >= 2
