"""Sentences for the events of a game; events must have passed `games.game.views`, which removes sealed answers."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from games.game.event_types import upcast
from games.game.events import Data
from players.admin.texts import EMPTY, current_language, entries, label, text

NameOfSeat = Callable[[int], str]


class SeatNames(NamedTuple):
    """Names by seat. Seats are renumbered at the start of a game: before it, events name the seat only."""

    names: tuple[str, ...]  # by seat after the start
    started: int  # version of the start; 0 if it is earlier than all events on the page
    by_id: dict[str, str]

    def at(self, version: int) -> NameOfSeat:
        return lambda seat: self._name(seat) if version >= self.started else text("story.seat", seat=seat)

    def _name(self, seat: int) -> str:
        return self.names[seat] if 0 <= seat < len(self.names) else text("story.seat", seat=seat)


def sentence(event: Data, seats: SeatNames) -> str:
    """The sentence of an event; the type of an event that has no sentence."""
    key, name = f"event.{event['type']}", seats.at(event["version"])
    if key not in entries(current_language()):
        return str(event["type"])
    values = VALUES.get(event["type"], _any_event)
    return text(key, **values(upcast(event["type"], event["v"], event["data"]), name, seats))


def dice_text(faces: Data | None) -> str:
    """Each die with its colour; dice of one colour together."""
    dice = (faces or {}).items()
    return ", ".join(f"{label(colour, 'colour')} {' '.join(map(str, shown))}" for colour, shown in dice) or EMPTY


def action_text(action: Data | None) -> str:
    """The answer of a seat; None is an answer that is still sealed."""
    if action is None:
        return text("story.sealed")
    key = f"action.{action.get('type')}"
    if key not in entries(current_language()):
        return str(action.get("type"))
    cell = {"number": action.get("number", ""), "column": action.get("column", "")}
    return text(key, row=label(action.get("row", ""), "colour"), dice=_colours(action.get("dice", ())), **cell)


def bot_name(level: str) -> str:
    return text("story.bot", level=label(level, "level"))


def ranking_entry(rank: int, name: str, points: int) -> str:
    return f"{rank}. {name} ({text('story.points', points)})"


def _colours(names: Iterable[str]) -> str:
    return ", ".join(label(name, "colour") for name in names)


def _any_event(data: Data, name: NameOfSeat, _seats: SeatNames) -> Data:
    """The data of the event, with the row and the seats replaced by their names."""
    row = {"row": label(data["row"], "colour")} if "row" in data else {}
    one = {"who": name(data["seat"])} if "seat" in data else {}
    several = {"who": ", ".join(map(name, data["seats"]))} if "seats" in data and "seat" not in data else {}
    return {**data, **several, **one, **row}


def _game_created(data: Data, _name: NameOfSeat, _seats: SeatNames) -> Data:
    settings = ("ruleset", "sheet", "visibility")
    return {**{key: label(data[key], key) for key in settings}, "seats": data["seats"]}


def _seat_taken(data: Data, _name: NameOfSeat, seats: SeatNames) -> Data:
    player = str(data.get("player"))
    who = bot_name(data["bot"]) if data.get("bot") else seats.by_id.get(player, player)
    return {"seat": data["seat"], "who": who}


def _game_started(data: Data, name: NameOfSeat, _seats: SeatNames) -> Data:
    return {"who": name(data["first"])}


def _dice_rolled(data: Data, name: NameOfSeat, _seats: SeatNames) -> Data:
    return {"who": name(data["seat"]), "roll": data["roll"], "dice": dice_text(data["dice"])}


def _answer_sealed(data: Data, name: NameOfSeat, _seats: SeatNames) -> Data:
    return {"who": name(data["seat"]), "action": action_text(data.get("action"))}


def _phase_closed(data: Data, name: NameOfSeat, _seats: SeatNames) -> Data:
    """The last answer of each seat is the one that counts."""
    last = {answer["seat"]: answer["action"] for answer in data.get("answers") or ()}
    answers = "; ".join(f"{name(seat)}: {action_text(last[seat])}" for seat in sorted(last))
    return {"phase": label(data["phase"], "phase"), "answers": answers or EMPTY}


def _game_ended(data: Data, name: NameOfSeat, _seats: SeatNames) -> Data:
    ranking = ", ".join(ranking_entry(p["rank"], name(p["seat"]), p["points"]) for p in data["ranking"])
    return {"reason": label(data["reason"], "reason"), "ranking": ranking}


def _reason(data: Data, _name: NameOfSeat, _seats: SeatNames) -> Data:
    return {"reason": label(data["reason"], "reason")}


# The values of the sentences of those event types whose data cannot be used as it is.
VALUES: dict[str, Callable[[Data, NameOfSeat, SeatNames], Any]] = {
    "game_created": _game_created,
    "seat_taken": _seat_taken,
    "game_started": _game_started,
    "dice_rolled": _dice_rolled,
    "answer_sealed": _answer_sealed,
    "phase_closed": _phase_closed,
    "game_ended": _game_ended,
    "game_aborted": _reason,
    "game_voided": _reason,
    "clock_paused": _reason,
    "clock_resumed": _reason,
}
