"""`manage.py up`: runs the whole service on one machine until Ctrl-C."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable
from typing import Any, NoReturn

import psycopg
import redis
from django.conf import settings
from django.core.management import BaseCommand, call_command
from django.db import OperationalError, connection

from players.redis_servers.redis_clients import connect
from qwixx_service.database import server_checks
from qwixx_service.embedded import data_folder, services
from qwixx_service.embedded.data_folder import CannotStart
from qwixx_service.embedded.process_list import HOST, answers, listening, processes
from qwixx_service.embedded.server_process import failed_start
from qwixx_service.embedded.supervisor import supervise
from qwixx_service.management.commands.create_first_admin import EMAIL, first_admin


class Command(BaseCommand):
    help = "Runs everything: PostgreSQL and Valkey (unless their URLs are given), migrations, web, worker and beat."
    # The checks would query a database that is not started yet; `migrate` makes those that matter.
    requires_system_checks = []

    def handle(self, *_args: Any, **_options: Any) -> None:
        on_signals(stop_early)
        data = settings.DATA_DIR
        # The child processes run in the project's folder, so a relative path must become absolute for them.
        os.environ["DATA_DIR"] = str(data)
        wanted = {"with_postgres": not given("DATABASE_URL"), "with_valkey": not given("REDIS_URL")}
        # The folder before the port: a second start then names the first run, not a busy port.
        with data_folder.locked(data), listening() as web:
            self.say("up", f"starting, with the data in {data}")
            with services.running(data, **wanted) as servers:
                self.say("up", "migrating the database")
                self.print_login(prepare())
                greeting = self.greet(web.getsockname()[1])
                asyncio.run(supervise(processes(web, data), servers, settings.BASE_DIR, self.say, greeting))
                on_signals(signal.SIG_IGN)
        self.say("up", "stopped")

    def say(self, process: str, line: str) -> None:
        """Print a line; a closed output (`| head`) does not stop the service."""
        with contextlib.suppress(OSError):
            self.stdout.write(f"{process:<6} | {line}")
            self.stdout.flush()

    def print_login(self, password: str | None) -> None:
        """Before the service is ready: a first run that is stopped early must still have shown the only password."""
        if password:
            self.say("up", f"log in to the admin as {EMAIL} with {password} (shown only this once)")

    async def greet(self, port: int) -> None:
        """Print the addresses once web answers."""
        while not await answers(port):  # noqa: ASYNC110  (web is another process: there is no event to wait for)
            await asyncio.sleep(0.1)
        home = f"http://{HOST}:{port}"
        self.say("up", f"ready on {home}/")
        self.say("up", f"    API docs  {home}/api/docs/")
        self.say("up", f"    admin     {home}/admin/")


def given(name: str) -> bool:
    return bool(os.environ.get(name))


def on_signals(handler: Callable[..., object] | signal.Handlers) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, handler)


def stop_early(*_: object) -> NoReturn:
    """Stop what was started before the service was ready; further signals are ignored meanwhile."""
    on_signals(signal.SIG_IGN)
    raise CannotStart("Stopped before it was ready.")


def prepare() -> str | None:
    """Migrate the database and create the first admin, whose password is returned."""
    try:
        psycopg.connect(**connection.get_connection_params()).close()
        connect(settings.REDIS_URL).ping()
        server_checks.check()
        call_command("migrate", interactive=False, verbosity=0)
        return first_admin()
    except (OperationalError, psycopg.OperationalError) as error:
        raise cannot_use("The database", error) from None
    except redis.RedisError as error:
        raise cannot_use("Redis", error) from None
    finally:
        # The process forks children and must not hold connections or threads of a pool.
        connection.close()
        connection.close_pool()  # type: ignore[attr-defined]


def cannot_use(title: str, error: Exception) -> CannotStart:
    output = str(error)
    return CannotStart(failed_start(title, output, output.partition("\n")[0], settings.DATA_DIR))
