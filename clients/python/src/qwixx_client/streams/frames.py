"""The frames of a stream, as docs/asyncapi.json describes them. Streams of games are opened with `view=full`."""

from typing import Literal, NamedTuple, NotRequired, TypedDict

from qwixx_client.models import Action, Event, Game, Summary, Turn


class Hello(TypedDict):
    """First on each connection. `version` is the head of the game's log; null on streams that follow no game."""

    type: Literal["hello"]
    protocol: str
    heartbeat_s: int
    version: int | None
    server_time: str


class State(TypedDict):
    type: Literal["state"]
    game: Game


class UpdateFrame(TypedDict):
    """`game` is null in all but the last portion of what a client missed."""

    type: Literal["update"]
    version: int
    events: list[Event]
    game: Game | None


class Heartbeat(TypedDict):
    type: Literal["heartbeat"]
    version: int | None
    server_time: str


class Ack(TypedDict):
    type: Literal["ack"]
    id: str
    version: int


class Refusal(TypedDict):
    type: Literal["error"]
    id: str
    code: str
    detail: str


class Spoken(TypedDict):
    """A seat says a phrase; it is sent once and not stored."""

    type: Literal["phrase"]
    seat: int
    key: str
    text: str


GameFrame = Hello | State | UpdateFrame | Heartbeat | Ack | Refusal | Spoken


class ActionCommand(TypedDict):
    type: Literal["action"]
    id: str
    action: Action


class ResumeCommand(TypedDict):
    type: Literal["resume"]
    after: int


Command = ActionCommand | ResumeCommand


class LobbyGames(TypedDict):
    type: Literal["games"]
    games: list[Summary]


class LobbyGame(TypedDict):
    type: Literal["game"]
    game: Summary


LobbyFrame = Hello | LobbyGames | LobbyGame


class YourTurn(TypedDict):
    type: Literal["your_turn"]
    game: str
    turn: Turn


class GameStarted(TypedDict):
    type: Literal["game_started"]
    game: str


class MatchFound(TypedDict):
    type: Literal["match_found"]
    game: str
    ticket: NotRequired[str]


class Invited(TypedDict):
    type: Literal["invited"]
    game: str
    invitation: NotRequired[str]


class InvitationDeclined(TypedDict):
    type: Literal["invitation_declined"]
    game: str
    invitation: str


class RematchOffered(TypedDict):
    type: Literal["rematch_offered"]
    game: str
    next: str


class RatingChanged(TypedDict):
    type: Literal["rating_changed"]
    ruleset: str


Notification = (
    Hello | YourTurn | GameStarted | MatchFound | Invited | InvitationDeclined | RematchOffered | RatingChanged
)


class Update(NamedTuple):
    """What happened since the last update, and the game after it."""

    version: int
    events: list[Event]
    game: Game
