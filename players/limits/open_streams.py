"""The budget of open streams: how many sockets, event streams and long polls a session and an address may hold.

Counted in the memory of each process, on its event loop.
"""

import contextlib
from collections import Counter
from collections.abc import Hashable, Iterator

import prometheus_client

from players.database.refusal import RequestRefused
from players.limits.budgets import STREAMS_PER_ADDRESS, STREAMS_PER_SESSION

RETRY_AFTER_S = 5

OPEN = prometheus_client.Gauge(
    "qwixx_streams", "Open streams: sockets, server-sent events and long polls.", multiprocess_mode="livesum"
)
REFUSED = prometheus_client.Counter("qwixx_streams_refused", "Streams beyond a budget.", ["per"])


class OpenStreams:
    """All open streams of a process.

    >>> streams = OpenStreams(per_session=1)
    >>> with streams.counted("Ann's phone", "192.0.2.7"):
    ...     with streams.counted("Ann's phone", "192.0.2.7"):
    ...         pass
    Traceback (most recent call last):
    players.database.refusal.RequestRefused: too_many_requests
    """

    def __init__(self, per_session: int = STREAMS_PER_SESSION, per_address: int = STREAMS_PER_ADDRESS) -> None:
        self._most = {"session": per_session, "address": per_address}
        self._open: Counter[tuple[str, Hashable]] = Counter()

    @contextlib.contextmanager
    def counted(self, session: Hashable, address: str) -> Iterator[None]:
        """Within the block the stream is counted; refused if the session or the address has used up its budget."""
        keys = (("session", session), ("address", address))
        for per, key in keys:
            if self._open[per, key] >= self._most[per]:
                REFUSED.labels(per).inc()
                raise RequestRefused("too_many_requests", retry_after=RETRY_AFTER_S)
        self._open.update(keys)
        OPEN.inc()
        try:
            yield
        finally:
            OPEN.dec()
            self._open.subtract(keys)
            for key in keys:
                if not self._open[key]:
                    del self._open[key]

    def __len__(self) -> int:
        """How many sessions and addresses are remembered: none without open streams."""
        return len(self._open)


open_streams = OpenStreams()  # of this process
