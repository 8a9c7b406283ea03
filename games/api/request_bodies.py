"""Request bodies of DRF views and their strict validation; rules are checked elsewhere."""

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Literal, TypeVar
from uuid import UUID

import msgspec

from games.api.body_errors import errors_of
from games.commands import SeedChoice
from games.game.decisions import game_settings
from games.game.decisions.game_settings import LIVE_CLOCK, Settings
from games.game.json import schema_types as t
from games.game.json.event_schemas import Clock
from games.rules.refused import Refused
from players.api.field_errors import Error

Body = TypeVar("Body", bound=msgspec.Struct)
LONGEST_WAIT_S = 3600


class SeatSeed(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """`client_seed`: the player's part of the dice. `late_seed`: the player announces that they will send a seed with
    `POST /games/{id}/seed` once they know the commitment; a game that would start by itself waits for it."""

    client_seed: t.ClientSeed | None = None
    late_seed: bool = False

    def seed(self) -> SeedChoice:
        return SeedChoice(self.client_seed, self.late_seed)


class CreateGame(SeatSeed, kw_only=True, forbid_unknown_fields=True):
    """Without these members: sheet `classic`, 2 seats, public, unrated, 20 seconds to roll and 45 to answer. A clock of
    null is no limit, in private games only."""

    ruleset: t.KnownRuleset
    sheet: t.KnownSheet = "classic"
    seats: t.SeatCount = 2
    visibility: Literal["public", "private"] = "public"
    clock: Clock | msgspec.UnsetType | None = msgspec.UNSET
    rated: bool = False
    bots: list[t.BotLevel] = []

    def settings(self) -> Settings:
        clock: Mapping[str, int] | None = LIVE_CLOCK
        if not isinstance(self.clock, msgspec.UnsetType):
            clock = msgspec.to_builtins(self.clock)
        return Settings(self.ruleset, self.sheet, self.seats, self.visibility, self.rated, clock, self.bots)


class JoinGame(SeatSeed, kw_only=True, forbid_unknown_fields=True):
    """A private game needs its `code`."""

    code: str | None = None


class JoinByCode(SeatSeed, kw_only=True, forbid_unknown_fields=True):
    """The join code of the game."""

    code: str


class GiveSeed(msgspec.Struct, forbid_unknown_fields=True):
    """Up to 64 of A-Z, a-z, 0-9, _ and -; a random one."""

    client_seed: t.ClientSeed


class SeatBot(msgspec.Struct, forbid_unknown_fields=True):
    """How strong the bot plays."""

    level: Literal["easy", "medium", "hard", "expert"]


class EnterQueue(msgspec.Struct, forbid_unknown_fields=True):
    """`bots_after_s`: after so many seconds bots take the free seats; without it they never do. `late_seed`: the player
    announces that they will send a client seed to the game of their match."""

    ruleset: t.KnownRuleset
    sheet: t.KnownSheet
    seats: t.SeatCount
    rated: bool = False
    bots_after_s: Annotated[int, msgspec.Meta(ge=0, le=LONGEST_WAIT_S)] | None = None
    late_seed: bool = False

    def settings(self) -> Settings:
        return Settings(self.ruleset, self.sheet, self.seats, rated=self.rated)


class Invite(msgspec.Struct, forbid_unknown_fields=True):
    """The player who is invited."""

    player: UUID


class Say(msgspec.Struct, forbid_unknown_fields=True):
    """The key of a phrase."""

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


def seed_errors(body: msgspec.Struct) -> list[Error]:
    return game_settings.client_seed_errors(getattr(body, "client_seed", None))


def read(data: Any, kind: type[Body], also: Callable[[Body], Iterable[Error]] = seed_errors) -> Body:
    """The body, unless its types or the checks of `also` find errors; all of them are told at once.

    >>> read({"code": "K7QXM2"}, JoinByCode).code
    'K7QXM2'
    """
    errors: list[Error] = []
    try:
        body = msgspec.convert(data, kind, strict=True)
    except msgspec.ValidationError:
        errors = errors_of(data, kind)
        if not isinstance(data, dict):
            raise Refused("malformed", errors=errors) from None
        body = _without(data, kind, wrong=_members(errors))
    wrong = _members(errors)
    errors += [error for error in also(body) if not _members([error]) & wrong]
    if errors:
        raise Refused("malformed", errors=errors)
    return body


def _members(errors: Iterable[Error]) -> set[str]:
    """The members of a body in which these errors are."""
    return {pointer.split("/")[1] for pointer, *_ in errors}


def _without(data: Mapping[str, Any], kind: type[Body], wrong: set[str]) -> Body:
    """The body with empty texts in place of wrong members, so that its other members can be checked."""
    fields = msgspec.structs.fields(kind)
    values = {
        field.name: msgspec.convert(data[field.encode_name], field.type)
        for field in fields
        if field.encode_name in data and field.encode_name not in wrong
    }
    return kind(**{field.name: "" for field in fields if field.required} | values)
