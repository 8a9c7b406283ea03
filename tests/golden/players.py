"""Players of the golden games, whose choices are the same on every machine and Python version."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, TypeVar

from games.rules import qwinto
from games.rules.actions import Action, Keep, Mark, Pass, Roll, Write
from games.rules.layouts.qwixx_layouts import SHEETS as QWIXX_SHEETS

Thing = TypeVar("Thing")


class SeededChoices:
    """A sequence of choices that depends only on its name."""

    def __init__(self, name: str) -> None:
        self.name, self.taken = name, 0

    def below(self, limit: int) -> int:
        self.taken += 1
        return int.from_bytes(sha256(f"{self.name}|{self.taken}".encode()).digest()) % limit

    def of(self, things: Sequence[Thing]) -> Thing:
        return things[self.below(len(things))]


def answer(position: Any, seat: int, options: Sequence[Action], choices: SeededChoices) -> Action:
    """The option with the least loss; among equals, a seeded choice."""
    losses = [_loss(position, seat, option) for option in options]
    return choices.of([option for option, loss in zip(options, losses, strict=True) if loss == min(losses)])


def _loss(position: Any, seat: int, action: Action) -> float:
    match action:
        case Mark(row=row, number=number):
            cell = QWIXX_SHEETS[position.sheet].cells[row][number]
            return cell.column - int(position.seat_sheets[seat].marks[cell.row]).bit_length()
        case Write(row=row, column=column):
            place = qwinto.SHEETS[position.sheet].cells[row][column].place
            return abs(qwinto.rolled_sum(position) - 1 - 2 * place) / 2
        case Roll(dice=dice) if dice:
            totals = range(2 * len(dice), 5 * len(dice) + 1)
            return sum(_best_write(position, seat, dice, total) for total in totals) / len(dice)
        case Pass():
            return 7 if seat == position.active and not getattr(position, "has_marked", False) else 1.5
        case Keep():
            return _best_write(position, seat, tuple(position.dice), qwinto.rolled_sum(position)) - 2
        case _:
            return 0


def _best_write(position: Any, seat: int, dice: Sequence[str], total: int) -> float:
    """The least loss if these dice show that total."""
    shown = position._replace(phase=qwinto.WRITE, dice={key: [total if key == dice[0] else 0] for key in dice})
    return min(_loss(shown, seat, option) for option in qwinto.QWINTO.options(shown, seat))
