"""Reads the filters of a list of games from a query; every error is told at once."""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.http import QueryDict
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from games.api import pagination
from games.log.reads.game_filters import STATUSES, GameFilters
from games.log.reads.played_games import GameKey
from games.rules.refused import Refused
from games.rules.registry import RULESETS, SHEETS

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)", re.ASCII)
UUID_TEXT = re.compile(r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
FIRST, LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
LONGEST_NAME = 64  # of an unknown parameter, in the error that names it
TRUTH = {"true": True, "false": False}

Parse = Callable[[str], Any]


class Wrong(Exception):
    """A parameter that is refused: a code of errors, and what was expected."""


def one_of(choices: Mapping[str, Any]) -> Parse:
    def parse(text: str) -> Any:
        if text not in choices:
            raise Wrong("not_one_of", f"one of {', '.join(choices)}")
        return choices[text]

    return parse


def statuses(text: str) -> tuple[str, ...]:
    """
    >>> statuses("open,playing")
    ('open', 'playing')
    """
    names = text.split(",") if len(text) <= 100 else []
    if not names or not set(names) <= set(STATUSES):
        raise Wrong("not_one_of", f"each one of {', '.join(STATUSES)}")
    return tuple(dict.fromkeys(names))


def player_id(text: str) -> UUID:
    if not UUID_TEXT.fullmatch(text):
        raise Wrong("wrong_format", "a UUID")
    return UUID(text)


def time(text: str) -> datetime:
    """
    >>> time("2026-01-31T12:00:00Z").isoformat()
    '2026-01-31T12:00:00+00:00'
    """
    if TIME.fullmatch(text):
        try:
            return _in_utc(datetime.fromisoformat(text))
        except ValueError:
            pass  # of the form of a time, but none
    raise Wrong("wrong_format", "a time such as `2026-01-31T12:00:00Z`")


def _in_utc(time: datetime) -> datetime:
    """PostgreSQL knows no offset above 16 hours; a time before the first or after the last year is cut."""
    try:
        return time.astimezone(UTC)
    except OverflowError:
        return FIRST if time.year == 1 else LAST


def page_size(text: str) -> int:
    """
    >>> page_size("20")
    20
    """
    if code := pagination.size_error(text):
        raise Wrong(code, pagination.SIZES)
    return int(text)


PARSERS: dict[str, Parse] = {
    "status": statuses,
    "ruleset": one_of({key: key for key in RULESETS}),
    "sheet": one_of({key: key for key in SHEETS}),
    "rated": one_of(TRUTH),
    "player": player_id,
    "mine": one_of(TRUTH),
    "waiting": one_of({"me": True}),
    "ended_after": time,
    "ended_before": time,
}
OF_PLAYER = ("status", "ruleset", "sheet", "rated", "ended_after", "ended_before")
PAGING: dict[str, Parse] = {"limit": page_size, "cursor": str}


def read(query: QueryDict, names: Iterable[str] = PARSERS) -> GameFilters:
    """The filters of a query that may have these parameters, and those of pages."""
    values = _values(query, {name: PARSERS[name] for name in names} | PAGING)
    return GameFilters(**{name: value for name, value in values.items() if name in PARSERS})


def _values(query: QueryDict, parsers: Mapping[str, Parse]) -> dict[str, Any]:
    errors, values = [], {}
    for name, given in query.lists():
        try:
            values[name] = _parsed(name, given, parsers)
        except Wrong as error:
            errors.append((f"?{name[:LONGEST_NAME]}", *error.args))
    if errors:
        raise Refused("malformed", errors=errors)
    return values


def _parsed(name: str, given: list[str], parsers: Mapping[str, Parse]) -> Any:
    if name not in parsers:
        raise Wrong("unknown", f"one of {', '.join(parsers)}")
    if len(given) > 1:
        raise Wrong("not_unique", "each parameter once")
    return parsers[name](given[0])


def _time(name: str, description: str) -> OpenApiParameter:
    return OpenApiParameter(name, OpenApiTypes.DATETIME, description=f"{description} Sorts the list by end.")


def _choice(name: str, choices: Iterable[str], description: str) -> OpenApiParameter:
    return OpenApiParameter(name, str, enum=list(choices), description=description)


PARAMETERS = {
    "status": OpenApiParameter(
        "status", str, many=True, explode=False, enum=list(STATUSES), description="One or more, separated by commas."
    ),
    "ruleset": _choice("ruleset", RULESETS, "Only games of this ruleset."),
    "sheet": _choice("sheet", SHEETS, "Only games on this sheet."),
    "rated": OpenApiParameter("rated", bool, description="Only rated games, or only others."),
    "player": OpenApiParameter(
        "player", OpenApiTypes.UUID, description="Only games in which this player has a seat, and that you may see."
    ),
    "mine": OpenApiParameter("mine", bool, description="`true`: only games in which the caller has a seat."),
    "waiting": _choice("waiting", ["me"], "Only games that wait for the caller."),
    "ended_after": _time("ended_after", "Only games that ended at this time or later."),
    "ended_before": _time("ended_before", "Only games that ended before this time."),
}
# Of the stream of the caller's finished games: the parameters and the filters that they are.
STREAM_FILTERS = {
    "ruleset": "ruleset",
    "sheet": "sheet",
    "rated": "rated",
    "opponent": "player",
    "since": "ended_after",
    "until": "ended_before",
}
OF_STREAM = {
    **{name: PARAMETERS[name] for name in ("ruleset", "sheet", "rated")},
    "opponent": OpenApiParameter(
        "opponent", OpenApiTypes.UUID, description="Only games in which this player had a seat, too."
    ),
    "since": OpenApiParameter(
        "since", OpenApiTypes.DATETIME, description="Only games that ended at this time or later."
    ),
    "until": OpenApiParameter("until", OpenApiTypes.DATETIME, description="Only games that ended before this time."),
    "after": OpenApiParameter("after", str, description="The `cursor` of the last line that the client has."),
}


def read_stream(query: QueryDict) -> tuple[GameFilters, GameKey | None]:
    """The filters of the stream, and the place after which it begins."""
    parsers = {name: PARSERS[filter_] for name, filter_ in STREAM_FILTERS.items()} | {"after": game_key}
    values = _values(query, parsers)
    after = values.pop("after", None)
    return GameFilters(**{STREAM_FILTERS[name]: value for name, value in values.items()}), after


def game_key(text: str) -> GameKey:
    """
    >>> game_key("2026-01-31T12:00:00.000000Z_01926f3b-1d20-7c44-8e05-5a7f9b3c2d11").game.version
    7
    """
    moment, _, game = text.partition("_")
    try:
        return GameKey(time(moment), player_id(game))
    except Wrong:
        raise Wrong("wrong_format", "a cursor of this list") from None
