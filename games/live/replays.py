"""Recognises messages that were received before: each process numbers its own by topic, and no number counts twice."""

import time

MOST_AGE_S = 300.0  # more than the clocks of two machines may differ


class ReplayFilter:
    """Remembers the last number of every process and topic that was heard of in the last minutes."""

    def __init__(self) -> None:
        self._last: dict[str, tuple[int, float]] = {}  # by origin and topic: the number, and when the message was sent
        self._forgot_at = 0.0

    def is_new(self, origin: str, number: int, sent_at: float, now: float | None = None) -> bool:
        """
        >>> replays = ReplayFilter()
        >>> [replays.is_new("a", number, 1000.0, 1000.0) for number in (1, 2, 2, 1, 5)]
        [True, True, False, False, True]
        >>> replays.is_new("a", 6, 1000.0, 1301.0), replays.is_new("b", 1, 1301.0, 1301.0)
        (False, True)
        """
        now = time.time() if now is None else now
        if abs(now - sent_at) > MOST_AGE_S or self._last.get(origin, (0, 0.0))[0] >= number:
            return False
        if now - self._forgot_at > MOST_AGE_S:
            self._forgot_at = now
            self._last = {name: last for name, last in self._last.items() if now - last[1] <= 2 * MOST_AGE_S}
        self._last[origin] = (number, sent_at)
        return True
