"""Who plays with whom: tickets of one queue in, groups out. Pure: waiting times and blocks are arguments.

The oldest ticket chooses first and takes those nearest to its strength. The window of a group is that of its oldest
member: patience counts for all of them, so that a stream of newcomers cannot pass somebody by for ever. Whatever group
can be formed within the windows is formed, but for one that is hidden among thousands who block one another.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

WINDOW = 80.0  # points of strength (a new player has 1000), for somebody who has just come
WIDENING = 8.0  # a second
ANYBODY_AFTER_S = 60.0
MOST_LOOKS = 2000  # at candidates, for one group: those who block one another must not keep all others waiting
LEVELS = ((880.0, "easy"), (1080.0, "medium"), (1280.0, "hard"))  # below which rating such a bot is company


class Entry(NamedTuple):
    """One who waits. `bots_after_s` is None for somebody who wants people only."""

    ticket: str
    player: str
    rating: float
    waited_s: float
    bots_after_s: float | None = None

    @property
    def takes_bots(self) -> bool:
        return self.bots_after_s is not None and self.waited_s >= self.bots_after_s


class Group(NamedTuple):
    """Those who play together, the oldest first, and the levels of the bots that play with them."""

    members: tuple[Entry, ...]
    bots: tuple[str, ...] = ()


Apart = Callable[[str, str], bool]  # whether these two players must not meet


def window(waited_s: float) -> float | None:
    """How far ratings may lie from each other; None: any distance.

    >>> window(0), window(10), window(60)
    (80.0, 160.0, None)
    """
    return None if waited_s >= ANYBODY_AFTER_S else WINDOW + WIDENING * max(0.0, waited_s)


def bot_level(rating: float) -> str:
    """
    >>> bot_level(1000.0), bot_level(1600.0)
    ('medium', 'expert')
    """
    return next((level for below, level in LEVELS if rating < below), "expert")


def groups(entries: Collection[Entry], seats: int, apart: Apart) -> list[Group]:
    """Groups that fill all seats with people; then, for those who take bots by now, groups that bots complete."""
    line = _Line(entries)
    formed, left = [], []
    for anchor in _by_age(entries):
        if anchor not in line:
            continue
        company = _company(anchor, seats - 1, list(line.near(anchor)), apart)
        for member in (anchor, *(company or ())):  # who finds nobody is of no use to those with narrower windows
            line.remove(member)
        if company is None:
            left.append(anchor)
        else:
            formed.append(Group((anchor, *company)))
    return formed + _with_bots([entry for entry in left if entry.takes_bots], seats, apart)


def _by_age(entries: Collection[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda entry: (-entry.waited_s, entry.ticket))


def _company(anchor: Entry, wanted: int, near: Sequence[Entry], apart: Apart) -> list[Entry] | None:
    """So many of those near that all fit together, the nearest first; None: there are not so many, or hardly."""
    candidates = [entry for entry in near if not apart(anchor.player, entry.player)]
    reach, looks = window(anchor.waited_s), iter(range(MOST_LOOKS + len(candidates)))

    def extended(chosen: list[Entry], since: int) -> list[Entry] | None:
        if len(chosen) == wanted:
            return chosen
        for index in range(since, len(candidates) - (wanted - len(chosen)) + 1):
            entry = candidates[index]
            if next(looks, None) is None:
                return None
            if _fits(entry, [anchor, *chosen], reach, apart):
                found = extended([*chosen, entry], index + 1)
                if found is not None:
                    return found
        return None

    return extended([], 0)


def _fits(entry: Entry, chosen: Sequence[Entry], reach: float | None, apart: Apart) -> bool:
    is_near = reach is None or all(abs(entry.rating - other.rating) <= reach for other in chosen)
    return is_near and not any(apart(entry.player, other.player) for other in chosen)


def _with_bots(waiting: Sequence[Entry], seats: int, apart: Apart) -> list[Group]:
    """As many people together as there are, for whom it is time; their bots play about as well as they do."""
    line, formed = _Line(waiting), []
    for anchor in _by_age(waiting):
        if anchor not in line:
            continue
        members = [anchor]
        for entry in line.near(anchor):
            if len(members) < seats - 1 and _fits(entry, members, window(anchor.waited_s), apart):
                members.append(entry)
        for member in members:
            line.remove(member)
        strength = sum(member.rating for member in members) / len(members)
        formed.append(Group(tuple(members), (bot_level(strength),) * (seats - len(members))))
    return formed


class _Line:
    """Those who wait, in the order of their ratings; whoever is removed leaves no gap to step over."""

    def __init__(self, entries: Collection[Entry]) -> None:
        ends = len(entries)
        self._entries = sorted(entries, key=lambda entry: (entry.rating, entry.ticket))
        self._place = {entry.ticket: place for place, entry in enumerate(self._entries)}
        self._left = [place - 1 for place in range(ends)]  # -1: nobody
        self._right = [place + 1 for place in range(ends)]  # as many as there are: nobody

    def __contains__(self, entry: Entry) -> bool:
        return entry.ticket in self._place

    def remove(self, entry: Entry) -> None:
        place = self._place.pop(entry.ticket)
        left, right = self._left[place], self._right[place]
        if left >= 0:
            self._right[left] = right
        if right < len(self._right):
            self._left[right] = left

    def near(self, anchor: Entry) -> Iterator[Entry]:
        """Whom this one of them can reach, the nearest first."""
        place = self._place[anchor.ticket]
        left, right = self._left[place], self._right[place]
        reach = window(anchor.waited_s)
        while left >= 0 or right < len(self._entries):
            below = anchor.rating - self._entries[left].rating if left >= 0 else None
            above = self._entries[right].rating - anchor.rating if right < len(self._entries) else None
            is_below = above is None or (below is not None and below <= above)
            distance = below if is_below else above
            if distance is None or (reach is not None and distance > reach):
                return
            yield self._entries[left if is_below else right]
            left, right = (self._left[left], right) if is_below else (left, self._right[right])
