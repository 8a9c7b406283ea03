"""The schemas of responses, for the API document and for tests; clients see the class names."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from games.game.json import schema_types as t
from games.game.json.action_schemas import ActionUnion
from games.game.json.event_schemas import Clock, EffectUnion, EventUnion, Rank, Reason, Visibility
from games.game.json.sheet_schemas import RulesetUnion, SheetUnion

AnyReason = Literal[Reason, "aborted"]
Status = Literal["open", "playing", "finished", "aborted", "voided"]


class PlayerSchema(msgspec.Struct):
    """A player's public profile. A bot of the service has no id, and a `level`."""

    id: t.Id | None
    name: str
    is_guest: bool
    is_bot: bool
    level: t.BotLevel | UnsetType = UNSET


class SeatSchema(msgspec.Struct):
    """A seat that is taken. The game does not wait for a seat that is `away`; one that has `resigned` is out of it."""

    seat: t.SeatNumber
    player: PlayerSchema
    state: Literal["playing", "away", "resigned"]


class StartWait(msgspec.Struct):
    """A game before its start. `waiting_for`: the seats whose announced client seed has not come yet. `deadline_at`:
    all seats are taken, and the game starts when these seeds are there, or then; null while a seat is free."""

    waiting_for: list[t.SeatNumber]
    deadline_at: t.Time | None


class Turn(msgspec.Struct):
    """The turn in progress. `roll` is the number of the last roll, 0 before the first. `dice` is null in phase roll; a
    closed row's die is absent. `sum` is Qwinto's."""

    number: t.Count
    active: t.SeatNumber
    phase: t.PhaseName | None
    roll: t.Count
    dice: t.Dice | None
    waiting_for: list[t.SeatNumber]
    deadline_at: t.Time | None
    sum: t.Number | UnsetType | None = UNSET


class Fairness(msgspec.Struct):
    """The SHA-256 of the secret seed, known from the creation on, and the hash of the players' seeds, known from the
    start on."""

    commitment: t.Hash
    entropy: t.Hash | None


class OutcomeSchema(msgspec.Struct):
    """The best seat first; equal points share a rank. A game that was aborted has no ranking."""

    reason: AnyReason
    ranking: list[Rank]


class GameSchema(msgspec.Struct):
    """A game as its viewer may see it. `code` is shown to seated players only; `you`, `options` and `your_answer` are
    the viewer's own. `start` is null unless the game is open, `turn` unless it is in progress, `result` until it is
    over."""

    id: t.Id
    ruleset: t.RulesetKey
    sheet: t.SheetKey
    status: Status
    version: t.Version
    server_time: t.Time
    visibility: Visibility
    code: t.JoinCode | None
    rated: bool
    clock: Clock | None
    size: t.SeatCount
    host: t.SeatNumber | None
    seats: list[SeatSchema]
    you: t.SeatNumber | None
    start: StartWait | None
    turn: Turn | None
    sheets: list[SheetUnion]
    closed_rows: list[t.RowKey]
    your_answer: ActionUnion | None
    options: list[ActionUnion]
    fairness: Fairness
    result: OutcomeSchema | None
    next_game: t.Id | None


class Acted(msgspec.Struct):
    """The events that the action caused, and the game after them."""

    version: t.Version
    events: list[EventUnion]
    game: GameSchema


class PreviewPoints(msgspec.Struct):
    """The total of the caller's sheet before and after the action."""

    before: int
    after: int


class Preview(msgspec.Struct):
    """What an answer would do to the player's own sheet: its marks, locks and penalty, and its points."""

    marks: list[EffectUnion]
    points: PreviewPoints


class ShareLink(msgspec.Struct):
    """The key of a game that is over, and the address of the page that shows the game with it."""

    share: str
    url: str


class Events(msgspec.Struct):
    """`version` is the head of the log."""

    results: list[EventUnion]
    version: t.Version


class SummaryTurn(msgspec.Struct):
    """The turn in progress; `waiting_for` are the seats that have to act now."""

    active: t.SeatNumber
    phase: t.PhaseName | None
    waiting_for: list[t.SeatNumber]
    deadline_at: t.Time | None


class SummarySeat(msgspec.Struct):
    """A seat that is taken, and by whom."""

    seat: t.SeatNumber
    player: PlayerSchema


class Summary(msgspec.Struct):
    """A game in a list. `turn` is null unless the game is in progress, `result` and `ended_at` until it is over; `you`
    is the caller's seat."""

    id: t.Id
    ruleset: t.RulesetKey
    sheet: t.SheetKey
    status: Status
    version: t.Version
    seats: list[SummarySeat]
    size: t.SeatCount
    visibility: Visibility
    rated: bool
    clock: Clock | None
    turn: SummaryTurn | None
    you: t.SeatNumber | None
    result: OutcomeSchema | None
    created_at: t.Time
    ended_at: t.Time | None


class Games(msgspec.Struct):
    """A page of games."""

    results: list[Summary]
    next: t.Url | None
    previous: t.Url | None


class Rulesets(msgspec.Struct):
    """Every ruleset of this service."""

    results: list[RulesetUnion]


class RollSchema(msgspec.Struct):
    """A roll of a finished game, as the seed gives it."""

    roll: t.Version
    seat: t.SeatNumber
    dice: t.Dice


class Proof(msgspec.Struct):
    """Everything that is needed to compute every die again. `late_seeds`: whether the client seed of each seat came
    after the commitment; `detail` says what follows, in the caller's language. `printings` are present where a sheet
    has several."""

    game: t.Id
    server_seed: t.Hash
    commitment: t.Hash
    client_seeds: list[t.ClientSeed]
    late_seeds: list[bool]
    detail: str
    entropy: t.Hash | None
    first: t.SeatNumber | None
    rolls: list[RollSchema]
    printings: list[str] | UnsetType = UNSET


class QueueTicket(msgspec.Struct):
    """A place in the queue. `detail` explains the wait in the caller's language; `window` is the rating difference that
    is allowed by now, null for any. `game` is set as soon as the status is `matched`."""

    ticket: t.Id
    status: Literal["queued", "matched", "cancelled", "expired"]
    ruleset: t.RulesetKey
    sheet: t.SheetKey
    seats: t.SeatCount
    rated: bool
    bots_after_s: t.Count | None
    late_seed: bool
    created_at: t.Time
    game: t.Id | None
    waiting_s: t.Count | None
    window: t.Count | None
    ahead: t.Count | None
    others: t.Count | None
    detail: str


class InvitationSchema(msgspec.Struct):
    """An invitation to an open game, with the settings of the game."""

    id: t.Id
    game: t.Id
    ruleset: t.RulesetKey
    sheet: t.SheetKey
    size: t.SeatCount
    visibility: Visibility
    rated: bool
    clock: Clock | None
    by: PlayerSchema
    player: PlayerSchema
    created_at: t.Time


class Invitations(msgspec.Struct):
    """A page of invitations."""

    results: list[InvitationSchema]
    next: t.Url | None
    previous: t.Url | None


class Phrase(msgspec.Struct):
    """A phrase in the language of the caller."""

    key: str
    text: str


class Phrases(msgspec.Struct):
    """Every phrase that players can say."""

    results: list[Phrase]


class Said(msgspec.Struct):
    """A phrase as other players receive it, each in their own language, unless they have muted the sender."""

    type: Literal["phrase"]
    seat: t.SeatNumber
    key: str
    text: str


class NewRating(msgspec.Struct):
    """A rating after a game, and before it. It is provisional below ten rated games."""

    value: int
    before: int
    provisional: bool


class HomeLinks(msgspec.Struct):
    """The address of each list that has more than `GET /home` shows; null where it shows all."""

    waiting: t.Url | None
    playing: t.Url | None
    open: t.Url | None
    invitations: t.Url | None


class Home(msgspec.Struct):
    """All that the first screen of an app shows, from one moment: the lists have up to 20 entries each, the newest
    first. Games in `waiting` are in `playing`, too."""

    player: Annotated[Any, Meta(extra_json_schema={"$ref": "#/components/schemas/Me"})]
    version: Annotated[Any, Meta(extra_json_schema={"$ref": "#/components/schemas/Version"})]
    waiting: list[Summary]
    playing: list[Summary]
    open: list[Summary]
    invitations: list[InvitationSchema]
    queue: QueueTicket | None
    stats: list[Annotated[Any, Meta(extra_json_schema={"$ref": "#/components/schemas/Figures"})]]
    more: HomeLinks
    server_time: t.Time
