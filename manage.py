#!/usr/bin/env python
"""Django's command line; `manage.py up` runs the whole service."""

import os
import sys

NO_DATABASE = """The database cannot be reached. Start the service (make run), or set DATA_DIR or DATABASE_URL to the
values with which it was started. The error was: {}"""


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qwixx_service.settings")
    from django.core.management import execute_from_command_line
    from django.db import OperationalError

    try:
        execute_from_command_line(sys.argv)
    except OperationalError as error:
        sys.exit(NO_DATABASE.format(error))


if __name__ == "__main__":
    main()
