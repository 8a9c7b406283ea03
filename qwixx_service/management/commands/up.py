"""`manage.py up`: the whole service on one machine, from the data folder to the addresses to visit, until Ctrl-C."""

import asyncio
import contextlib
import os
import secrets
import signal
from collections.abc import Callable
from typing import Any, NoReturn

import psycopg
import redis
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import BaseCommand, call_command
from django.db import OperationalError, connection

from qwixx_service.embedded import data_folder, services
from qwixx_service.embedded.data_folder import CannotStart
from qwixx_service.embedded.roles import HOST, answers, listening, roles
from qwixx_service.embedded.server_process import reason
from qwixx_service.embedded.supervisor import supervise

ADMIN = "admin@localhost"


class Command(BaseCommand):
    help = "Runs everything: PostgreSQL and Valkey (unless their URLs are given), migrations, web, worker and beat."
    # They would ask a database that is only about to be started; `migrate` makes the checks that matter.
    requires_system_checks = []

    def handle(self, *_args: Any, **_options: Any) -> None:
        on_signals(stop_early)
        data = settings.DATA_DIR
        # The roles work in the project's folder, wherever this was started: a relative path must mean the same to them.
        os.environ["DATA_DIR"] = str(data)
        wanted = {"with_postgres": not given("DATABASE_URL"), "with_valkey": not given("REDIS_URL")}
        # The folder before the port: whoever starts the same thing twice is told so, and not of a port.
        with data_folder.held(data), listening() as web:
            self.say("up", f"starting, with the data in {data}")
            with services.running(data, **wanted) as servers:
                self.say("up", "migrating the database")
                self.introduce(prepare())
                greeting = self.greet(web.getsockname()[1])
                asyncio.run(supervise(roles(web, data), servers, settings.BASE_DIR, self.say, greeting))
                on_signals(signal.SIG_IGN)
        self.say("up", "stopped")

    def say(self, role: str, line: str) -> None:
        """A reader who went away (`| head`) is no reason to stop."""
        with contextlib.suppress(OSError):
            self.stdout.write(f"{role:<6} | {line}")
            self.stdout.flush()

    def introduce(self, password: str | None) -> None:
        """At once: whoever stops the first run before it is ready must not lose the only password there is."""
        if password:
            self.say("up", f"log in to the admin as {ADMIN} with {password} (shown only this once)")

    async def greet(self, port: int) -> None:
        """Where to go, once there is somebody to meet."""
        while not await answers(port):  # noqa: ASYNC110  (another process: no event of ours tells)
            await asyncio.sleep(0.1)
        home = f"http://{HOST}:{port}"
        self.say("up", f"ready on {home}/")
        self.say("up", f"    API docs  {home}/api/docs/")
        self.say("up", f"    admin     {home}/admin/")


def given(name: str) -> bool:
    return bool(os.environ.get(name))


def on_signals(do: Callable[..., object] | signal.Handlers) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, do)


def stop_early(*_: object) -> NoReturn:
    """Asked to stop before all runs: unwinds what was started. Asked once more: nothing changes."""
    on_signals(signal.SIG_IGN)
    raise CannotStart("Stopped before it was ready.")


def prepare() -> str | None:
    """Tables as this code wants them, and somebody who may enter the admin: the password of one just made."""
    try:
        psycopg.connect(**connection.get_connection_params()).close()
        redis.Redis.from_url(settings.REDIS_URL).ping()
        call_command("migrate", interactive=False, verbosity=0)
        return first_admin()
    except (OperationalError, psycopg.OperationalError) as error:
        raise CannotStart(reason("The database", str(error), settings.DATA_DIR)) from None
    except redis.RedisError as error:
        raise CannotStart(reason("Redis", str(error), settings.DATA_DIR)) from None
    finally:
        # A launcher that forks children must hold no connection and no thread of a pool.
        connection.close()
        connection.close_pool()  # type: ignore[attr-defined]


def first_admin() -> str | None:
    players = get_user_model()._default_manager
    if players.filter(is_superuser=True).exists():
        return None
    password = secrets.token_urlsafe(12)
    players.create_superuser(email=ADMIN, password=password, name="admin")
    return password
