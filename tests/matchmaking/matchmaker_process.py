"""A matchmaker in a process of its own, as in a Celery worker: sweeps once for every line of input."""

import os
import sys
from datetime import UTC, datetime

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qwixx_service.settings")
django.setup()

from games import runtime  # noqa: E402  (after setup)
from games.tasks import matchmaker  # noqa: E402  (after setup)


def main() -> None:
    """Prints a line when it is ready and after every sweep, so that the test sets the pace."""
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for _ in sys.stdin:
        matchmaker.sweep(datetime.now(UTC))
        sys.stdout.write("swept\n")
        sys.stdout.flush()
    runtime.end()


if __name__ == "__main__":
    main()
