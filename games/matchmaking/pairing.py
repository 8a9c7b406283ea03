"""Decides who plays with whom: the entries of one queue in, groups out; waiting times and blocks are arguments.

The oldest entry chooses first and takes the entries nearest to its rating. The window of a group is that of its oldest
member, so that newcomers who match among themselves cannot keep an outlier waiting for ever. Every group that fits its
window is formed, except one that is only found after `MAX_CHECKS` among players who block one another.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

WINDOW = 80.0  # points of rating (a new player has 1000) for an entry that has just been made
WIDENING = 8.0  # points a second
ANY_RATING_AFTER_S = 60.0
MAX_CHECKS = 2000  # candidates for one group: players who block one another must not delay the whole queue
LEVELS = ((880.0, "easy"), (1080.0, "medium"), (1280.0, "hard"))  # players below this rating get such a bot


class QueueEntry(NamedTuple):
    """A player who waits. `bots_after_s` is None for a player who wants to play with people only."""

    ticket: str
    player: str
    rating: float
    waited_s: float
    bots_after_s: float | None = None
    late_seed: bool = False  # the player has announced a client seed

    @property
    def takes_bots(self) -> bool:
        return self.bots_after_s is not None and self.waited_s >= self.bots_after_s


class Group(NamedTuple):
    """The players of one game, the oldest entry first, and the levels of the bots that fill its seats."""

    members: tuple[QueueEntry, ...]
    bots: tuple[str, ...] = ()


Separated = Callable[[str, str], bool]  # whether these two players must not be in one game


def window(waited_s: float) -> float | None:
    """The largest distance between ratings; None: any distance.

    >>> window(0), window(10), window(60)
    (80.0, 160.0, None)
    """
    return None if waited_s >= ANY_RATING_AFTER_S else WINDOW + WIDENING * max(0.0, waited_s)


def bot_level(rating: float) -> str:
    """
    >>> bot_level(1000.0), bot_level(1600.0)
    ('medium', 'expert')
    """
    return next((level for below, level in LEVELS if rating < below), "expert")


def groups(entries: Collection[QueueEntry], seats: int, separated: Separated) -> list[Group]:
    """Groups that fill all seats with people, then groups that bots complete for entries that take bots by now."""
    waiting = _RatingOrder(entries)
    formed, left = [], []
    for anchor in _by_age(entries):
        if anchor not in waiting:
            continue
        partners = _partners(anchor, seats - 1, list(waiting.near(anchor)), separated)
        # An anchor without partners is removed as well: younger entries have narrower windows and cannot take it.
        for member in (anchor, *(partners or ())):
            waiting.remove(member)
        if partners is None:
            left.append(anchor)
        else:
            formed.append(Group((anchor, *partners)))
    return formed + _with_bots([entry for entry in left if entry.takes_bots], seats, separated)


def _by_age(entries: Collection[QueueEntry]) -> list[QueueEntry]:
    return sorted(entries, key=lambda entry: (-entry.waited_s, entry.ticket))


def _partners(
    anchor: QueueEntry, wanted: int, near: Sequence[QueueEntry], separated: Separated
) -> list[QueueEntry] | None:
    """The nearest `wanted` entries that fit together with the anchor; None: none were found."""
    candidates = [entry for entry in near if not separated(anchor.player, entry.player)]
    largest, checks = window(anchor.waited_s), iter(range(MAX_CHECKS + len(candidates)))

    def extended(chosen: list[QueueEntry], since: int) -> list[QueueEntry] | None:
        if len(chosen) == wanted:
            return chosen
        for index in range(since, len(candidates) - (wanted - len(chosen)) + 1):
            entry = candidates[index]
            if next(checks, None) is None:
                return None
            if _fits(entry, [anchor, *chosen], largest, separated):
                found = extended([*chosen, entry], index + 1)
                if found is not None:
                    return found
        return None

    return extended([], 0)


def _fits(entry: QueueEntry, chosen: Sequence[QueueEntry], largest: float | None, separated: Separated) -> bool:
    is_near = largest is None or all(abs(entry.rating - other.rating) <= largest for other in chosen)
    return is_near and not any(separated(entry.player, other.player) for other in chosen)


def _with_bots(entries: Sequence[QueueEntry], seats: int, separated: Separated) -> list[Group]:
    """Groups with as many people as fit and at least one bot; the bots are about as strong as the people."""
    waiting, formed = _RatingOrder(entries), []
    for anchor in _by_age(entries):
        if anchor not in waiting:
            continue
        members = [anchor]
        for entry in waiting.near(anchor):
            if len(members) < seats - 1 and _fits(entry, members, window(anchor.waited_s), separated):
                members.append(entry)
        for member in members:
            waiting.remove(member)
        rating = sum(member.rating for member in members) / len(members)
        formed.append(Group(tuple(members), (bot_level(rating),) * (seats - len(members))))
    return formed


class _RatingOrder:
    """The waiting entries as a linked list in the order of their ratings, so that removed ones cost no step."""

    def __init__(self, entries: Collection[QueueEntry]) -> None:
        count = len(entries)
        self._entries = sorted(entries, key=lambda entry: (entry.rating, entry.ticket))
        self._index = {entry.ticket: index for index, entry in enumerate(self._entries)}
        self._left = [index - 1 for index in range(count)]  # -1: no entry
        self._right = [index + 1 for index in range(count)]  # `count`: no entry

    def __contains__(self, entry: QueueEntry) -> bool:
        return entry.ticket in self._index

    def remove(self, entry: QueueEntry) -> None:
        index = self._index.pop(entry.ticket)
        left, right = self._left[index], self._right[index]
        if left >= 0:
            self._right[left] = right
        if right < len(self._right):
            self._left[right] = left

    def near(self, anchor: QueueEntry) -> Iterator[QueueEntry]:
        """The entries within the window of the anchor, the nearest first."""
        index = self._index[anchor.ticket]
        left, right = self._left[index], self._right[index]
        largest = window(anchor.waited_s)
        while left >= 0 or right < len(self._entries):
            below = anchor.rating - self._entries[left].rating if left >= 0 else None
            above = self._entries[right].rating - anchor.rating if right < len(self._entries) else None
            is_below = above is None or (below is not None and below <= above)
            distance = below if is_below else above
            if distance is None or (largest is not None and distance > largest):
                return
            yield self._entries[left if is_below else right]
            left, right = (self._left[left], right) if is_below else (left, self._right[right])
