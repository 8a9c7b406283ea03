"""Request bodies of DRF views and their strict validation; rules are checked elsewhere."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar
from uuid import UUID

import msgspec

from games.game.lobby import LIVE_CLOCK, Settings
from games.game.view_schemas import Clock
from games.rules.refused import Refused

Body = TypeVar("Body")
LONGEST_WAIT_S = 3600


class CreateGame(msgspec.Struct):
    ruleset: str
    sheet: str = "classic"
    seats: int = 2
    visibility: Literal["public", "private"] = "public"
    clock: Clock | msgspec.UnsetType | None = msgspec.UNSET
    rated: bool = False
    bots: list[str] = []
    client_seed: str | None = None

    def settings(self) -> Settings:
        clock: Mapping[str, int] | None = LIVE_CLOCK
        if not isinstance(self.clock, msgspec.UnsetType):
            clock = msgspec.to_builtins(self.clock)
        return Settings(self.ruleset, self.sheet, self.seats, self.visibility, self.rated, clock, self.bots)


class JoinGame(msgspec.Struct):
    code: str | None = None
    client_seed: str | None = None


class JoinByCode(msgspec.Struct):
    code: str
    client_seed: str | None = None


class SeatBot(msgspec.Struct):
    level: Literal["easy", "medium", "hard", "expert"]


class EnterQueue(msgspec.Struct):
    """`bots_after_s`: after so many seconds bots take the free seats; without it they never do."""

    ruleset: str
    sheet: str
    seats: int
    rated: bool = False
    bots_after_s: Annotated[int, msgspec.Meta(ge=0, le=LONGEST_WAIT_S)] | None = None


class Invite(msgspec.Struct):
    player: UUID


class Say(msgspec.Struct):
    key: Literal[
        "hello",
        "good_luck",
        "well_played",
        "nice_roll",
        "bad_luck",
        "so_close",
        "oops",
        "thanks",
        "one_moment",
        "your_turn",
        "rematch",
        "goodbye",
    ]


def read(data: Any, kind: type[Body]) -> Body:
    """
    >>> read({"code": "K7QXM2"}, JoinByCode).code
    'K7QXM2'
    """
    try:
        return msgspec.convert(data, kind, strict=True)
    except msgspec.ValidationError as error:
        raise Refused("malformed", errors=[pointed(str(error))]) from None


BOUND = re.compile("Expected `int` ([<>]=) ([0-9]+)")
PHRASES = {"Invalid UUID": "a UUID"}
MISSING = re.compile("Object missing required field `(.+?)`")


def pointed(message: str) -> tuple[str, str]:
    """The pointer and the phrase of a validation error.

    >>> pointed("Expected `int`, got `str` - at `$.clock.roll_s`")
    ('/clock/roll_s', 'Expected `int`, got `str`')
    >>> pointed("Object missing required field `code`")
    ('/code', 'a value')
    >>> pointed("Expected `int` >= 0 - at `$.bots_after_s`")
    ('/bots_after_s', '0 or more')
    """
    detail, _, place = message.partition(" - at `$")
    pointer = place.rstrip("`").replace("[", "/").replace("]", "").replace(".", "/")
    if missing := MISSING.match(detail):
        return f"{pointer}/{missing[1]}", "a value"
    if bound := BOUND.fullmatch(detail):
        return pointer, f"{bound[2]} or {'more' if bound[1] == '>=' else 'less'}"
    return pointer, PHRASES.get(detail, detail)
