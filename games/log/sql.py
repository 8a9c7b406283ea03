"""The SQL files of this package, for migrations to run."""

from pathlib import Path


def load(name: str) -> str:
    """The text of one file, such as `append.sql`."""
    return Path(__file__).with_name(name).read_text()
