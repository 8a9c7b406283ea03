"""When sessions were last seen: recorded in memory during a request and written later, at most once a minute."""

from uuid import UUID

INTERVAL_S = 60.0

# Rows are locked in the order of their ids, and rows that another process is writing are skipped: processes never wait.
WRITE = """
UPDATE players_session SET last_seen_at = now()
 WHERE id IN (
           SELECT id FROM players_session
            WHERE id = ANY (%s) AND (last_seen_at IS NULL OR last_seen_at < now() - interval '55 seconds')
            ORDER BY id
              FOR NO KEY UPDATE SKIP LOCKED)
"""


class LastSeen:
    def __init__(self) -> None:
        self._next_write: dict[UUID, float] = {}
        self._unwritten: set[UUID] = set()

    def record(self, session: UUID, now: float) -> None:
        """Callable from any thread; an entry that a race between threads loses is recorded a minute later."""
        if now >= self._next_write.get(session, 0.0):
            self._next_write[session] = now + INTERVAL_S
            self._unwritten.add(session)

    def take(self, now: float) -> list[UUID]:
        """The sessions to write; sessions that have not been seen for a minute are dropped."""
        unwritten, self._unwritten = self._unwritten, set()
        self._next_write = {session: at for session, at in tuple(self._next_write.items()) if at > now}
        return list(unwritten)
