"""Prints `docs/events.md`: every event type with its fields, from the classes that encode them."""

import inspect
from typing import Any, get_args, get_type_hints

from django.core.management.base import BaseCommand

from games.game.event_types import FACTS, TURN_FACTS, VERSIONS
from games.game.game_facts import GAME_FACTS
from games.rules.registry import RULESETS

HEAD = """# Events

Made by `manage.py document_events` from `games/game/game_facts.py` and `games/rules/`; a test compares the two.

Every event travels in one envelope, the same over REST, streams and exports:

```json
{"game": "…", "version": 43, "type": "cell_marked", "v": 1, "at": "2026-01-02T03:04:05.000006Z",
 "data": {"seat": 0, "row": "red", "number": 8, "phase": "white"}, "prev": "…64 hex…", "hash": "…64 hex…"}
```

- Versions of a game are 1, 2, 3, … without gaps. Events of one append share their `at`; every append is later than the
  one before it.
- `hash` is SHA-256 of `prev` and the canonical JSON of the other fields (sorted keys, no spaces, UTF-8); version 1 has
  64 zeros as `prev`.
- `data` holds seats, never names; only `seat_taken` holds a player id. There are no floating-point numbers.
- A type never changes its meaning. A new shape gets a new `v`. Old events are upcast when the service folds them; an
  envelope shows the event as it was stored and hashed, with its old `v` (decision 22).
- In `dice_rolled` v 1 a die that is alone of its colour was a number: `{"white": [4, 1], "red": 3}`. Read it as `[3]`.
- `action` and `nonce` of an `answer_sealed` are shown to its author alone until the phase is closed.
"""


PLAIN_WORDS = (
    ("collections.abc.", ""),
    ("typing.", ""),
    ("Mapping[str, Any]", "object"),
    ("Mapping[str, list[int]]", "object of lists of numbers"),
    ("Mapping[str, int]", "object of numbers"),
    ("tuple[", "list of "),
    (", ...]", ""),
    ("int", "number"),
    ("str", "text"),
    ("bool", "true or false"),
    ("None", "null"),
    ("|", "or"),
)


class Command(BaseCommand):
    help = "Print docs/events.md."

    def handle(self, *_: Any, **__: Any) -> None:
        self.stdout.write(document(), ending="")


def document() -> str:
    parts = [HEAD, _section("The game around its turns", GAME_FACTS), _section("A turn of any game", TURN_FACTS)]
    parts += [_section(f"Only in {ruleset.key}", ruleset.facts) for ruleset in RULESETS.values()]
    return "\n".join(parts)


def _section(title: str, facts: Any) -> str:
    rows = [f"| `{name}` | {VERSIONS[name]} | {_fields(FACTS[name])} | {_meaning(FACTS[name])} |" for name in facts]
    return "\n".join([f"## {title}", "", "| type | v | data | |", "|---|---|---|---|", *rows, ""])


def _fields(kind: type[Any]) -> str:
    hints = get_type_hints(kind)
    return ", ".join(f"`{name}` {_type(hints[name])}" for name in kind.__match_args__)


def _type(hint: Any) -> str:
    text = hint.__name__ if isinstance(hint, type) and not get_args(hint) else str(hint)
    for long, short in PLAIN_WORDS:
        text = text.replace(long, short)
    return text


def _meaning(kind: type[Any]) -> str:
    doc = inspect.getdoc(kind) or ""
    return "" if doc.startswith(f"{kind.__name__}(") else doc.replace("\n", " ")
