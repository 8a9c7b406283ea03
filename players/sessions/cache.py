"""What the directory remembers: bounded, safe between threads, and blind to clock and database.

A row that was read before a change was heard of must not be remembered after it. So whoever reads takes the epoch
first, and hands it in with the row: every change that is heard of starts a new one.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable
from uuid import UUID

from players.sessions.identity import Identity, Profile

SIZE = 20_000


class Memory:
    def __init__(self, size: int = SIZE) -> None:
        self.epoch = 0
        self._size = size
        self._lock = threading.Lock()
        self._identities: OrderedDict[bytes, Identity] = OrderedDict()
        self._profiles: OrderedDict[int, Profile] = OrderedDict()  # by the number that an id is: it is found fastest
        self._digests: dict[UUID, set[bytes]] = {}  # by session and by player

    def __len__(self) -> int:
        return len(self._identities) + len(self._profiles)

    def identity(self, digest: bytes) -> Identity | None:
        with self._lock:
            found = self._identities.get(digest)
            if found is not None:
                self._identities.move_to_end(digest)
            return found

    def profiles(self, players: Iterable[UUID]) -> dict[UUID, Profile]:
        """Those that are known."""
        found = {}
        with self._lock:
            for player in players:
                profile = self._profiles.get(player.int)
                if profile is not None:
                    self._profiles.move_to_end(player.int)
                    found[player] = profile
        return found

    def keep_identity(self, epoch: int, digest: bytes, identity: Identity) -> None:
        with self._lock:
            if epoch != self.epoch:
                return
            self._identities[digest] = identity
            for key in (identity.session, identity.player):
                self._digests.setdefault(key, set()).add(digest)
            if len(self._identities) > self._size:
                self._drop(next(iter(self._identities)))

    def keep_profiles(self, epoch: int, profiles: Iterable[Profile]) -> None:
        with self._lock:
            if epoch != self.epoch:
                return
            self._profiles.update((profile.id.int, profile) for profile in profiles)
            while len(self._profiles) > self._size:
                self._profiles.popitem(last=False)

    def forget(self, key: UUID) -> None:
        """A session or a player has changed."""
        with self._lock:
            self.epoch += 1
            self._profiles.pop(key.int, None)
            for digest in tuple(self._digests.get(key, ())):
                self._drop(digest)

    def forget_all(self) -> None:
        with self._lock:
            self.epoch += 1
            self._identities.clear()
            self._profiles.clear()
            self._digests.clear()

    def _drop(self, digest: bytes) -> None:
        identity = self._identities.pop(digest)
        for key in (identity.session, identity.player):
            digests = self._digests[key]
            digests.discard(digest)
            if not digests:
                del self._digests[key]
