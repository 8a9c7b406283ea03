"""`make bench`: everything measured in one run on throw-away, durable servers, printed as one table.

`make bench ARGS="rules commands"` measures only the parts that are named.
"""

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import django
from rich.console import Console

from bench.report import Line, table
from qwixx_service.embedded import data_folder, services


def main(wanted: list[str]) -> None:
    with tempfile.TemporaryDirectory(prefix="qwixx-bench-") as folder:
        data = Path(folder).resolve()
        data.chmod(0o711)  # the servers run as another user and must get through to their own folders
        urls = {"DATABASE_URL": services.database_url(data), "REDIS_URL": services.redis_url(data)}
        os.environ.update(DATA_DIR=str(data), SECRET_KEY="only-for-the-bench", **urls)
        with data_folder.locked(data), services.running(data):
            Console(width=140).print(table(_measured(wanted)))


def _measured(wanted: list[str]) -> list[Line]:
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    lines: list[Line] = []
    for name, measure in _parts().items():
        if not wanted or name in wanted:
            with Console(stderr=True).status(f"Measuring: {name}"):
                lines += measure()
    return lines


def _parts() -> dict[str, Callable[[], list[Line]]]:
    from bench import appends, boards, commands, ladder, page, rest, rules, streams, time

    parts = {"rules": rules, "appends": appends, "commands": commands, "rest": rest, "streams": streams, "time": time}
    parts |= {"ladder": ladder, "boards": boards, "page": page}
    return {name: part.measure for name, part in parts.items()}


if __name__ == "__main__":
    main(sys.argv[1:])
