"""The schemas of docs/openapi.json. Generated: run `make clients`."""

# ruff: noqa: E501
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias

from typing_extensions import TypedDict


class Accepted(TypedDict):
    """
    The response is the same whether or not a mail will be sent.
    """

    status: Literal["accepted"]


class BotAccount(TypedDict):
    """
    A bot account.
    """

    id: str
    name: str
    is_guest: bool
    is_bot: bool
    created_at: str


class BotAccountsList(TypedDict):
    """
    The bot accounts of the caller.
    """

    results: list[BotAccount]


class ChangeBody(TypedDict):
    """
    The members to change; the others stay as they are.
    """

    name: NotRequired[str]
    locale: NotRequired[Literal["en", "de", "ru", "uk", "pl"] | None]


class DataExport(TypedDict):
    """
    All data that is stored about the caller; there are more members than these.
    """

    player: dict[str, Any]
    sessions: list[dict[str, Any]]
    keys: list[dict[str, Any]]
    games: NotRequired[list[dict[str, Any]]]


class EmailBody(TypedDict):
    """
    The address of an account.
    """

    email: str


class GuestBody(TypedDict):
    """
    Both members are optional: without a name the service gives one.
    """

    name: NotRequired[str]
    device: NotRequired[str]


class Index(TypedDict):
    """
    The addresses of the service: `resources` with their methods, `streams`, and the `documents` about them.
    """

    version: str
    documents: dict[str, str]
    resources: dict[str, list[str]]
    streams: list[str]


class Me(TypedDict):
    """
    A player as they see themselves.
    """

    id: str
    name: str
    is_guest: bool
    is_bot: bool
    locale: Literal["en", "de", "ru", "uk", "pl"] | None
    email: str | None
    email_confirmed: bool
    created_at: str
    games_waiting: int


class NewBotBody(TypedDict):
    """
    The name of a new bot account.
    """

    name: str


class NewTokenBody(TypedDict):
    """
    A token with scopes; `bot` makes it for one of the caller's bot accounts.
    """

    name: str
    scopes: list[Literal["read", "play", "bots", "account"]]
    expires_at: NotRequired[str | None]
    bot: NotRequired[str | None]


class PasswordBody(TypedDict):
    """
    The old password of the account, and the new one.
    """

    old: str
    new: str


class Point(TypedDict):
    """
    The rating after a game.
    """

    game: str | None
    at: str
    value: int


class Profile(TypedDict):
    """
    A player as all players see them.
    """

    id: str
    name: str
    is_guest: bool
    is_bot: bool


class Profiles(TypedDict):
    """
    A page of players.
    """

    results: list[Profile]
    next: str | None
    previous: str | None


class Rating(TypedDict):
    """
    A rating of the model, and the shown value 1000 + 40 (mu - 3 sigma).
    """

    value: int
    mu: float
    sigma: float
    games: int
    provisional: bool


class RatingWithHistory(TypedDict):
    """
    A rating of the model, and the shown value 1000 + 40 (mu - 3 sigma).
    """

    value: int
    mu: float
    sigma: float
    games: int
    provisional: bool
    history: list[Point]
    changes: str


class RegisterBody(TypedDict):
    """
    A new account, and the name of this device.
    """

    name: str
    email: str
    password: str
    device: NotRequired[str]


class Report(TypedDict):
    """
    A report that the staff will read.
    """

    id: str
    created_at: str


class ReportBody(TypedDict):
    """
    Why a player is reported, and in which game.
    """

    reason: Literal["cheating", "abuse", "name", "deserting", "other"]
    game: NotRequired[str | None]
    text: NotRequired[str]


class ResetBody(TypedDict):
    """
    The token of a mailed link, and the new password.
    """

    token: str
    new: str


class Session(TypedDict):
    """
    A device that is logged in.
    """

    id: str
    device: str
    created_at: str
    last_seen_at: str | None
    current: bool


class Sessions(TypedDict):
    """
    The devices on which the caller is logged in.
    """

    results: list[Session]


class SheetFigures(TypedDict):
    """
    All finished games on one sheet.
    """

    sheet: str
    played: int
    won: int
    average: float
    best: int


class SignInBody(TypedDict):
    """
    The address and password of an account, and the name of this device.
    """

    email: str
    password: str
    device: NotRequired[str]


class StreamTicket(TypedDict):
    """
    A ticket for one connection.
    """

    ticket: str
    expires_at: str


class TokenBody(TypedDict):
    """
    The token of a mailed link.
    """

    token: str


class Version(TypedDict):
    """
    The versions of the service and of its API.
    """

    version: str
    api: str
    oldest_app: str


class Clock(TypedDict, closed=True):
    """
    Seconds to roll or keep, and to answer.
    """

    roll_s: int
    answer_s: int


class Rank(TypedDict):
    """
    The rank and points of a seat; seats of equal rank share it.
    """

    seat: int
    rank: int
    points: int


class Player(TypedDict):
    """
    A player's public profile. A bot of the service has no id, and a `level`.
    """

    id: str | None
    name: str
    is_guest: bool
    is_bot: bool
    level: NotRequired[Literal["easy", "medium", "hard", "expert"]]


class Seat(TypedDict):
    """
    A seat that is taken. The game does not wait for a seat that is `away`; one that has `resigned` is out of it.
    """

    seat: int
    player: Player
    state: Literal["away", "playing", "resigned"]


class StartWait(TypedDict):
    """
    A game before its start. `waiting_for`: the seats whose announced client seed has not come yet. `deadline_at`: all seats are taken, and the game starts when these seeds are there, or then; null while a seat is free.
    """

    waiting_for: list[int]
    deadline_at: str | None


class Turn(TypedDict):
    """
    The turn in progress. `roll` is the number of the last roll, 0 before the first. `dice` is null in phase roll; a closed row's die is absent. `sum` is Qwinto's.
    """

    number: int
    active: int
    phase: str | None
    roll: int
    dice: dict[str, Any] | None
    waiting_for: list[int]
    deadline_at: str | None
    sum: NotRequired[int | None]


class Fairness(TypedDict):
    """
    The SHA-256 of the secret seed, known from the creation on, and the hash of the players' seeds, known from the start on.
    """

    commitment: str
    entropy: str | None


class Outcome(TypedDict):
    """
    The best seat first; equal points share a rank. A game that was aborted has no ranking.
    """

    reason: Literal[
        "aborted", "four_fails", "four_penalties", "last_seat_standing", "two_rows_closed", "two_rows_filled"
    ]
    ranking: list[Rank]


TwiceItem: TypeAlias = int


class Extra(TypedDict):
    """
    The progress of what a sheet prints beyond its rows: how many fields of the track are `used`, which cells are crossed `twice`, which links are `done`.
    """

    key: str
    used: NotRequired[int]
    twice: NotRequired[list[list[TwiceItem]]]
    done: NotRequired[list[int]]


class QwintoSheet(TypedDict):
    """
    The numbers that are written in each row, by column.
    """

    ruleset: Literal["qwinto"]
    seat: int
    points: dict[str, int]
    rows: dict[str, dict[str, int]]
    fails: int


class RollAction(TypedDict):
    """
    Roll the dice. Qwinto: those of the named colours, each once, in any order.
    """

    type: Literal["roll"]
    dice: NotRequired[list[str]]
    roll: NotRequired[int | None]
    phase: NotRequired[str | None]


class MarkAction(TypedDict):
    """
    Qwixx: cross a number out.
    """

    type: Literal["mark"]
    row: str
    number: int
    roll: NotRequired[int | None]
    phase: NotRequired[str | None]


class WriteAction(TypedDict):
    """
    Qwinto: write the sum of the dice into a cell.
    """

    type: Literal["write"]
    row: str
    column: int
    roll: NotRequired[int | None]
    phase: NotRequired[str | None]


class PassAction(TypedDict):
    """
    Mark or write nothing.
    """

    type: Literal["pass"]
    roll: NotRequired[int | None]
    phase: NotRequired[str | None]


class KeepAction(TypedDict):
    """
    Qwinto: keep the dice as they were rolled.
    """

    type: Literal["keep"]
    roll: NotRequired[int | None]
    phase: NotRequired[str | None]


class RerollAction(TypedDict):
    """
    Qwinto: roll the same dice once more; the second result counts.
    """

    type: Literal["reroll"]
    roll: NotRequired[int | None]
    phase: NotRequired[str | None]


class ResignAction(TypedDict):
    """
    Leave the game for good.
    """

    type: Literal["resign"]
    roll: NotRequired[int | None]
    phase: NotRequired[str | None]


class ReturnAction(TypedDict):
    """
    Come back to a game from which this seat is away; every other action does so, too.
    """

    type: Literal["return"]
    roll: NotRequired[int | None]
    phase: NotRequired[str | None]


class GameCreatedData(TypedDict):
    """
    The settings, and the SHA-256 of the secret seed, which fixes the dice.
    """

    ruleset: str
    sheet: str
    seats: int
    visibility: Literal["private", "public"]
    rated: bool
    clock: Clock | None
    commitment: str
    rematch_of: str | None


class SeatTakenData(TypedDict):
    """
    By a player (`player`: the id) or by a bot (`bot`: the level). `late_seed`: the player has announced that they will send a client seed. `deadline`: every seat is taken, and the game waits until then for the announced seeds. Both are absent otherwise.
    """

    seat: int
    player: str | None
    bot: Literal["easy", "medium", "hard", "expert"] | None
    client_seed: str
    late_seed: NotRequired[bool]
    deadline: NotRequired[str | None]


class SeedGivenData(TypedDict):
    """
    A seated player has set or replaced the client seed of their seat, before the start.
    """

    seat: int
    client_seed: str


class SeatLeftData(TypedDict):
    """
    `host` is the seat whose player may start the game from now on.
    """

    seat: int
    host: int | None


class GameStartedData(TypedDict):
    """
    `seats` are the taken seats in their new order: the seat that was seats[0] is seat 0 from now on. `printings` has the printing of each seat, and is absent where all seats have the same sheet.
    """

    first: int
    entropy: str
    seats: list[int]
    printings: NotRequired[list[str]]


class TimeRanOutData(TypedDict):
    """
    The deadline has passed and these seats had not answered, or before the start had not given the client seeds that they announced; the consequences are the next events.
    """

    seats: list[int]
    deadline: str


class SeatWentAwayData(TypedDict):
    """
    Three time-outs in a row: the game does not wait for this seat until it comes back.
    """

    seat: int


class SeatCameBackData(TypedDict):
    """
    The game waits for the seat again.
    """

    seat: int


class SeatResignedData(TypedDict):
    """
    The seat has left for good.
    """

    seat: int


class GameEndedData(TypedDict):
    """
    Best seat first; equal points share a rank. The seed is revealed.
    """

    reason: Literal["four_fails", "four_penalties", "last_seat_standing", "two_rows_closed", "two_rows_filled"]
    ranking: list[Rank]
    server_seed: str


class GameAbortedData(TypedDict):
    """
    Ended without a result. The seed is revealed.
    """

    reason: str
    server_seed: str


class RematchCreatedData(TypedDict):
    """
    The next game of these players; a later event replaces a next game that was over before it started.
    """

    next_game: str


class TimeCreditedData(TypedDict):
    """
    `key` names the outage, so that it is credited once.
    """

    seconds: int
    deadline: str
    key: str


class ClockPausedData(TypedDict):
    """
    By staff: no deadline runs.
    """

    reason: str


class ClockResumedData(TypedDict):
    """
    By staff: the open phase has its whole time again.
    """

    reason: str
    deadline: str | None


class GameVoidedData(TypedDict):
    """
    By staff: taken out of ratings and boards. The seed is revealed.
    """

    reason: str
    server_seed: str


class TurnStartedData(TypedDict):
    """
    Opens phase `roll`.
    """

    seat: int
    turn: int
    deadline: str | None


class DiceRolledData(TypedDict):
    """
    Opens the next phase. `dice` as players see them; a reroll is a new roll.
    """

    seat: int
    roll: int
    dice: dict[str, list[int]]
    deadline: str | None


class DiceKeptData(TypedDict):
    """
    Opens phase `write`.
    """

    seat: int
    deadline: str | None


class CellMarkedData(TypedDict):
    """
    A number was crossed out.
    """

    seat: int
    row: str
    number: int
    phase: str


class NoteMadeData(TypedDict):
    """
    A clause of the sheet stores a number for this seat.
    """

    seat: int
    clause: str
    note: int


class RowClosedData(TypedDict):
    """
    `seats` marked the last number: each of them crosses the lock.
    """

    row: str
    seats: list[int]


class PenaltyTakenData(TypedDict):
    """
    The active seat marked nothing in its turn.
    """

    seat: int


class NumberWrittenData(TypedDict):
    """
    The sum of the dice was written into a cell.
    """

    seat: int
    row: str
    column: int
    number: int


class ThrowFailedData(TypedDict):
    """
    The active seat wrote nothing in its turn.
    """

    seat: int


class PreviewPoints(TypedDict):
    """
    The total of the caller's sheet before and after the action.
    """

    before: int
    after: int


class CellMarkedEffect(TypedDict):
    """
    A number was crossed out.
    """

    type: Literal["cell_marked"]
    seat: int
    row: str
    number: int
    phase: str


class NoteMadeEffect(TypedDict):
    """
    A clause of the sheet stores a number for this seat.
    """

    type: Literal["note_made"]
    seat: int
    clause: str
    note: int


class RowClosedEffect(TypedDict):
    """
    `seats` marked the last number: each of them crosses the lock.
    """

    type: Literal["row_closed"]
    row: str
    seats: list[int]


class PenaltyTakenEffect(TypedDict):
    """
    The active seat marked nothing in its turn.
    """

    type: Literal["penalty_taken"]
    seat: int


class NumberWrittenEffect(TypedDict):
    """
    The sum of the dice was written into a cell.
    """

    type: Literal["number_written"]
    seat: int
    row: str
    column: int
    number: int


class ThrowFailedEffect(TypedDict):
    """
    The active seat wrote nothing in its turn.
    """

    type: Literal["throw_failed"]
    seat: int


class ShareLink(TypedDict):
    """
    The key of a game that is over, and the address of the page that shows the game with it.
    """

    share: str
    url: str


class SummaryTurn(TypedDict):
    """
    The turn in progress; `waiting_for` are the seats that have to act now.
    """

    active: int
    phase: str | None
    waiting_for: list[int]
    deadline_at: str | None


class SummarySeat(TypedDict):
    """
    A seat that is taken, and by whom.
    """

    seat: int
    player: Player


class Summary(TypedDict):
    """
    A game in a list. `turn` is null unless the game is in progress, `result` and `ended_at` until it is over; `you` is the caller's seat.
    """

    id: str
    ruleset: str
    sheet: str
    status: Literal["aborted", "finished", "open", "playing", "voided"]
    version: int
    seats: list[SummarySeat]
    size: int
    visibility: Literal["private", "public"]
    rated: bool
    clock: Clock | None
    turn: SummaryTurn | None
    you: int | None
    result: Outcome | None
    created_at: str
    ended_at: str | None


class Games(TypedDict):
    """
    A page of games.
    """

    results: list[Summary]
    next: str | None
    previous: str | None


Seat1: TypeAlias = int


class PrintedCell(TypedDict):
    """
    Qwinto prints no numbers, and `bonus` marks its pentagons. In Qwixx, `bonus` marks the cells of a bonus row; the colour is empty where a cell has none.
    """

    number: int | None
    colour: str
    column: int
    bonus: bool


Cell: TypeAlias = int


Link: TypeAlias = int


class BonusRow(TypedDict):
    """
    The index of a bonus row, and of the rows above and below it.
    """

    row: int
    neighbours: list[int]


Number: TypeAlias = int


class TrackField(TypedDict):
    """
    A field of a bonus bar has a `colour`, a pair of numbers to swap has `numbers`.
    """

    colour: NotRequired[str]
    numbers: NotRequired[list[Number]]


class QwixxScore(TypedDict):
    """
    The points of a row by its crosses: `crosses[3]` for three.
    """

    crosses: list[int]


class PenaltyBoxes(TypedDict):
    """
    How many boxes there are, and the points of each that is crossed; the last one ends the game.
    """

    points: int
    boxes: int


class QwintoScore(TypedDict):
    """
    The points of a number, and what a full row and a full column of three score.
    """

    number: int
    full_row: str
    full_column_of_three: str


class Roll(TypedDict):
    """
    A roll of a finished game, as the seed gives it.
    """

    roll: int
    seat: int
    dice: dict[str, list[int]]


class Proof(TypedDict):
    """
    Everything that is needed to compute every die again. `late_seeds`: whether the client seed of each seat came after the commitment; `detail` says what follows, in the caller's language. `printings` are present where a sheet has several.
    """

    game: str
    server_seed: str
    commitment: str
    client_seeds: list[str]
    late_seeds: list[bool]
    detail: str
    entropy: str | None
    first: int | None
    rolls: list[Roll]
    printings: NotRequired[list[str]]


class QueueTicket(TypedDict):
    """
    A place in the queue. `detail` explains the wait in the caller's language; `window` is the rating difference that is allowed by now, null for any. `game` is set as soon as the status is `matched`.
    """

    ticket: str
    status: Literal["cancelled", "expired", "matched", "queued"]
    ruleset: str
    sheet: str
    seats: int
    rated: bool
    bots_after_s: int | None
    late_seed: bool
    created_at: str
    game: str | None
    waiting_s: int | None
    window: int | None
    ahead: int | None
    others: int | None
    detail: str


class Invitation(TypedDict):
    """
    An invitation to an open game, with the settings of the game.
    """

    id: str
    game: str
    ruleset: str
    sheet: str
    size: int
    visibility: Literal["private", "public"]
    rated: bool
    clock: Clock | None
    by: Player
    player: Player
    created_at: str


class Invitations(TypedDict):
    """
    A page of invitations.
    """

    results: list[Invitation]
    next: str | None
    previous: str | None


class Phrase(TypedDict):
    """
    A phrase in the language of the caller.
    """

    key: str
    text: str


class Phrases(TypedDict):
    """
    Every phrase that players can say.
    """

    results: list[Phrase]


class Said(TypedDict):
    """
    A phrase as other players receive it, each in their own language, unless they have muted the sender.
    """

    type: Literal["phrase"]
    seat: int
    key: str
    text: str


class NewRating(TypedDict):
    """
    A rating after a game, and before it. It is provisional below ten rated games.
    """

    value: int
    before: int
    provisional: bool


class HomeLinks(TypedDict):
    """
    The address of each list that has more than `GET /home` shows; null where it shows all.
    """

    waiting: str | None
    playing: str | None
    open: str | None
    invitations: str | None


class SeatSeed(TypedDict, closed=True):
    """
    `client_seed`: the player's part of the dice. `late_seed`: the player announces that they will send a seed with `POST /games/{id}/seed` once they know the commitment; a game that would start by itself waits for it.
    """

    client_seed: NotRequired[str | None]
    late_seed: NotRequired[bool]


class CreateGame(TypedDict, closed=True):
    """
    Without these members: sheet `classic`, 2 seats, public, unrated, 20 seconds to roll and 45 to answer. A clock of null is no limit, in private games only.
    """

    client_seed: NotRequired[str | None]
    late_seed: NotRequired[bool]
    ruleset: Literal["qwixx", "qwinto"]
    sheet: NotRequired[
        Literal[
            "classic",
            "mixx_a",
            "mixx_b",
            "big_points",
            "bonus_a",
            "bonus_b",
            "double_a",
            "double_b",
            "x_change",
            "connected_a_steps",
            "connected_b_chain",
        ]
    ]
    seats: NotRequired[int]
    visibility: NotRequired[Literal["private", "public"]]
    clock: NotRequired[Clock | None]
    rated: NotRequired[bool]
    bots: NotRequired[list[Literal["easy", "medium", "hard", "expert"]]]


class JoinGame(TypedDict, closed=True):
    """
    A private game needs its `code`.
    """

    client_seed: NotRequired[str | None]
    late_seed: NotRequired[bool]
    code: NotRequired[str | None]


class JoinByCode(TypedDict, closed=True):
    """
    The join code of the game.
    """

    client_seed: NotRequired[str | None]
    late_seed: NotRequired[bool]
    code: str


class GiveSeed(TypedDict, closed=True):
    """
    Up to 64 of A-Z, a-z, 0-9, _ and -; a random one.
    """

    client_seed: str


class SeatBot(TypedDict, closed=True):
    """
    How strong the bot plays.
    """

    level: Literal["easy", "expert", "hard", "medium"]


class EnterQueue(TypedDict, closed=True):
    """
    `bots_after_s`: after so many seconds bots take the free seats; without it they never do. `late_seed`: the player announces that they will send a client seed to the game of their match.
    """

    ruleset: Literal["qwixx", "qwinto"]
    sheet: Literal[
        "classic",
        "mixx_a",
        "mixx_b",
        "big_points",
        "bonus_a",
        "bonus_b",
        "double_a",
        "double_b",
        "x_change",
        "connected_a_steps",
        "connected_b_chain",
    ]
    seats: int
    rated: NotRequired[bool]
    bots_after_s: NotRequired[int | None]
    late_seed: NotRequired[bool]


class Invite(TypedDict, closed=True):
    """
    The player who is invited.
    """

    player: str


class Say(TypedDict, closed=True):
    """
    The key of a phrase.
    """

    key: Literal[
        "bad_luck",
        "good_luck",
        "goodbye",
        "hello",
        "nice_roll",
        "one_moment",
        "oops",
        "rematch",
        "so_close",
        "thanks",
        "well_played",
        "your_turn",
    ]


class RegisterWebhook(TypedDict, closed=True):
    """
    `events`: the types to send; all of them without it.
    """

    url: str
    events: NotRequired[list[Literal["game.finished", "game.started", "game.your_turn", "rating.changed"]]]


class ChangeWebhook(TypedDict, closed=True):
    """
    Members that are absent stay as they are. A webhook that was disabled continues where it stopped.
    """

    url: NotRequired[str]
    events: NotRequired[list[Literal["game.finished", "game.started", "game.your_turn", "rating.changed"]]]
    enabled: NotRequired[bool]


class RotateSecret(TypedDict, closed=True):
    """
    For `old_valid_s` seconds messages carry a signature of the old secret as well; 0 ends it at once.
    """

    old_valid_s: NotRequired[int]


class Webhook(TypedDict):
    """
    `disabled_because`: its owner, a day of failures, or a receiver that answered 410. `failing_since` is null while messages are delivered.
    """

    id: str
    url: str
    events: list[Literal["game.finished", "game.started", "game.your_turn", "rating.changed"]]
    enabled: bool
    disabled_because: Literal["failing", "gone", "owner"] | None
    failing_since: str | None
    created_at: str


class WebhookWithSecret(TypedDict):
    """
    `secret` is shown in this response only.
    """

    id: str
    url: str
    events: list[Literal["game.finished", "game.started", "game.your_turn", "rating.changed"]]
    enabled: bool
    disabled_because: Literal["failing", "gone", "owner"] | None
    failing_since: str | None
    created_at: str
    secret: str


class Webhooks(TypedDict):
    """
    The webhooks of the caller.
    """

    results: list[Webhook]


class DeliveryAttempt(TypedDict):
    """
    The status of the response, or the code of an error.
    """

    at: str
    status: int | None
    error: (
        Literal[
            "address_not_allowed",
            "connection_failed",
            "internal",
            "protocol_error",
            "timeout",
            "tls_failed",
            "unknown_host",
        ]
        | None
    )
    duration_ms: int


class GameStartedContent(TypedDict):
    """
    The settings of the game that starts.
    """

    game: str
    version: int
    player: str
    seat: int | None
    ruleset: str
    sheet: str
    seats: int
    visibility: Literal["private", "public"]
    rated: bool


class YourTurnContent(TypedDict):
    """
    The turn in which the game waits for the player.
    """

    game: str
    version: int
    player: str
    seat: int | None
    turn: Turn


class GameFinishedContent(TypedDict):
    """
    How the game ended.
    """

    game: str
    version: int
    player: str
    seat: int | None
    status: Literal["aborted", "finished", "open", "playing", "voided"]
    result: Outcome | None


class RatingChangedContent(TypedDict):
    """
    The new rating of the player.
    """

    game: str
    version: int
    player: str
    seat: int | None
    ruleset: str
    rating: NewRating


Action: TypeAlias = (
    RollAction | MarkAction | WriteAction | PassAction | KeepAction | RerollAction | ResignAction | ReturnAction
)


Effect: TypeAlias = (
    CellMarkedEffect | NoteMadeEffect | RowClosedEffect | PenaltyTakenEffect | NumberWrittenEffect | ThrowFailedEffect
)


class Error(TypedDict):
    """
    What is wrong with one member of the body.
    """

    pointer: str
    code: Literal[
        "missing",
        "unknown",
        "wrong_type",
        "not_one_of",
        "out_of_range",
        "too_short",
        "too_long",
        "wrong_format",
        "not_unique",
    ]
    detail: str


class Problem(TypedDict):
    """
    A problem document (RFC 9457).
    """

    type: str
    title: str
    status: int
    detail: str
    code: Literal[
        "malformed",
        "not_authenticated",
        "invalid_credentials",
        "not_allowed",
        "not_seated",
        "banned",
        "not_found",
        "method_not_allowed",
        "too_slow",
        "wrong_phase",
        "not_your_turn",
        "stale_roll",
        "too_late",
        "already_seated",
        "game_full",
        "game_not_open",
        "game_over",
        "game_not_over",
        "not_enough_seats",
        "already_queued",
        "email_taken",
        "bots_unavailable",
        "webhook_exists",
        "too_many_webhooks",
        "webhook_disabled",
        "too_many_tokens",
        "too_many_bots",
        "link_expired",
        "version_mismatch",
        "too_large",
        "unsupported_media_type",
        "idempotency_key_reused",
        "weak_password",
        "rated_needs_people",
        "row_closed",
        "left_to_right",
        "lock_needs_marks",
        "number_not_rolled",
        "no_such_row",
        "no_such_number",
        "row_not_rolled",
        "cell_filled",
        "no_such_cell",
        "ascending",
        "column_repeats",
        "choose_dice",
        "bonus_needs_mark",
        "too_many_requests",
        "head_too_large",
        "internal",
        "unavailable",
    ]
    request_id: str
    errors: NotRequired[list[Error]]


class AccessToken(TypedDict):
    """
    A personal access token, without its text.
    """

    id: str
    name: str
    scopes: list[Literal["read", "play", "bots", "account"]]
    player: Profile
    created_at: str
    expires_at: str | None
    last_used_at: str | None


class AccessTokens(TypedDict):
    """
    The valid tokens of the caller, the newest first.
    """

    results: list[AccessToken]


class Entry(TypedDict):
    """
    A player's rank; equal values share a rank.
    """

    rank: int
    player: Profile
    value: int


class Figures(TypedDict):
    """
    All finished games of a ruleset, rated or not, without voided games.
    """

    ruleset: str
    played: int
    won: int
    average: float | None
    best: int | None
    sheets: list[SheetFigures]
    rating: RatingWithHistory


Leaderboard = TypedDict(
    "Leaderboard",
    {
        "results": list[Entry],
        "to": str | None,
        "you": Entry | None,
        "next": str | None,
        "previous": str | None,
        "from": str | None,
    },
)


class NewAccessToken(TypedDict):
    """
    A personal access token, without its text.
    """

    id: str
    name: str
    scopes: list[Literal["read", "play", "bots", "account"]]
    player: Profile
    created_at: str
    expires_at: str | None
    last_used_at: str | None
    token: str


class NewSession(TypedDict):
    """
    A player and the token of a new session, which is shown only once.
    """

    player: Profile
    token: str


class Opponent(TypedDict):
    """
    Another player of the game, with the rank and the rating before it.
    """

    player: Profile
    rank: int
    before: Rating


class Stats(TypedDict):
    """
    The figures of a player, one entry for each ruleset.
    """

    player: Profile
    results: list[Figures]


class QwixxSheet(TypedDict):
    """
    The numbers that are crossed in each row, from left to right. `extras` is absent where the sheet prints none, and `printing` where all seats have the same sheet.
    """

    ruleset: Literal["qwixx"]
    seat: int
    points: dict[str, int]
    rows: dict[str, list[int]]
    locks: list[str]
    penalties: int
    extras: NotRequired[list[Extra]]
    printing: NotRequired[str]


class GameCreatedEvent(TypedDict):
    """
    The settings, and the SHA-256 of the secret seed, which fixes the dice. `v` is 1.
    """

    type: Literal["game_created"]
    data: GameCreatedData
    game: str
    version: int
    v: int
    at: str
    prev: str
    hash: str


class SeatTakenEvent(TypedDict):
    """
    By a player (`player`: the id) or by a bot (`bot`: the level). `late_seed`: the player has announced that they will send a client seed. `deadline`: every seat is taken, and the game waits until then for the announced seeds. Both are absent otherwise. `v` is 1.
    """

    type: Literal["seat_taken"]
    data: SeatTakenData
    game: str
    version: int
    v: int
    at: str
    prev: str
    hash: str


class SeedGivenEvent(TypedDict):
    """
    A seated player has set or replaced the client seed of their seat, before the start. `v` is 1.
    """

    type: Literal["seed_given"]
    data: SeedGivenData
    game: str
    version: int
    v: int
    at: str
    prev: str
    hash: str


class SeatLeftEvent(TypedDict):
    """
    `host` is the seat whose player may start the game from now on. `v` is 1.
    """

    type: Literal["seat_left"]
    data: SeatLeftData
    game: str
    version: int
    v: int
    at: str
    prev: str
    hash: str


class GameStartedEvent(TypedDict):
    """
    `seats` are the taken seats in their new order: the seat that was seats[0] is seat 0 from now on. `printings` has the printing of each seat, and is absent where all seats have the same sheet. `v` is 1.
    """

    type: Literal["game_started"]
    data: GameStartedData
    game: str
    version: int
    v: int
    at: str
    prev: str
    hash: str


class AnswerSealedData(TypedDict):
    """
    Only its author may see `action` and `nonce` before the phase closes.
    """

    seat: int
    action: NotRequired[Action]
    nonce: NotRequired[str]


class TimeRanOutEvent(TypedDict):
    """
    The deadline has passed and these seats had not answered, or before the start had not given the client seeds that they announced; the consequences are the next events. `v` is 1.
    """

    type: Literal["time_ran_out"]
    data: TimeRanOutData
    game: str
    version: int
    v: int
    at: str
    prev: str
    hash: str


class SeatWentAwayEvent(TypedDict):
    """
    Three time-outs in a row: the game does not wait for this seat until it comes back. `v` is 1.
    """

    type: Literal["seat_went_away"]
    data: SeatWentAwayData
    game: str
    version: int
    v: int
    at: str
    prev: str
    hash: str


class SeatCameBackEvent(TypedDict):
    """
    The game waits for the seat again. `v` is 1.
    """

    type: Literal["seat_came_back"]
    data: SeatCameBackData
    game: str
    version: int
    v: int
    at: str
    prev: str
    hash: str


class SeatResignedEvent(TypedDict):
    """
    The seat has left for good. `v` is 1.
    """

    type: Literal["seat_resigned"]
    data: SeatResignedData
    game: str
    version: int
    v: int
    at: str
    prev: str
    hash: str


class GameEndedEvent(TypedDict):
    """
    Best seat first; equal points share a rank. The seed is revealed. `v` is 1.
    """

    type: Literal["game_ended"]
    data: GameEndedData
    game: str
    version: int
    v: int
    at: str
    prev: str
    hash: str


class GameAbortedEvent(TypedDict):
    """
    Ended without a result. The seed is revealed. `v` is 1.
    """

    type: Literal["game_aborted"]
    data: GameAbortedData
    game: str
    version: int
    v: int
    at: str
    prev: str
    hash: str


class RematchCreatedEvent(TypedDict):
    """
    The next game of these players; a later event replaces a next game that was over before it started. `v` is 1.
    """

    type: Literal["rematch_created"]
    data: RematchCreatedData
    game: str
    version: int
    v: int
    at: str
    prev: str
    hash: str


class TimeCreditedEvent(TypedDict):
    """
    `key` names the outage, so that it is credited once. `v` is 1.
    """

    type: Literal["time_credited"]
    data: TimeCreditedData
    game: str
    version: int
    v: int
    at: str
    prev: str
    hash: str


class ClockPausedEvent(TypedDict):
    """
    By staff: no deadline runs. `v` is 1.
    """

    type: Literal["clock_paused"]
    data: ClockPausedData
    game: str
    version: int
    v: int
    at: str
    prev: str
    hash: str


class ClockResumedEvent(TypedDict):
    """
    By staff: the open phase has its whole time again. `v` is 1.
    """

    type: Literal["clock_resumed"]
    data: ClockResumedData
    game: str
    version: int
    v: int
    at: str
    prev: str
    hash: str


class GameVoidedEvent(TypedDict):
    """
    By staff: taken out of ratings and boards. The seed is revealed. `v` is 1.
    """

    type: Literal["game_voided"]
    data: GameVoidedData
    game: str
    version: int
    v: int
    at: str
    prev: str
    hash: str


class TurnStartedEvent(TypedDict):
    """
    Opens phase `roll`. `v` is 1.
    """

    type: Literal["turn_started"]
    data: TurnStartedData
    game: str
    version: int
    v: int
    at: str
    prev: str
    hash: str


class DiceRolledEvent(TypedDict):
    """
    Opens the next phase. `dice` as players see them; a reroll is a new roll. `v` is 2.
    """

    type: Literal["dice_rolled"]
    data: DiceRolledData
    game: str
    version: int
    v: int
    at: str
    prev: str
    hash: str


class DiceKeptEvent(TypedDict):
    """
    Opens phase `write`. `v` is 1.
    """

    type: Literal["dice_kept"]
    data: DiceKeptData
    game: str
    version: int
    v: int
    at: str
    prev: str
    hash: str


class RevealedAnswer(TypedDict):
    """
    A sealed answer once its phase is closed: what the event of this version said.
    """

    seat: int
    version: int
    action: Action
    nonce: str


class CellMarkedEvent(TypedDict):
    """
    A number was crossed out. `v` is 1.
    """

    type: Literal["cell_marked"]
    data: CellMarkedData
    game: str
    version: int
    v: int
    at: str
    prev: str
    hash: str


class NoteMadeEvent(TypedDict):
    """
    A clause of the sheet stores a number for this seat. `v` is 1.
    """

    type: Literal["note_made"]
    data: NoteMadeData
    game: str
    version: int
    v: int
    at: str
    prev: str
    hash: str


class RowClosedEvent(TypedDict):
    """
    `seats` marked the last number: each of them crosses the lock. `v` is 1.
    """

    type: Literal["row_closed"]
    data: RowClosedData
    game: str
    version: int
    v: int
    at: str
    prev: str
    hash: str


class PenaltyTakenEvent(TypedDict):
    """
    The active seat marked nothing in its turn. `v` is 1.
    """

    type: Literal["penalty_taken"]
    data: PenaltyTakenData
    game: str
    version: int
    v: int
    at: str
    prev: str
    hash: str


class NumberWrittenEvent(TypedDict):
    """
    The sum of the dice was written into a cell. `v` is 1.
    """

    type: Literal["number_written"]
    data: NumberWrittenData
    game: str
    version: int
    v: int
    at: str
    prev: str
    hash: str


class ThrowFailedEvent(TypedDict):
    """
    The active seat wrote nothing in its turn. `v` is 1.
    """

    type: Literal["throw_failed"]
    data: ThrowFailedData
    game: str
    version: int
    v: int
    at: str
    prev: str
    hash: str


class Preview(TypedDict):
    """
    What an answer would do to the player's own sheet: its marks, locks and penalty, and its points.
    """

    marks: list[Effect]
    points: PreviewPoints


class PrintedRow(TypedDict):
    """
    `lock` is the colour whose die leaves the game when the row is closed; null where there is none.
    """

    key: str
    lock: str | None
    cells: list[PrintedCell]


class PrintedExtra(TypedDict):
    """
    What a sheet prints beyond its rows: special `cells`; `links` of two cells each, and what each does; bonus rows; a `track` of fields that are used in order.
    """

    key: str
    cells: NotRequired[list[list[Cell]]]
    links: NotRequired[list[list[list[Link]]]]
    effects: NotRequired[list[str]]
    bonus_rows: NotRequired[list[BonusRow]]
    track: NotRequired[list[TrackField]]


class Printing(TypedDict):
    """
    One of several printings of a sheet, of which the seats of a game have different ones.
    """

    key: str
    extras: list[PrintedExtra]


class QwintoPrintedSheet(TypedDict):
    """
    The printed sheet of Qwinto.
    """

    key: str
    rows: list[PrintedRow]
    clauses: list[str]
    extras: list[PrintedExtra]
    score: QwintoScore
    fails: PenaltyBoxes


class Home(TypedDict):
    """
    All that the first screen of an app shows, from one moment: the lists have up to 20 entries each, the newest first. Games in `waiting` are in `playing`, too.
    """

    player: Me
    version: Version
    waiting: list[Summary]
    playing: list[Summary]
    open: list[Summary]
    invitations: list[Invitation]
    queue: QueueTicket | None
    stats: list[Figures]
    more: HomeLinks
    server_time: str


class GameStartedMessage(TypedDict):
    """
    A game of the player has started.
    """

    type: Literal["game.started"]
    timestamp: str
    data: GameStartedContent


class YourTurnMessage(TypedDict):
    """
    A game waits for the player.
    """

    type: Literal["game.your_turn"]
    timestamp: str
    data: YourTurnContent


class GameFinishedMessage(TypedDict):
    """
    A game of the player is over.
    """

    type: Literal["game.finished"]
    timestamp: str
    data: GameFinishedContent


class RatingChangedMessage(TypedDict):
    """
    A rated game has been counted.
    """

    type: Literal["rating.changed"]
    timestamp: str
    data: RatingChangedContent


Sheet: TypeAlias = QwixxSheet | QwintoSheet


WebhookMessage: TypeAlias = GameStartedMessage | YourTurnMessage | GameFinishedMessage | RatingChangedMessage


class Change(TypedDict):
    """
    How a game changed a rating, with its inputs: the ranks and the ratings of all players before the game.
    """

    game: str | None
    at: str
    value: int
    model: str
    rank: int
    before: Rating
    after: Rating
    opponents: list[Opponent]


class Changes(TypedDict):
    """
    A page of changes of a rating, the newest first.
    """

    results: list[Change]
    next: str | None
    previous: str | None


class Game(TypedDict):
    """
    A game as its viewer may see it. `code` is shown to seated players only; `you`, `options` and `your_answer` are the viewer's own. `start` is null unless the game is open, `turn` unless it is in progress, `result` until it is over.
    """

    id: str
    ruleset: str
    sheet: str
    status: Literal["aborted", "finished", "open", "playing", "voided"]
    version: int
    server_time: str
    visibility: Literal["private", "public"]
    code: str | None
    rated: bool
    clock: Clock | None
    size: int
    host: int | None
    seats: list[Seat]
    you: int | None
    start: StartWait | None
    turn: Turn | None
    sheets: list[Sheet]
    closed_rows: list[str]
    your_answer: Action | None
    options: list[Action]
    fairness: Fairness
    result: Outcome | None
    next_game: str | None


class AnswerSealedEvent(TypedDict):
    """
    Only its author may see `action` and `nonce` before the phase closes. `v` is 1.
    """

    type: Literal["answer_sealed"]
    data: AnswerSealedData
    game: str
    version: int
    v: int
    at: str
    prev: str
    hash: str


class PhaseClosedData(TypedDict):
    """
    All seats have answered, or time is out. `answers` reveals what was sealed, replaced answers included.
    """

    phase: str
    answers: list[RevealedAnswer] | None
    deadline: str | None


class QwixxPrintedSheet(TypedDict):
    """
    The last number of a row needs `marks_before_last` crosses first.
    """

    key: str
    rows: list[PrintedRow]
    clauses: list[str]
    extras: list[PrintedExtra]
    marks_before_last: int
    score: QwixxScore
    penalties: PenaltyBoxes
    printings: list[Printing]


class QwintoRuleset(TypedDict):
    """
    Qwinto, with all that a client needs to draw its sheet.
    """

    key: Literal["qwinto"]
    seats: list[Seat1]
    dice: list[str]
    sheets: list[QwintoPrintedSheet]


class Delivery(TypedDict):
    """
    A message and its last 20 attempts. `id` is the header `webhook-id` of each; `payload` is the body.
    """

    id: str
    type: Literal["game.finished", "game.started", "game.your_turn", "rating.changed"]
    game: str
    status: Literal["delivered", "failed", "pending"]
    created_at: str
    next_attempt_at: str | None
    delivered_at: str | None
    attempts: list[DeliveryAttempt]
    payload: WebhookMessage


class Deliveries(TypedDict):
    """
    A page of messages, the newest first.
    """

    results: list[Delivery]
    next: str | None
    previous: str | None


class PhaseClosedEvent(TypedDict):
    """
    All seats have answered, or time is out. `answers` reveals what was sealed, replaced answers included. `v` is 1.
    """

    type: Literal["phase_closed"]
    data: PhaseClosedData
    game: str
    version: int
    v: int
    at: str
    prev: str
    hash: str


class QwixxRuleset(TypedDict):
    """
    Qwixx, with all that a client needs to draw its sheets.
    """

    key: Literal["qwixx"]
    seats: list[Seat1]
    dice: list[str]
    sheets: list[QwixxPrintedSheet]


Event: TypeAlias = (
    GameCreatedEvent
    | SeatTakenEvent
    | SeedGivenEvent
    | SeatLeftEvent
    | GameStartedEvent
    | AnswerSealedEvent
    | TimeRanOutEvent
    | SeatWentAwayEvent
    | SeatCameBackEvent
    | SeatResignedEvent
    | GameEndedEvent
    | GameAbortedEvent
    | RematchCreatedEvent
    | TimeCreditedEvent
    | ClockPausedEvent
    | ClockResumedEvent
    | GameVoidedEvent
    | TurnStartedEvent
    | DiceRolledEvent
    | DiceKeptEvent
    | PhaseClosedEvent
    | CellMarkedEvent
    | NoteMadeEvent
    | RowClosedEvent
    | PenaltyTakenEvent
    | NumberWrittenEvent
    | ThrowFailedEvent
)


Ruleset: TypeAlias = QwixxRuleset | QwintoRuleset


class Acted(TypedDict):
    """
    The events that the action caused, and the game after them.
    """

    version: int
    events: list[Event]
    game: Game


class Events(TypedDict):
    """
    `version` is the head of the log.
    """

    results: list[Event]
    version: int


class Rulesets(TypedDict):
    """
    Every ruleset of this service.
    """

    results: list[Ruleset]
