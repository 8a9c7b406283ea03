"""Runs one statement on Django's connection, which is the owner's in `manage.py archive`."""

from typing import Any

from django.db import connection


def rows(statement: str, *parameters: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        found: list[Any] = cursor.fetchall()
        return found


def value(statement: str, *parameters: Any) -> Any:
    """The only column of the only row."""
    return rows(statement, *parameters)[0][0]


def execute(statement: str, *parameters: Any) -> int:
    """The number of rows that it changed."""
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return int(cursor.rowcount)
