"""Every frame of a stream as a type: what is sent is encoded by them, and the AsyncAPI document is made of them."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from games.game.view_schemas import Action, Event, Game, Summary, Turn

PROTOCOL = "qx.v1"
HEARTBEAT_S = 15

Command = Annotated[str, Meta(min_length=1, max_length=64, description="1 to 64 characters, chosen by the client.")]
Time = Annotated[str, Meta(description="RFC 3339, UTC.")]
Version = Annotated[int, Meta(ge=0)]


class Frame(msgspec.Struct, tag_field="type"):
    def encode(self) -> bytes:
        return _encode(self)


_encode = msgspec.json.Encoder().encode


class Hello(Frame, tag="hello"):
    """First. `version` is the head of the game's log; null on streams that follow no game."""

    version: int | None
    server_time: Time
    protocol: Literal["qx.v1"] = "qx.v1"
    heartbeat_s: int = HEARTBEAT_S


class State(Frame, tag="state"):
    """Next, when no `after` was given: the whole game as this viewer may see it."""

    game: Game


class EventFrame(Frame, tag="event"):
    """Every event after N, then live: in order, no gaps, no repeats. Another's sealed answer has no secrets in it."""

    event: Event


class View(Frame, tag="view"):
    """After events that change what this seat may do; spectators have no options."""

    version: int
    turn: Turn | None
    options: list[Action]
    your_answer: Action | None


class Heartbeat(Frame, tag="heartbeat"):
    """Every 15 seconds and after `ping`: whoever has less than `version` is behind."""

    version: int | None
    server_time: Time


class Phrase(Frame, tag="phrase"):
    """Somebody at the table says something; heard now or never. `text` follows `Accept-Language`."""

    seat: int
    key: str
    text: str


class Ack(Frame, tag="ack"):
    """The command is stored. The same id again gives the same version again."""

    id: str
    version: int


class Wrong(msgspec.Struct):
    """What is wrong with one member of an action."""

    pointer: str
    code: str
    detail: str


class Error(Frame, tag="error", omit_defaults=True):
    """The command was refused and nothing is stored. `detail` follows `Accept-Language`, `code` never changes."""

    id: str
    code: str
    detail: str
    errors: list[Wrong] = []


class Games(Frame, tag="games"):
    """The lobby at first: public games that wait for players, the newest first."""

    games: list[Summary]


class GameFrame(Frame, tag="game"):
    """A public game that was opened, joined, left, started or is over."""

    game: Summary


class YourTurn(Frame, tag="your_turn"):
    """A game waits for this player: now, or already when the stream was opened. May be told twice."""

    game: str
    turn: Turn


class GameStarted(Frame, tag="game_started"):
    """A game in which this player sits has begun."""

    game: str


class MatchFound(Frame, tag="match_found"):
    """Matchmaking has seated this player."""

    game: str
    ticket: str | msgspec.UnsetType = msgspec.UNSET


class Invited(Frame, tag="invited"):
    """Somebody asks this player to a game: POST /invitations/{invitation}/accept, or decline."""

    game: str
    invitation: str | msgspec.UnsetType = msgspec.UNSET
    by: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET


class RatingChanged(Frame, tag="rating_changed"):
    """A rated game has been counted."""

    ruleset: str
    game: str | msgspec.UnsetType = msgspec.UNSET
    rating: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET


class Act(Frame, tag="action"):
    """As POST /games/{id}/actions, exactly once per id; the id is an Idempotency-Key."""

    id: Command
    action: Action


class Resume(Frame, tag="resume"):
    """Send again from there."""

    after: Version


class Ping(Frame, tag="ping"):
    """A heartbeat, now."""


CLOSE_CODES = {
    4400: ("malformed: a frame that cannot be read, is binary, too large or of an unknown type", False),
    4401: ("not authenticated, or revoked", True),
    4403: ("not allowed", False),
    4404: ("no such game, or none that this player may see", False),
    4408: ("too slow: the client does not read what it is sent", True),
    4429: ("too many messages", True),
    1012: ("restart: connect again and resume", True),
}
MALFORMED, NOT_AUTHENTICATED, NOT_ALLOWED, NOT_FOUND, TOO_SLOW, TOO_MANY = (4400, 4401, 4403, 4404, 4408, 4429)
RESTART, INTERNAL = 1012, 1011
