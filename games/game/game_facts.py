"""The facts of a game around its turns."""

from collections.abc import Mapping
from typing import Any

from games.game.values import Value
from games.rules.facts import Fact


class GameCreated(Value, Fact, frozen=True):
    """The settings, and the SHA-256 of the secret seed, which fixes the dice."""

    changes_lobby = needed_for_results = True

    ruleset: str
    sheet: str
    seats: int
    visibility: str
    rated: bool
    clock: Mapping[str, int] | None
    commitment: str
    rematch_of: str | None = None


class SeatTaken(Value, Fact, frozen=True):
    """By a player (`player`: the id) or by a bot (`bot`: the level). `late_seed`: the player has announced that they
    will send a client seed. `deadline`: every seat is taken, and the game waits until then for the announced seeds.
    Both are absent otherwise."""

    changes_seats = changes_lobby = needed_for_results = True
    optional_fields = ("late_seed", "deadline")

    seat: int
    player: str | None
    bot: str | None
    client_seed: str
    late_seed: bool = False
    deadline: str | None = None

    def due(self, deadline: str) -> "SeatTaken":
        return self._replace(deadline=deadline)


class SeedGiven(Value, Fact, frozen=True):
    """A seated player has set or replaced the client seed of their seat, before the start."""

    seat: int
    client_seed: str


class SeatLeft(Value, Fact, frozen=True):
    """`host` is the seat whose player may start the game from now on."""

    changes_seats = changes_lobby = needed_for_results = True

    seat: int
    host: int | None


class GameStarted(Value, Fact, frozen=True):
    """`seats` are the taken seats in their new order: the seat that was seats[0] is seat 0 from now on. `printings` has
    the printing of each seat, and is absent where all seats have the same sheet."""

    changes_seats = changes_lobby = needed_for_results = True
    optional_fields = ("printings",)

    first: int
    entropy: str
    seats: tuple[int, ...]
    printings: tuple[str, ...] = ()


class AnswerSealed(Value, Fact, frozen=True):
    """Only its author may see `action` and `nonce` before the phase closes."""

    secret_fields = ("action", "nonce")

    seat: int
    action: Mapping[str, Any]
    nonce: str


class TimeRanOut(Value, Fact, frozen=True):
    """The deadline has passed and these seats had not answered, or before the start had not given the client seeds that
    they announced; the consequences are the next events."""

    seats: tuple[int, ...]
    deadline: str


class SeatWentAway(Value, Fact, frozen=True):
    """Three time-outs in a row: the game does not wait for this seat until it comes back."""

    changes_seats = needed_for_results = True

    seat: int


class SeatCameBack(Value, Fact, frozen=True):
    """The game waits for the seat again."""

    changes_seats = needed_for_results = True

    seat: int


class SeatResigned(Value, Fact, frozen=True):
    """The seat has left for good."""

    changes_seats = needed_for_results = True

    seat: int


class GameEnded(Value, Fact, frozen=True):
    """Best seat first; equal points share a rank. The seed is revealed."""

    changes_lobby = needed_for_results = changes_results = True

    reason: str
    ranking: tuple[Mapping[str, int], ...]
    server_seed: str


class GameAborted(Value, Fact, frozen=True):
    """Ended without a result. The seed is revealed."""

    changes_lobby = True

    reason: str
    server_seed: str


class RematchCreated(Value, Fact, frozen=True):
    """The next game of these players; a later event replaces a next game that was over before it started."""

    next_game: str


class TimeCredited(Value, Fact, frozen=True):
    """`key` names the outage, so that it is credited once."""

    seconds: int
    deadline: str
    key: str


class ClockPaused(Value, Fact, frozen=True):
    """By staff: no deadline runs."""

    reason: str


class ClockResumed(Value, Fact, frozen=True):
    """By staff: the open phase has its whole time again."""

    reason: str
    deadline: str | None


class GameVoided(Value, Fact, frozen=True):
    """By staff: taken out of ratings and boards. The seed is revealed."""

    changes_lobby = needed_for_results = changes_results = True

    reason: str
    server_seed: str


GAME_FACTS: dict[str, type[Fact]] = {
    "game_created": GameCreated,
    "seat_taken": SeatTaken,
    "seed_given": SeedGiven,
    "seat_left": SeatLeft,
    "game_started": GameStarted,
    "answer_sealed": AnswerSealed,
    "time_ran_out": TimeRanOut,
    "seat_went_away": SeatWentAway,
    "seat_came_back": SeatCameBack,
    "seat_resigned": SeatResigned,
    "game_ended": GameEnded,
    "game_aborted": GameAborted,
    "rematch_created": RematchCreated,
    "time_credited": TimeCredited,
    "clock_paused": ClockPaused,
    "clock_resumed": ClockResumed,
    "game_voided": GameVoided,
}
