"""The tutorials of the page: `python -m tests.web.tutorial_scripts` writes what the rules make of a few scripted moves.

The page has no rules, so every step carries its sheets, its dice, its options and the move that the lesson waits for.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict
from random import Random
from typing import Any, NamedTuple

from games.rules import actions
from games.rules.actions import PASS, Action, Mark, Reroll, Roll, Write
from games.rules.qwinto import QWINTO, NumberWritten
from games.rules.qwixx import QWIXX
from games.web.build import FOLDER
from tests.rules.sheet_cases import RandomDice
from tests.web.sheet_examples import after

FILE = FOLDER / "tutorials.json"
YOU, BOT = 0, 1
WHITE, COLOUR = "white", "colour"


class Step(NamedTuple):
    """One prompt of a lesson. `moves` prepare it; `bot` is what the bot answers together with the player."""

    active: int
    phase: str
    dice: dict[str, list[int]] | None
    expected: Action
    bot: Action | None = None
    moves: tuple[tuple[Any, ...], ...] = ()


LAST_DICE = {"red": [2], "yellow": [4], "green": [3], "blue": [5]}
QWIXX_STEPS = (
    Step(YOU, "roll", None, Roll()),
    Step(YOU, WHITE, {"white": [1, 2], "red": [4], "yellow": [1], "green": [3], "blue": [5]}, Mark("red", 3), PASS),
    Step(YOU, COLOUR, {"white": [1, 2], "red": [4], "yellow": [1], "green": [3], "blue": [5]}, Mark("yellow", 2)),
    Step(BOT, WHITE, {"white": [6, 3], "red": [2], "yellow": [2], "green": [6], "blue": [4]}, PASS, Mark("green", 9)),
    Step(
        YOU,
        WHITE,
        {"white": [6, 6], "red": [1], "yellow": [3], "green": [2], "blue": [4]},
        Mark("green", 12),
        Mark("blue", 12),
    ),
    Step(YOU, COLOUR, {"white": [6, 6], "red": [1], "yellow": [3], "green": [2], "blue": [4]}, PASS),
    Step(
        YOU,
        WHITE,
        {"white": [6, 6], **LAST_DICE},
        Mark("red", 12),
        PASS,
        moves=(("red", 4), ("red", 5), ("red", 7), ("red", 9), ("yellow", 4), ("green", 10)),
    ),
    Step(YOU, COLOUR, {"white": [6, 6], **LAST_DICE}, PASS),
)
QWINTO_STEPS = (
    Step(YOU, "roll", None, Roll(("orange", "yellow"))),
    Step(YOU, "keep", {"orange": [6], "yellow": [6]}, Reroll()),
    Step(YOU, "write", {"orange": [3], "yellow": [4]}, Write("yellow", 4), Write("orange", 4)),
    Step(BOT, "write", {"orange": [5], "yellow": [4], "purple": [5]}, Write("purple", 8), Write("purple", 7)),
    Step(
        YOU,
        "write",
        {"orange": [5]},
        Write("orange", 3),
        PASS,
        moves=(("orange", 2, 3), ("yellow", 3, 6), ("purple", 3, 8), ("orange", 7, 12)),
    ),
    Step(YOU, "write", {"orange": [3]}, PASS, PASS),
)
LESSONS: dict[str, tuple[Any, tuple[Step, ...]]] = {"qwixx": (QWIXX, QWIXX_STEPS), "qwinto": (QWINTO, QWINTO_STEPS)}


def prepared(ruleset: Any, state: Any, step: Step) -> Any:
    for move in step.moves:
        state = after(state, *move) if ruleset is QWIXX else QWINTO.evolve(state, NumberWritten(YOU, *move))
    return state._replace(active=step.active, phase=step.phase, dice=step.dice)


def decided(ruleset: Any, state: Any, step: Step, answer: Action) -> tuple[Any, ...]:
    answers = {YOU: answer} | ({} if step.bot is None else {BOT: step.bot})
    facts: tuple[Any, ...] = ruleset.decide(state, answers, RandomDice(Random(0)))
    return facts


def turn(ruleset: Any, state: Any, step: Step, number: int) -> dict[str, Any]:
    waiting = [YOU, BOT] if step.bot is not None else [YOU]
    shown = {"number": number, "active": step.active, "phase": step.phase, "roll": number, "waiting_for": waiting}
    return shown | {"deadline_at": None, "dice": None} | (ruleset.dice_view(state) if step.dice else {})


def marks(ruleset: Any, facts: tuple[Any, ...]) -> list[dict[str, Any]]:
    """The facts that the log of the page tells, as events."""
    names = {kind: name for name, kind in ruleset.facts.items()}
    return [{"type": names[type(fact)], "data": asdict(fact)} for fact in facts if type(fact) in names]


def steps(ruleset: Any, lesson: tuple[Step, ...]) -> Iterator[dict[str, Any]]:
    state = ruleset.opening(next(iter(ruleset.sheets)), 2)
    for number, step in enumerate(lesson, 1):
        state = prepared(ruleset, state, step)
        options = ruleset.options(state, YOU)
        assert step.expected in options, (number, step.expected, options)
        shown = {
            "turn": turn(ruleset, state, step, number),
            "sheets": [{"seat": seat, **ruleset.sheet_view(state, seat)} for seat in (YOU, BOT)],
            "closed_rows": ruleset.closed_rows(state),
            "options": [actions.to_wire(option) for option in options],
            "expected": actions.to_wire(step.expected),
        }
        before = ruleset.points(state, YOU)["total"]
        facts = () if step.phase in ("roll", "keep") else decided(ruleset, state, step, step.expected)
        for fact in facts:
            state = ruleset.evolve(state, fact)
        yield shown | {"events": marks(ruleset, facts), "gain": ruleset.points(state, YOU)["total"] - before}


def text() -> str:
    """The file: a line for each step."""
    lessons = [
        f" {json.dumps(key)}: [\n" + ",\n".join(f"  {json.dumps(step)}" for step in steps(*lesson)) + "\n ]"
        for key, lesson in LESSONS.items()
    ]
    return "{\n" + ",\n".join(lessons) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(text())
