"""What a finished game means to its players, as plain values: nobody here knows a rule, a log or a table."""

from datetime import UTC, date, datetime
from typing import NamedTuple
from uuid import UUID

FINISHED, VOIDED = "finished", "voided"

# The keys of all games there are; filled at start-up by whoever knows them.
RULESETS: list[str] = []


class Place(NamedTuple):
    """Where a seat came in. Who left or went away ranks below all who played on: the ranking says so already."""

    player: UUID | None  # None: a bot
    seat: int
    rank: int
    points: int
    deserted: bool = False


class Result(NamedTuple):
    """One game that is over. A voided one has to be taken out again."""

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
        """For ratings and boards: only rated games between people do."""
        return self.rated and len(self.places) > 1 and all(place.player for place in self.places)

    @property
    def day(self) -> date:
        return self.ended_at.astimezone(UTC).date()


class Touched(NamedTuple):
    """Whose standing of which day has to be worked out anew."""

    ruleset: str
    player: UUID
    day: date


class Moved(NamedTuple):
    """What a game has just done to a player's rating, in the numbers that are shown."""

    player: UUID
    ruleset: str
    game: UUID
    before: int
    after: int
    provisional: bool


class Effects:
    """What follows from a batch of results: standings to be worked out anew, and ratings to tell of."""

    def __init__(self, *, is_told: bool = True) -> None:
        self.is_told = is_told  # False while all is rebuilt: then players are told nothing, nor is the cache
        self.touched: set[Touched] = set()
        self.moved: list[Moved] = []
