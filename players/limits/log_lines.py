"""The log lines about refusals: a few of each client, so that a flood of refused requests fills no log."""

import time

from players.limits.rate_limits import limits

OF_ALL = ""  # the key of the budget that all clients of the process share


def is_logged(player: object) -> bool:
    """Whether the next refusal of this player gets a line; all clients without a token count as one player."""
    now = time.monotonic()
    return limits.take("refusal_lines", str(player or ""), now) is None and (
        limits.take("all_refusal_lines", OF_ALL, now) is None
    )
