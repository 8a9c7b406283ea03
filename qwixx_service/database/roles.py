"""The two roles of the service in PostgreSQL: the owner migrates and grants, the service uses what it was granted."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources

from django.conf import settings
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor

from qwixx_service.embedded.postgres import SERVICE

# The general rule first; each package then takes back what does not hold for its tables.
PACKAGES = ("qwixx_service.database", "players.moderation", "games.log")
# What differs between two roles. The name of the database is the same, and tests change it.
OF_ROLE = ("USER", "PASSWORD", "HOST", "PORT", "OPTIONS")
# Two owners that granted at once would change the same rows of the catalogue.
LOCK = "SELECT pg_advisory_xact_lock(hashtext('qwixx grants'))"
# An owner that has the name of the service is the only role: it needs no grants, and must not lose its own rights.
IS_APART = "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = %s AND rolname <> current_user)"


def have_one_role() -> bool:
    """Whether the service connects as the owner of its tables."""
    return bool(settings.OWNER_DATABASE["USER"] == settings.DATABASES["default"]["USER"] != SERVICE)


@contextmanager
def as_owner() -> Iterator[None]:
    """Connect Django as the owner until the end of the block; for processes that only prepare a database."""
    if settings.DATABASE_OWNER_URL == settings.DATABASE_URL:
        yield
        return
    used = connection.settings_dict
    service = {name: used[name] for name in OF_ROLE}
    _use({name: settings.OWNER_DATABASE[name] for name in OF_ROLE})
    try:
        yield
    finally:
        _use(service)


def _use(role: dict[str, object]) -> None:
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]
    connection.settings_dict.update(role)


def grant() -> bool:
    """Grant the service its rights, as the owner. False: there is no such role, or a migration is not applied yet."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return False
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(LOCK)
        cursor.execute(IS_APART, [SERVICE])
        if not cursor.fetchone()[0]:
            return False
        for package in PACKAGES:
            cursor.execute((resources.files(package) / "grants.sql").read_text())
    return True
