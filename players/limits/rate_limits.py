"""Rate limits: named token buckets, counted in the memory of each process; the clock is an argument.

A bucket holds `burst` tokens and is refilled at `rate` tokens a second. Only the time at which it will be full again is
stored. A process drops the buckets that were unused for longest, and every process counts for itself.
"""

import math
import threading
from collections import OrderedDict
from collections.abc import Hashable, Mapping
from typing import Literal, NamedTuple

from prometheus_client import Counter

BUCKETS = 50_000
SPENT = "rate_limit"  # the key of the ASGI scope under which a request's `Spent` is left
REFUSED = Counter("qwixx_rate_limited", "Requests, frames, handshakes and log lines beyond a rate limit.", ["limit"])


class Limit(NamedTuple):
    rate: float  # a second
    burst: int
    per: Literal["token", "player", "address", "process"]


class Spent(NamedTuple):
    """What a request has spent of a limit, for the headers of its response."""

    scope: str
    policy: str  # the value of `RateLimit-Policy`: the quota, and the window in seconds in which it comes back
    remaining: int
    reset_s: int  # until the whole quota is there again
    retry_after: int | None = None  # of a refused request


# Never lower than the contract (section 2), and mostly twice as high. Reads and actions are counted separately, so that
# a client that polls too fast can still play.
LIMITS: Mapping[str, Limit] = {
    "reads": Limit(200, 400, "token"),
    "actions": Limit(100, 200, "token"),
    "frames": Limit(100, 200, "token"),  # from a stream's client: actions, resumes and pings together
    "sockets": Limit(10, 100, "token"),  # handshakes
    "handshakes": Limit(100, 400, "address"),  # the same, of clients with and without a token
    "game_streams": Limit(10 / 60, 10, "token"),
    "games": Limit(120 / 60, 120, "player"),
    "guests": Limit(240 / 60, 240, "address"),
    "sessions": Limit(240 / 60, 240, "address"),
    "accounts": Limit(120 / 60, 120, "address"),
    "mails": Limit(60 / 60, 60, "address"),
    "others": Limit(50, 100, "token"),
    "tickets": Limit(120 / 60, 120, "player"),  # of the matchmaking queue
    "invitations": Limit(30 / 60, 30, "player"),
    "phrases": Limit(12 / 60, 5, "player"),
    "reports": Limit(6 / 60, 10, "player"),
    "webhooks": Limit(30 / 60, 60, "address"),  # registrations
    "redeliveries": Limit(60 / 60, 200, "player"),
    "bots": Limit(20 / 60, 20, "player"),  # new bot accounts
    "access_tokens": Limit(60 / 60, 100, "player"),  # new ones
    "blocks": Limit(240 / 60, 240, "address"),
    # Lines of the log about refused requests and commands; beyond these a refusal is only counted.
    "refusal_lines": Limit(12 / 60, 20, "player"),
    "all_refusal_lines": Limit(5, 50, "process"),
    # Of bot accounts, in place of those above.
    "bot_reads": Limit(100, 200, "token"),
    "bot_actions": Limit(50, 100, "token"),
    "bot_frames": Limit(50, 100, "token"),
    "bot_games": Limit(60 / 60, 60, "player"),
    "bot_invitations": Limit(6 / 60, 10, "player"),
    "bot_phrases": Limit(6 / 60, 3, "player"),
}


def limit_for(scope: str, *, is_bot: bool) -> str:
    """The limit that counts for a caller: bot accounts have some of their own.

    >>> limit_for("games", is_bot=True), limit_for("others", is_bot=True), limit_for("games", is_bot=False)
    ('bot_games', 'others', 'games')
    """
    return f"bot_{scope}" if is_bot and f"bot_{scope}" in LIMITS else scope


def policy_of(scope: str, limit: Limit) -> str:
    """
    >>> policy_of("games", LIMITS["games"])
    '"games";q=120;w=60'
    """
    return f'"{scope}";q={limit.burst};w={math.ceil(limit.burst / limit.rate)}'


class Limits:
    """All buckets of a process.

    >>> limits = Limits({"guests": Limit(0.5, 2, "address")})
    >>> [limits.take("guests", "::1", now) for now in (0.0, 0.0, 0.0, 2.0, 2.0)]
    [None, None, 2, None, 2]
    """

    def __init__(self, limits: Mapping[str, Limit] = LIMITS, buckets: int = BUCKETS) -> None:
        self._limits = limits
        self._policies = {scope: policy_of(scope, limit) for scope, limit in limits.items()}
        self._buckets = buckets
        self._full_at: OrderedDict[tuple[str, Hashable], float] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, scope: str, key: Hashable, now: float) -> int | None:
        """Take a token. None if there was one, else the seconds after which the client should try again."""
        return self.spend(scope, key, now).retry_after

    def spend(self, scope: str, key: Hashable, now: float) -> Spent:
        """The same, with what is left of the bucket."""
        limit, policy = self._limits[scope], self._policies[scope]
        with self._lock:
            full_at = max(self._full_at.get((scope, key), now), now) + 1 / limit.rate
            wait = full_at - now - limit.burst / limit.rate
            if wait > 1e-6:
                REFUSED.labels(scope).inc()
                return Spent(scope, policy, 0, math.ceil(full_at - now), math.ceil(wait))
            self._full_at[scope, key] = full_at
            self._full_at.move_to_end((scope, key))
            if len(self._full_at) > self._buckets:
                self._full_at.popitem(last=False)
        full_in = full_at - now
        return Spent(scope, policy, int(limit.burst - full_in * limit.rate + 1e-6), math.ceil(full_in))


limits = Limits()  # of this process
