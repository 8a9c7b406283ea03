"""Events of a game as sentences, one each, in the language of whoever looks; knows who sits where, and no secret.

What it is given has passed `games.game.views`: of a sealed answer it has no more to tell than that there is one.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from games.game.events import Data
from players.admin.texts import NOTHING, catalogue, language, said, worded

Name = Callable[[int], str]  # a seat in, who sits there out


class Company(NamedTuple):
    """Who is meant by a seat. Seats are numbered anew at the start: before it, a number is all there is to say."""

    names: tuple[str, ...]  # by seat, as they sit since the start
    started: int  # the version of the start; 0: it is further back than anything on show
    by_id: dict[str, str]

    def at(self, version: int) -> Name:
        return lambda seat: self._named(seat) if version >= self.started else said("story.seat", seat=seat)

    def _named(self, seat: int) -> str:
        return self.names[seat] if 0 <= seat < len(self.names) else said("story.seat", seat=seat)


def sentence(event: Data, company: Company) -> str:
    """One that nobody has a sentence for is told by its name."""
    key, who = f"event.{event['type']}", company.at(event["version"])
    if key not in catalogue(language()):
        return str(event["type"])
    tell = TOLD.get(event["type"], _plain)
    return said(key, **tell(event["data"], who, company))


def dice(faces: Data | None) -> str:
    """Each die by its colour; those of one colour together."""
    told = ((colour, face if isinstance(face, list) else [face]) for colour, face in (faces or {}).items())
    return ", ".join(f"{worded(colour, 'colour')} {' '.join(map(str, face))}" for colour, face in told) or NOTHING


def action(asked: Data | None) -> str:
    """What a seat has answered; nothing is known of what is sealed."""
    if asked is None:
        return said("story.sealed")
    key = f"action.{asked.get('type')}"
    if key not in catalogue(language()):
        return str(asked.get("type"))
    return said(key, row=worded(asked.get("row", ""), "colour"), **_cell(asked), dice=_colours(asked.get("dice", ())))


def bot(level: str) -> str:
    return said("story.bot", level=worded(level, "level"))


def _cell(data: Data) -> Data:
    return {"number": data.get("number", ""), "column": data.get("column", "")}


def _colours(names: Iterable[str]) -> str:
    return ", ".join(worded(name, "colour") for name in names)


def _plain(data: Data, who: Name, _company: Company) -> Data:
    """Whatever the data has, and who is meant by its seats."""
    row = {"row": worded(data["row"], "colour")} if "row" in data else {}
    one = {"who": who(data["seat"])} if "seat" in data else {}
    several = {"who": ", ".join(map(who, data["seats"]))} if "seats" in data and "seat" not in data else {}
    return {**data, **several, **one, **row}


def _created(data: Data, _who: Name, _company: Company) -> Data:
    settings = ("ruleset", "sheet", "visibility")
    return {**{name: worded(data[name], name) for name in settings}, "seats": data["seats"]}


def _taken(data: Data, _who: Name, company: Company) -> Data:
    player = str(data.get("player"))
    who = bot(data["bot"]) if data.get("bot") else company.by_id.get(player, player)
    return {"seat": data["seat"], "who": who}


def _started(data: Data, who: Name, _company: Company) -> Data:
    return {"who": who(data["first"])}


def _rolled(data: Data, who: Name, _company: Company) -> Data:
    return {"who": who(data["seat"]), "roll": data["roll"], "dice": dice(data["dice"])}


def _sealed(data: Data, who: Name, _company: Company) -> Data:
    return {"who": who(data["seat"]), "action": action(data.get("action"))}


def _closed(data: Data, who: Name, _company: Company) -> Data:
    """Of the answers of a seat its last one counts."""
    last = {answer["seat"]: answer["action"] for answer in data.get("answers") or ()}
    told = "; ".join(f"{who(seat)}: {action(last[seat])}" for seat in sorted(last))
    return {"phase": worded(data["phase"], "phase"), "answers": told or NOTHING}


def _ended(data: Data, who: Name, _company: Company) -> Data:
    ranking = ", ".join(place(p["rank"], who(p["seat"]), p["points"]) for p in data["ranking"])
    return {"reason": worded(data["reason"], "reason"), "ranking": ranking}


def _reasoned(data: Data, _who: Name, _company: Company) -> Data:
    return {"reason": worded(data["reason"], "reason")}


def place(rank: int, who: str, points: int) -> str:
    return f"{rank}. {who} ({said('story.points', points)})"


TOLD: dict[str, Callable[[Data, Name, Company], Any]] = {
    "game_created": _created,
    "seat_taken": _taken,
    "game_started": _started,
    "dice_rolled": _rolled,
    "answer_sealed": _sealed,
    "phase_closed": _closed,
    "game_ended": _ended,
    "game_aborted": _reasoned,
    "game_voided": _reasoned,
    "clock_paused": _reasoned,
    "clock_resumed": _reasoned,
}
