"""Results of finished games as plain values, and what follows from them for players."""

from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import NamedTuple
from uuid import UUID

FINISHED, VOIDED = "finished", "voided"
ALL_SHEETS = ""


class Place(NamedTuple):
    """The result of one seat. The ranking already puts players who left below all who played to the end."""

    player: UUID | None  # None: a bot
    seat: int
    rank: int
    points: int
    deserted: bool = False


class FinishedGame(NamedTuple):
    """The result of one game. A voided game is removed from all projections."""

    game: UUID
    ruleset: str
    sheet: str
    rated: bool
    status: str
    reason: str
    ended_at: datetime
    places: tuple[Place, ...]

    @property
    def counts(self) -> bool:
        """For ratings and leaderboards only rated games without bots count."""
        return self.rated and len(self.places) > 1 and all(place.player for place in self.places)

    @property
    def day(self) -> date:
        return self.ended_at.astimezone(UTC).date()


class StaleStanding(NamedTuple):
    """A player's standing of a day that has to be computed again, on the leaderboards of one sheet or of all ('')."""

    ruleset: str
    sheet: str
    player: UUID
    day: date


class ShownRatingChange(NamedTuple):
    """How a game changed a player's rating, in the numbers that are shown."""

    player: UUID
    ruleset: str
    game: UUID
    before: int
    after: int
    provisional: bool


class Effects:
    """What follows from a batch of results: standings to compute again, and rating changes to notify players of."""

    def __init__(self, *, is_live: bool = True) -> None:
        self.is_live = is_live  # False during a rebuild: neither players nor the cache are notified
        self.stale: set[StaleStanding] = set()
        self.rating_changes: list[ShownRatingChange] = []

    def add_stale(self, results: Iterable[FinishedGame]) -> None:
        """The standings of all players of these games."""
        self.stale |= {
            StaleStanding(result.ruleset, sheet, place.player, result.day)
            for result in results
            for place in result.places
            for sheet in (ALL_SHEETS, result.sheet)
            if place.player
        }
