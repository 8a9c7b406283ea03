"""The refusal of banned players."""

import time
from datetime import UTC, datetime

from players.database.refusal import RequestRefused

PERMANENT = datetime(9999, 12, 31, tzinfo=UTC)  # the end of a permanent ban


def is_in_future(moment: datetime) -> bool:
    return moment.timestamp() > time.time()


def ban_refusal(until: datetime) -> RequestRefused:
    """The refusal of a banned player, with the end of the ban if it has one."""
    is_permanent = until.year == PERMANENT.year
    return RequestRefused("banned") if is_permanent else RequestRefused("banned", until=until.astimezone(UTC))
