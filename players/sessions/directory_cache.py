"""The directory's cache of identities and profiles: bounded and safe between threads.

A row that was read before a change must not be cached after the notification of that change. So a reader takes the
epoch before it reads and passes it in with the row; every notification starts a new epoch.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable
from uuid import UUID

from players.sessions.identity import Identity, Profile

SIZE = 20_000


class DirectoryCache:
    def __init__(self, size: int = SIZE) -> None:
        self.epoch = 0
        self._size = size
        self._lock = threading.Lock()
        self._identities: OrderedDict[bytes, Identity] = OrderedDict()
        self._profiles: OrderedDict[int, Profile] = OrderedDict()  # by UUID.int, which hashes faster than a UUID
        self.index: dict[UUID, set[bytes]] = {}  # digests by session and by player

    def __len__(self) -> int:
        return len(self._identities) + len(self._profiles)

    def identity(self, digest: bytes) -> Identity | None:
        with self._lock:
            found = self._identities.get(digest)
            if found is not None:
                self._identities.move_to_end(digest)
            return found

    def profiles(self, players: Iterable[UUID]) -> dict[UUID, Profile]:
        """Those of the profiles that are cached."""
        found = {}
        with self._lock:
            for player in players:
                profile = self._profiles.get(player.int)
                if profile is not None:
                    self._profiles.move_to_end(player.int)
                    found[player] = profile
        return found

    def add_identity(self, epoch: int, digest: bytes, identity: Identity) -> None:
        with self._lock:
            if epoch != self.epoch:
                return
            self._identities[digest] = identity
            for key in (identity.session, identity.player):
                self.index.setdefault(key, set()).add(digest)
            if len(self._identities) > self._size:
                self._drop(next(iter(self._identities)))

    def add_profiles(self, epoch: int, profiles: Iterable[Profile]) -> None:
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
            for digest in tuple(self.index.get(key, ())):
                self._drop(digest)

    def forget_all(self) -> None:
        with self._lock:
            self.epoch += 1
            self._identities.clear()
            self._profiles.clear()
            self.index.clear()

    def _drop(self, digest: bytes) -> None:
        identity = self._identities.pop(digest)
        for key in (identity.session, identity.player):
            digests = self.index[key]
            digests.discard(digest)
            if not digests:
                del self.index[key]
