"""`make bench`: everything measured in one run on a throw-away, durable PostgreSQL, printed as one table."""

import asyncio
import os
import tempfile
from pathlib import Path

import django
from rich.console import Console

from qwixx_service import datafolder, embedded
from tests.bench import report


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="qwixx-bench-") as folder:
        data = Path(folder).resolve()
        data.chmod(0o711)  # the servers run as another user and must get through to their own folders
        os.environ.update(
            DATA_DIR=str(data), DATABASE_URL=embedded.database_url(data), REDIS_URL=embedded.redis_url(data)
        )
        with datafolder.held(data), embedded.running(data, with_valkey=False):
            Console().print(report.table(_measured()))


def _measured() -> list[report.Line]:
    django.setup()
    from django.core.management import call_command

    from games.process import conninfo
    from tests.bench import commands, rules

    call_command("migrate", verbosity=0)
    console = Console(stderr=True)
    with console.status("Measuring the rules"):
        lines = rules.measure()
    with console.status("Measuring commands through the engine"):
        return lines + asyncio.run(commands.measure(conninfo()))


if __name__ == "__main__":
    main()
