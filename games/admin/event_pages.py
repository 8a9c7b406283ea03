"""The events of a game on its page: which are shown, and the addresses of other versions, pages, filters and turns."""

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlencode

from games.game.events import Data
from players.admin.texts import text

MAX_EVENTS = 40  # on a page
MAX_DIGITS = 8


class Chosen(NamedTuple):
    """What the address of a page asks for; 0 and empty mean: not chosen."""

    version: int = 0  # of the replay
    before: int = 0  # events of older pages are before this version
    kind: str = ""
    seat: int | None = None
    has_chain: bool = False

    def address(self, **changes: object) -> str:
        """The query of the same page with these changes; a colleague who opens it sees the same."""
        wanted = self._replace(**changes)  # type: ignore[arg-type]
        seat = "" if wanted.seat is None else str(wanted.seat)
        values = {"version": wanted.version, "before": wanted.before, "type": wanted.kind, "seat": seat}
        values["view"] = "chain" if wanted.has_chain else ""
        return "?" + urlencode({name: value for name, value in values.items() if value})


class EventPage(NamedTuple):
    shown: list[Data]  # newest first
    kinds: list[str]  # the types that the log has
    turns: list[tuple[int, str]]  # the version of each turn, with its label
    older: str  # the address of the next page, or empty
    newer: str  # the address of the newest page, or empty
    chain: str  # the address of the other view


def chosen(query: Mapping[str, str]) -> Chosen:
    seat = query.get("seat", "")
    return Chosen(
        _number(query.get("version", "")),
        _number(query.get("before", "")),
        query.get("type", "")[:32],
        _number(seat) if seat.isdigit() else None,
        query.get("view") == "chain",
    )


def _number(typed: str) -> int:
    """
    >>> _number("12"), _number("-1"), _number("x"), _number("9" * 99)
    (12, 0, 0, 0)
    """
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) <= MAX_DIGITS else 0


def page(log: list[Data], wanted: Chosen, version: int) -> EventPage:
    """The events up to the version of the replay, or before `before`, that the filters let through."""
    end = wanted.before - 1 if wanted.before else version
    found = [event for event in log[:end] if _is_wanted(event, wanted)]
    shown = found[-MAX_EVENTS:]
    return EventPage(
        shown[::-1],
        sorted({event["type"] for event in log}),
        [(event["version"], _turn(event)) for event in log if event["type"] == "turn_started"],
        wanted.address(before=shown[0]["version"]) if len(found) > len(shown) else "",
        wanted.address(before=0) if wanted.before else "",
        wanted.address(has_chain=not wanted.has_chain),
    )


def _is_wanted(event: Data, wanted: Chosen) -> bool:
    if wanted.kind and event["type"] != wanted.kind:
        return False
    data = event["data"]
    return wanted.seat is None or wanted.seat == data.get("seat") or wanted.seat in (data.get("seats") or ())


def _turn(event: Data) -> str:
    return text("game.turn_number", number=event["data"]["turn"])
