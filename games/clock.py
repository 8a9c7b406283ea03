"""The clock, which only adapters read: all code below them takes the time as an argument.

It follows the database's: the clocks of two machines may differ, and a deadline has one time.
"""

from datetime import UTC, datetime, timedelta

TOLERATED_S = 1.0  # smaller errors are left: they are hardly more than the time that a comparison takes
_ahead = timedelta()


def now() -> datetime:
    return datetime.now(UTC) - _ahead


def correct(error_s: float) -> None:
    """Take the error of this machine's clock, which every heartbeat measures, off all later times."""
    global _ahead  # one clock per process
    _ahead = timedelta(seconds=error_s if abs(error_s) > TOLERATED_S else 0.0)
