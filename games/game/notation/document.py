"""A whole game in the text notation, and back to the same events, hashes included."""

import re
from collections.abc import Iterable
from typing import Any

from games.game.events import GENESIS, Data, chain_hash
from games.game.notation.event_lines import event_in, line_of
from games.game.notation.notation_values import NotationError, time_in, value_at, written, written_time

NOTATION = 1
TAG = re.compile(r"\[([A-Za-z]{1,20}) (.*)\]")
HASH = re.compile(r" hash=([0-9a-f]{64})$")
OPENS_PHASE = ("turn_started", "dice_rolled", "dice_kept", "phase_closed")
# The tags, and the members of the header of an export that they stand for.
TAGS = {"Game": "game", "Ruleset": "ruleset", "Sheet": "sheet", "Events": "events", "Complete": "complete"}


class SealedAnswers:
    """The answers that were sealed since the phase began, in the form in which `phase_closed` reveals them."""

    def __init__(self) -> None:
        self.answers: list[Data] = []

    def add(self, version: int, name: str, data: Data) -> None:
        if name in OPENS_PHASE:
            self.answers = []
        elif name == "answer_sealed":
            self.answers.append({**data, "version": version})


def write(header: Data, envelopes: Iterable[Data]) -> str:
    """The text of an export: its header, and the envelopes as their viewer sees them.

    An event whose hash does not follow from what is shown, as of another seat's sealed answer, carries its hash.
    """
    lines = [f"[Notation {NOTATION}]", *(f"[{tag} {written(header[member])}]" for tag, member in TAGS.items())]
    at, prev, sealed = "", GENESIS, SealedAnswers()
    for event in envelopes:
        if event["at"] != at:
            lines += [""] * (event["type"] == "turn_started")
            lines.append("@ " + (written_time(event["at"], at) if at else event["at"]))
            at = event["at"]
        line = line_of(event["type"], event["v"], event["data"], at, sealed.answers)
        lines.append(line if _hash(prev, event) == event["hash"] else f"{line} hash={event['hash']}")
        prev = event["hash"]
        sealed.add(event["version"], event["type"], event["data"])
    return "\n".join([*lines, f"[Head {prev}]"]) + "\n"


def _hash(prev: str, event: Data) -> str:
    return chain_hash(prev, event["game"], event["version"], event["type"], event["v"], event["at"], event["data"])


def read(text: str) -> tuple[Data, list[Data]]:
    """The header of the export and its envelopes. A text whose last hash is not that of its `Head` is refused."""
    tags: dict[str, Any] = {}
    events: list[Data] = []
    at, sealed = "", SealedAnswers()
    for number, line in enumerate(text.split("\n"), 1):
        try:
            if line.startswith("["):
                _read_tag(line, tags)
            elif line.startswith("@ "):
                at = time_in(line[2:], at)
            elif line and not line.startswith(";"):
                events.append(_envelope(line, at, tags.get("Game"), events, sealed))
        except NotationError as error:
            raise NotationError(f"line {number}: {error}") from None
    return _header(tags, events), events


def _read_tag(line: str, tags: dict[str, Any]) -> None:
    found = TAG.fullmatch(line)
    if found is None or found[1] in tags:
        raise NotationError("no tag, or a tag twice")
    tags[found[1]], end = value_at(found[2], 0)
    if end != len(found[2]):
        raise NotationError("more than one value in a tag")


def _envelope(line: str, at: str, game: Any, events: list[Data], sealed: SealedAnswers) -> Data:
    if not at or not isinstance(game, str):
        raise NotationError("an event before the tag Game and a time")
    given = HASH.search(line)
    name, v, data = event_in(line[: given.start()] if given else line, at, sealed.answers)
    version, prev = len(events) + 1, events[-1]["hash"] if events else GENESIS
    sealed.add(version, name, data)
    own = given[1] if given else chain_hash(prev, game, version, name, v, at, data)
    return {
        "game": game,
        "version": version,
        "type": name,
        "v": v,
        "at": at,
        "data": data,
        "prev": prev,
        "hash": own,
    }


def _header(tags: dict[str, Any], events: list[Data]) -> Data:
    if tags.get("Notation") != NOTATION or not tags.keys() >= TAGS.keys():
        raise NotationError("not a text of notation 1: a tag is missing")
    if tags["Events"] != len(events) or tags.get("Head") != (events[-1]["hash"] if events else GENESIS):
        raise NotationError("the events are not those that the tags Events and Head name")
    header = {member: tags[tag] for tag, member in TAGS.items()}
    return {"format": "qwixx-log", "format_version": 1, **header}
