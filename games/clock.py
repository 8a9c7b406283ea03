"""The clock, which only adapters read: all code below them takes the time as an argument."""

from datetime import UTC, datetime


def now() -> datetime:
    return datetime.now(UTC)
