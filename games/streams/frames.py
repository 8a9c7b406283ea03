"""Every frame of a stream as a type, for encoding and for the AsyncAPI document; reads the frames of clients."""

from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta

from games.game.json import schema_types as t
from games.game.json import strict_json
from games.game.json.action_schemas import ActionUnion
from games.game.json.event_schemas import EventUnion
from games.game.json.view_schemas import GameSchema, NewRating, PlayerSchema, SeatSchema, Summary, Turn
from games.rules.refused import Refused

PROTOCOL = "qx.v1"
HEARTBEAT_S = 15
LARGEST_FRAME = 64 * 1024  # bytes

Command = Annotated[str, Meta(min_length=1, max_length=64, description="1 to 64 characters, chosen by the client.")]
SentVersion = Annotated[int, Meta(ge=0)]
ClientFrame = dict[str, Any]  # as a client sent it, not yet checked


class StreamFrame(msgspec.Struct, tag_field="type"):
    message_id: ClassVar[str] = ""  # in the AsyncAPI document, if it is not the type

    def encode(self) -> str:
        return _encode(self).decode()


_encode = msgspec.json.Encoder().encode


class Hello(StreamFrame, tag="hello"):
    """First. `version` is the head of the game's log; null on streams that follow no game."""

    version: t.Version | None
    server_time: t.Time
    protocol: Literal["qx.v1"] = "qx.v1"
    heartbeat_s: int = HEARTBEAT_S


class StateFrame(StreamFrame, tag="state"):
    """Next, when no `after` was given: the whole game as this viewer may see it."""

    game: GameSchema


class Update(StreamFrame, tag="update"):
    """One commit: its events in order, then what this seat may do after it. No gaps, no repeats; another seat's sealed
    answer has no secrets in it. `seats` only if they changed. After a resume the missed events come in updates of up
    to 100, of which only the last has `turn`, `options` and `your_answer`; in the others they are null."""

    version: t.Version
    events: list[EventUnion]
    turn: Turn | None
    options: list[ActionUnion] | None
    your_answer: ActionUnion | None
    seats: list[SeatSchema] | msgspec.UnsetType = msgspec.UNSET


class FullUpdate(StreamFrame, tag="update"):
    """The same with `?view=full`: the whole game view in place of its parts, for a client that knows no rules. After a
    resume only the last update has it; in the others it is null."""

    message_id: ClassVar[str] = "full_update"

    version: t.Version
    events: list[EventUnion]
    game: GameSchema | None


class Heartbeat(StreamFrame, tag="heartbeat"):
    """Every 15 seconds and after `ping`. A client that has less than `version` is behind."""

    version: t.Version | None
    server_time: t.Time


class PhraseFrame(StreamFrame, tag="phrase"):
    """A seat says a phrase; it is sent once and not stored. `text` follows the player's `locale`, else
    `Accept-Language`."""

    seat: t.SeatNumber
    key: str
    text: str


class Ack(StreamFrame, tag="ack"):
    """The command is stored; comes after the update that it caused, or in its place if it appended nothing. The same id
    again gives the same version again."""

    id: str
    version: t.Version


class MemberError(msgspec.Struct):
    """What is wrong with one member of an action."""

    pointer: str
    code: str
    detail: str


class ErrorFrame(StreamFrame, tag="error", omit_defaults=True):
    """The command was refused and nothing is stored. `detail` follows the player's `locale`, else `Accept-Language`;
    `code` never changes."""

    id: str
    code: str
    detail: str
    errors: list[MemberError] = []


class GamesFrame(StreamFrame, tag="games"):
    """First in the lobby: public games that wait for players, the newest first."""

    games: list[Summary]


class GameFrame(StreamFrame, tag="game"):
    """A public game that was opened, joined, left, started or is over."""

    game: Summary


class YourTurn(StreamFrame, tag="your_turn"):
    """A game waits for this player: now, or already when the stream was opened. One that
    comes while the stream is being opened may be sent twice."""

    game: t.Id
    turn: Turn


class GameStartedFrame(StreamFrame, tag="game_started"):
    """A game in which this player has a seat has started."""

    game: t.Id


class MatchFound(StreamFrame, tag="match_found"):
    """Matchmaking has seated this player."""

    game: t.Id
    ticket: t.Id | msgspec.UnsetType = msgspec.UNSET


class Invited(StreamFrame, tag="invited"):
    """Another player invites this player to a game: POST /invitations/{invitation}/accept, or decline."""

    game: t.Id
    invitation: t.Id | msgspec.UnsetType = msgspec.UNSET
    by: PlayerSchema | msgspec.UnsetType = msgspec.UNSET


class InvitationDeclined(StreamFrame, tag="invitation_declined"):
    """A player declines an invitation by this player."""

    game: t.Id
    invitation: t.Id
    player: PlayerSchema


class RematchOffered(StreamFrame, tag="rematch_offered"):
    """A player of a game that is over asks for the next one: POST /games/{game}/rematch takes the reserved seat."""

    game: t.Id
    next: t.Id


class RatingChanged(StreamFrame, tag="rating_changed"):
    """A rated game has been counted."""

    ruleset: t.RulesetKey
    game: t.Id | msgspec.UnsetType = msgspec.UNSET
    rating: NewRating | msgspec.UnsetType = msgspec.UNSET


class ActionFrame(StreamFrame, tag="action"):
    """As POST /games/{id}/actions, exactly once per id; the id is an Idempotency-Key."""

    id: Command
    action: ActionUnion


class ResumeFrame(StreamFrame, tag="resume"):
    """Send the events after this version again."""

    after: SentVersion


class PingFrame(StreamFrame, tag="ping"):
    """A heartbeat, now."""


CLOSE_CODES = {
    4400: ("malformed: a frame that cannot be read, is binary, over 64 KiB or of an unknown type", False),
    4401: ("not authenticated, or revoked", True),
    4403: ("not allowed", False),
    4404: ("no such game, or a private game of other players", False),
    4408: ("too slow: the client does not read what it is sent", True),
    4429: ("too many messages, sockets opened or streams held: wait before the next attempt", True),
    1012: ("restart: connect again and resume", True),
}
MALFORMED, NOT_AUTHENTICATED, NOT_ALLOWED, NOT_FOUND, TOO_SLOW, TOO_MANY = (4400, 4401, 4403, 4404, 4408, 4429)
RESTART, INTERNAL = 1012, 1011


def read(text: str | None) -> ClientFrame:
    """The object in a text frame; a binary or too large frame is malformed."""
    if text is None or len(text.encode()) > LARGEST_FRAME:
        raise Refused("malformed")
    return strict_json.object_in(text)
