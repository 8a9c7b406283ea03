"""Django's `migrate`, run by the owner of the tables, who then grants the service its rights.

It waits for no lock longer than two seconds, as play would wait behind it, and tries again.
"""

import time
from typing import Any

from django.core.management import CommandError, CommandParser
from django.core.management.commands import migrate
from django.db import OperationalError
from django.db.backends.signals import connection_created
from psycopg.errors import LockNotAvailable

from games.log.archive import partitions
from qwixx_service.database import online_migrations, roles

LOCK_TIMEOUT = "SET lock_timeout = '2s'"
ATTEMPTS = 15
PAUSE_S = 1.0


class Command(migrate.Command):
    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--check-online",
            action="store_true",
            help="Apply nothing; fail if a migration could not run while the last release is in use.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options.pop("check_online", False):
            return self._check_online()
        connection_created.connect(_bound_waits_for_locks)
        try:
            with roles.as_owner():
                self._migrate(*args, **options)
                if not options["plan"]:
                    roles.grant()
        finally:
            connection_created.disconnect(_bound_waits_for_locks)

    def _migrate(self, *args: Any, **options: Any) -> None:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                super().handle(*args, **options)
                if not options["plan"]:
                    partitions.make_ahead()
                break
            except OperationalError as error:
                if not isinstance(error.__cause__, LockNotAvailable) or attempt == ATTEMPTS:
                    raise
                self.stderr.write("A lock was not free; play goes on, and the migration is tried again.")
                time.sleep(PAUSE_S)

    def _check_online(self) -> None:
        if found := list(online_migrations.problems()):
            raise CommandError("Not while the last release is in use:\n" + "\n".join(found))
        self.stdout.write("Every migration can run while the last release is in use.")


def _bound_waits_for_locks(connection: Any, **_: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(LOCK_TIMEOUT)
