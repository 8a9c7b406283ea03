"""The types of single values in the documents: formats, ranges and patterns, from the constants that the checks use."""

from collections.abc import Iterable
from typing import Annotated, Any

from msgspec import Meta

from games.game.decisions import game_settings, lobby
from games.rules.registry import RULESETS, SHEETS

PHASES = dict.fromkeys(phase for ruleset in RULESETS.values() for phase in ruleset.phases)
MOST_SEATS = max(ruleset.seats[-1] for ruleset in RULESETS.values())


def schema(**keywords: Any) -> Meta:
    """What the documents say of a value; the check is elsewhere, with the same constants."""
    return Meta(extra_json_schema=keywords)


def one_of(values: Iterable[str]) -> Meta:
    """A closed set."""
    return schema(enum=list(values))


def such_as(*values: str | int) -> Meta:
    """An open set: a new game or sheet adds values, so that clients must accept others."""
    return schema(examples=list(values))


Id = Annotated[str, schema(format="uuid")]
Time = Annotated[str, schema(format="date-time")]
Url = Annotated[str, schema(format="uri")]
Hash = Annotated[str, schema(pattern="^[0-9a-f]{64}$")]  # 32 bytes
Nonce = Annotated[str, schema(pattern="^[0-9a-f]{32}$")]  # 16 bytes
ClientSeed = Annotated[str, schema(pattern=f"^{game_settings.CLIENT_SEED.pattern}$")]
JoinCode = Annotated[str, such_as("K7QXM2")]
BotLevel = Annotated[str, one_of(game_settings.BOT_LEVELS)]

SeatNumber = Annotated[int, schema(minimum=0, maximum=MOST_SEATS - 1)]
SeatCount = Annotated[int, schema(minimum=lobby.MIN_SEATS, maximum=MOST_SEATS)]
Version = Annotated[int, schema(minimum=1)]
Count = Annotated[int, schema(minimum=0)]
ClockSeconds = Annotated[int, Meta(ge=game_settings.MIN_CLOCK_S, le=game_settings.MAX_CLOCK_S)]

# A client may name what there is; it may be told more later, and a new game must not break an app that ignores it.
KnownRuleset = Annotated[str, one_of(RULESETS)]
KnownSheet = Annotated[str, one_of(SHEETS)]
RulesetKey = Annotated[str, such_as(*RULESETS)]
SheetKey = Annotated[str, such_as(*SHEETS)]
PhaseName = Annotated[str, such_as(*PHASES)]
RowKey = Annotated[str, such_as("red", "orange")]
Colour = Annotated[str, such_as("white", "red", "purple")]

Face = Annotated[int, schema(minimum=1, maximum=6)]
Dice = Annotated[dict[str, list[Face]], schema(description="Colour → the faces of its dice.")]
Number = Annotated[int, schema(minimum=1, maximum=18)]  # on a Qwixx sheet, or the sum of Qwinto's dice
Column = Annotated[int, schema(minimum=0, maximum=11)]
Place = Annotated[list[Count], schema(minItems=2, maxItems=2, description="The row and the column of a cell.")]
