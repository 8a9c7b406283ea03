"""The schemas of responses, for the API document and for tests; clients see the class names."""

from typing import Any, Literal

import msgspec


class PlayerSchema(msgspec.Struct):
    """A player's public profile. A bot has no id."""

    id: str | None
    name: str
    is_guest: bool
    is_bot: bool
    level: str | None = None


class SeatSchema(msgspec.Struct):
    seat: int
    player: PlayerSchema
    state: Literal["playing", "away", "resigned"] = "playing"


class Clock(msgspec.Struct):
    """Seconds to roll or keep, and to answer."""

    roll_s: int
    answer_s: int


class Turn(msgspec.Struct):
    """`dice` is null in phase roll; a closed row's die is absent. `sum` is Qwinto's."""

    number: int
    active: int
    phase: str | None
    roll: int
    dice: dict[str, int | list[int]] | None
    waiting_for: list[int]
    deadline_at: str | None
    sum: int | None = None


class Sheet(msgspec.Struct):
    """Qwixx: numbers crossed per row, `locks`, `penalties`. Qwinto: column → number per row, `fails`. Where a sheet
    prints more, `extras` has the progress: fields `used`, cells crossed `twice`, links `done`."""

    seat: int
    rows: dict[str, Any]
    points: dict[str, int]
    locks: list[str] = []
    penalties: int | None = None
    fails: int | None = None
    extras: list[dict[str, Any]] = []


class Action(msgspec.Struct, omit_defaults=True):
    """One action. `roll` and `phase` name the dice that it answers; options carry them."""

    type: Literal["roll", "mark", "pass", "keep", "reroll", "write", "resign", "return"]
    row: str | msgspec.UnsetType = msgspec.UNSET
    number: int | msgspec.UnsetType = msgspec.UNSET
    column: int | msgspec.UnsetType = msgspec.UNSET
    dice: list[str] | msgspec.UnsetType = msgspec.UNSET
    roll: int | msgspec.UnsetType | None = msgspec.UNSET
    phase: str | msgspec.UnsetType | None = msgspec.UNSET


class Fairness(msgspec.Struct):
    commitment: str
    entropy: str | None


class Rank(msgspec.Struct):
    seat: int
    rank: int
    points: int


class Result(msgspec.Struct):
    reason: Literal[
        "two_rows_closed",
        "four_penalties",
        "two_rows_filled",
        "four_fails",
        "last_seat_standing",
        "aborted",
    ]
    ranking: list[Rank]


class GameSchema(msgspec.Struct):
    """A game as its viewer may see it. `code` is shown to seated players only."""

    id: str
    ruleset: str
    sheet: str
    status: Literal["open", "playing", "finished", "aborted", "voided"]
    version: int
    server_time: str
    visibility: Literal["public", "private"]
    code: str | None
    rated: bool
    clock: Clock | None
    size: int
    host: int | None
    seats: list[SeatSchema]
    you: int | None
    turn: Turn | None
    sheets: list[Sheet]
    closed_rows: list[str]
    your_answer: Action | None
    options: list[Action]
    fairness: Fairness
    result: Result | None
    next_game: str | None


class EventSchema(msgspec.Struct):
    """One event in its envelope; docs/events.md lists the types and their data."""

    game: str
    version: int
    type: str
    v: int
    at: str
    data: dict[str, Any]
    prev: str
    hash: str


class Acted(msgspec.Struct):
    version: int
    events: list[EventSchema]
    game: GameSchema


class PreviewPoints(msgspec.Struct):
    before: int
    after: int


class Preview(msgspec.Struct):
    """What an answer would do to the player's own sheet, with `?dry_run=true`."""

    marks: list[dict[str, Any]]
    points: PreviewPoints


class Events(msgspec.Struct):
    """`version` is the head of the log."""

    results: list[EventSchema]
    version: int


class SummaryTurn(msgspec.Struct):
    active: int | None
    phase: str | None
    deadline_at: str | None


class Summary(msgspec.Struct):
    id: str
    ruleset: str
    sheet: str
    status: Literal["open", "playing", "finished", "aborted", "voided"]
    size: int
    seats: list[SeatSchema]
    visibility: Literal["public", "private"]
    rated: bool
    clock: Clock | None
    turn: SummaryTurn | None
    created_at: str


class Games(msgspec.Struct):
    results: list[Summary]
    next: str | None
    previous: str | None


class RulesetSchema(msgspec.Struct):
    key: str
    seats: list[int]
    dice: list[str]
    sheets: list[dict[str, Any]]


class Rulesets(msgspec.Struct):
    results: list[RulesetSchema]


class RollSchema(msgspec.Struct):
    roll: int
    seat: int
    dice: dict[str, int | list[int]]


class Proof(msgspec.Struct):
    """Everything that is needed to compute every die again."""

    game: str
    server_seed: str
    commitment: str
    client_seeds: list[str]
    entropy: str | None
    first: int | None
    rolls: list[RollSchema]


class QueueTicket(msgspec.Struct):
    """A place in the queue. `detail` explains the wait in the caller's language; `window` is the rating difference that
    is allowed by now, null for any. `game` is set as soon as the status is `matched`."""

    ticket: str
    status: Literal["queued", "matched", "cancelled", "expired"]
    ruleset: str
    sheet: str
    seats: int
    rated: bool
    bots_after_s: int | None
    created_at: str
    game: str | None
    waiting_s: int | None
    window: int | None
    ahead: int | None
    others: int | None
    detail: str


class InvitationSchema(msgspec.Struct):
    """An invitation to an open game, with the settings of the game."""

    id: str
    game: str
    ruleset: str
    sheet: str
    size: int
    visibility: Literal["public", "private"]
    rated: bool
    clock: Clock | None
    by: PlayerSchema
    player: PlayerSchema
    created_at: str


class Invitations(msgspec.Struct):
    results: list[InvitationSchema]
    next: str | None
    previous: str | None


class Phrase(msgspec.Struct):
    key: str
    text: str


class Phrases(msgspec.Struct):
    results: list[Phrase]


class Said(msgspec.Struct):
    """A phrase as other players receive it, each in their own language, unless they have muted the sender."""

    type: Literal["phrase"]
    seat: int
    key: str
    text: str
