"""A matchmaker in a process of its own, as a Celery worker would run it: sweeps until its input ends."""

import os
import sys
from datetime import UTC, datetime

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qwixx_service.settings")
django.setup()

from games import runtime  # noqa: E402  (after setup)
from games.matchmaking import matchmaker  # noqa: E402  (after setup)


def main() -> None:
    """A line that comes in is answered with a sweep and a line; so whoever runs it sets the pace."""
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for _ in sys.stdin:
        matchmaker.sweep(datetime.now(UTC))
        sys.stdout.write("swept\n")
        sys.stdout.flush()
    runtime.end()


if __name__ == "__main__":
    main()
