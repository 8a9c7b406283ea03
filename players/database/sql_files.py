"""Loads SQL files into migrations; each file lies in the package that owns its tables."""

from importlib import resources

from django.db.migrations import RunSQL


def run_sql(package: str, *names: str) -> list[RunSQL]:
    """One operation for each file of the package."""
    return [RunSQL((resources.files(package) / name).read_text(), RunSQL.noop) for name in names]
