"""When a session was last seen: noted in memory while a request is served, written later, once a minute at most."""

from uuid import UUID

QUIET_S = 60.0

# Sessions in the order of their ids, and none that another process is just writing: nobody waits for anybody.
WRITE = """
UPDATE players_session SET last_seen_at = now()
 WHERE id IN (
           SELECT id FROM players_session
            WHERE id = ANY (%s) AND (last_seen_at IS NULL OR last_seen_at < now() - interval '55 seconds')
            ORDER BY id
              FOR NO KEY UPDATE SKIP LOCKED)
"""


class Presence:
    def __init__(self) -> None:
        self._quiet_until: dict[UUID, float] = {}
        self._unwritten: set[UUID] = set()

    def note(self, session: UUID, now: float) -> None:
        """From any thread; a note lost between two of them is made again a minute later."""
        if now >= self._quiet_until.get(session, 0.0):
            self._quiet_until[session] = now + QUIET_S
            self._unwritten.add(session)

    def take(self, now: float) -> list[UUID]:
        """What has to be written; forgets who has not been seen for a minute."""
        unwritten, self._unwritten = self._unwritten, set()
        self._quiet_until = {session: until for session, until in tuple(self._quiet_until.items()) if until > now}
        return list(unwritten)
