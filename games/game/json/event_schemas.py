"""The schemas of events: one per type, told apart by `type`, made from the facts that the log stores."""

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import or_
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_type_hints

import msgspec
from msgspec import UNSET, UnsetType

from games.game.event_types import FACTS, VERSIONS
from games.game.json import schema_types as t
from games.game.json.action_schemas import ActionUnion
from games.rules.facts import Fact
from games.rules.registry import RULESETS

Visibility = Literal["public", "private"]


class Clock(msgspec.Struct, forbid_unknown_fields=True):
    """Seconds to roll or keep, and to answer."""

    roll_s: t.ClockSeconds
    answer_s: t.ClockSeconds


class Rank(msgspec.Struct):
    """The rank and points of a seat; seats of equal rank share it."""

    seat: t.SeatNumber
    rank: Annotated[int, t.schema(minimum=1)]
    points: int


class RevealedAnswer(msgspec.Struct):
    """A sealed answer once its phase is closed: what the event of this version said."""

    seat: t.SeatNumber
    version: t.Version
    action: ActionUnion
    nonce: t.Nonce


Reason = Literal["two_rows_closed", "four_penalties", "two_rows_filled", "four_fails", "last_seat_standing"]

# A member of this name has this type in every event, others have that of their fact; null is from the fact, too.
MEMBERS: Mapping[str, Any] = {
    **dict.fromkeys(("seat", "host", "first"), t.SeatNumber),
    **dict.fromkeys(("player", "rematch_of", "next_game"), t.Id),
    **dict.fromkeys(("commitment", "entropy", "server_seed"), t.Hash),
    "deadline": t.Time,
    **dict.fromkeys(("turn", "roll"), t.Version),
    "seats": list[t.SeatNumber],
    "ruleset": t.RulesetKey,
    "sheet": t.SheetKey,
    "visibility": Visibility,
    "clock": Clock,
    "bot": t.BotLevel,
    "client_seed": t.ClientSeed,
    "action": ActionUnion,
    "nonce": t.Nonce,
    "ranking": list[Rank],
    "seconds": t.Count,
    "dice": t.Dice,
    "phase": t.PhaseName,
    "answers": list[RevealedAnswer],
    "row": t.RowKey,
    "number": t.Number,
    "column": t.Column,
    "note": t.Count,
}
EXCEPTIONS: Mapping[tuple[str, str], Any] = {
    ("game_created", "seats"): t.SeatCount,
    ("game_ended", "reason"): Reason,
}


class Envelope(msgspec.Struct, kw_only=True, tag_field="type"):
    """One event in its envelope. `hash` is SHA-256 of `prev` and the canonical JSON of the other members."""

    game: t.Id
    version: t.Version
    v: Annotated[int, t.schema(minimum=1, description="The version of this type's data.")]
    at: t.Time
    prev: t.Hash
    hash: t.Hash


def members(name: str) -> Iterable[tuple[str, Any] | tuple[str, Any, Any]]:
    """The members of an event's data; one that a viewer may not see, or that is stored only if it says something, may
    be absent."""
    kind = FACTS[name]
    for field, hint in get_type_hints(kind).items():
        if field not in kind.__match_args__:
            continue
        type_ = EXCEPTIONS.get((name, field)) or MEMBERS.get(field, hint)
        if NoneType in get_args(hint):
            type_ = type_ | None
        is_optional = field in kind.secret_fields or field in kind.optional_fields
        yield (field, type_ | UnsetType, UNSET) if is_optional else (field, type_)


def pascal_case(name: str) -> str:
    """
    >>> pascal_case("game_created")
    'GameCreated'
    """
    return name.title().replace("_", "")


def envelope_of(name: str, kind: type[Fact]) -> type[msgspec.Struct]:
    """
    >>> envelope_of("seat_left", FACTS["seat_left"]).__name__
    'SeatLeftEvent'
    """
    doc = {"__doc__": kind.__doc__}
    data = msgspec.defstruct(f"{pascal_case(name)}Data", members(name), namespace=doc)
    doc = {"__doc__": f"{kind.__doc__} `v` is {VERSIONS[name]}."}
    bases = (Envelope,)
    return msgspec.defstruct(f"{pascal_case(name)}Event", [("data", data)], bases=bases, tag=name, namespace=doc)


def effect_of(name: str, kind: type[Fact]) -> type[msgspec.Struct]:
    """An event's data with its type, as a preview shows it."""
    return msgspec.defstruct(
        f"{pascal_case(name)}Effect", members(name), tag=name, tag_field="type", namespace={"__doc__": kind.__doc__}
    )


EVENTS = {name: envelope_of(name, kind) for name, kind in FACTS.items()}
EFFECTS = {name: effect_of(name, kind) for ruleset in RULESETS.values() for name, kind in ruleset.facts.items()}
EventUnion: Any = reduce(or_, EVENTS.values())
EffectUnion: Any = reduce(or_, EFFECTS.values())
