"""What players need from packages that they may not import; the composition root installs it once per process."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID


class IdempotencyKeyStore(Protocol):
    """Another store of idempotency keys: a key that was used in one store must not be used in the other."""

    def has(self, player: UUID, key: str) -> bool:
        """Whether the key is in this store."""

    def take(self, player: UUID, key: str, fingerprint: bytes) -> bool:
        """Add a key of the players' API, in the caller's transaction; False if the other store used it meanwhile."""

    def free(self, keys: Iterable[tuple[UUID, str]]) -> None:
        """Remove keys of the players' API that have expired."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extensions:
    rulesets: Mapping[str, tuple[str, ...]]  # the keys of all games that can be played, with those of their sheets
    profile_fields: Mapping[str, Callable[[UUID], object]]  # members of a player's own profile; one query each
    exporters: Mapping[str, Callable[[UUID], object]]  # members of a player's data export
    erasers: tuple[Callable[[UUID], None], ...]  # delete a player's data, in the transaction of the deletion
    leave_games: Callable[[UUID, datetime], None]  # after a deletion; called again if it fails
    players_in_games: Callable[[Iterable[UUID]], set[UUID]]  # those of the given players who sit in a game
    # Those of the given games that are private and that this viewer has not played.
    hidden_games: Callable[[Iterable[UUID], UUID], set[UUID]]
    game_names: Callable[[Iterable[UUID]], Mapping[UUID, str]]  # of these games the names of their players
    notify: Callable[[str, dict[str, Any]], None]  # send a message to a player's `me` streams, from any thread
    key_store: IdempotencyKeyStore


_installed: list[Extensions] = []


def install(extensions: Extensions) -> None:
    _installed[:] = [extensions]


def current() -> Extensions:
    return _installed[0]
