"""The periods of leaderboards in UTC: days, ISO weeks (from Monday), months and all time."""

from datetime import UTC, date, datetime, time, timedelta

ALL = "all"
PERIODS = ("day", "week", "month", ALL)
BEGINNING = date(1970, 1, 1)  # the start of the period `all`


def start(period: str, day: date) -> date:
    """The first day of the period that contains a day.

    >>> [start(period, date(2026, 11, 17)).isoformat() for period in PERIODS]
    ['2026-11-17', '2026-11-16', '2026-11-01', '1970-01-01']
    """
    match period:
        case "day":
            return day
        case "week":
            return day - timedelta(days=day.weekday())
        case "month":
            return day.replace(day=1)
    return BEGINNING


def end(period: str, first: date) -> date:
    """The first day after the period.

    >>> end("week", date(2026, 12, 28)).isoformat(), end("month", date(2026, 12, 1)).isoformat()
    ('2027-01-04', '2027-01-01')
    """
    match period:
        case "day":
            return first + timedelta(days=1)
        case "week":
            return first + timedelta(days=7)
        case "month":
            return (first + timedelta(days=31)).replace(day=1)
    return date.max


def midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def bounds(period: str, day: date) -> tuple[datetime | None, datetime | None]:
    """The start and the exclusive end of the period; all time has neither."""
    if period == ALL:
        return None, None
    first = start(period, day)
    return midnight(first), midnight(end(period, first))
