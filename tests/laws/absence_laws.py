"""The laws of absence, checked on the whole log of a game."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from games.game.aggregate import AWAY, RESIGNED, GameState, fold
from games.game.events import Event
from games.rules.registry import RULESETS

BOXES_BY_ABSENCE = 3
MARKS = ("cell_marked", "number_written")
BOX_NAMES = {
    key: next(name for name, fact in ruleset.facts.items() if fact is ruleset.box) for key, ruleset in RULESETS.items()
}


def check_absences(log: Sequence[Event]) -> None:
    """Every turn has its seat and its cost, and absence uses three boxes of a seat at most."""
    turns = _turns(log)
    for number, (before, events) in enumerate(turns):
        _check_cost(before, events, is_last=number == len(turns) - 1)
        if number + 1 < len(turns):
            _check_next(*turns[number + 1])
    _check_boxes(log)


def _turns(log: Sequence[Event]) -> list[tuple[GameState, list[Event]]]:
    """For each turn, the game before it started and its events, the first of which starts it."""
    starts = [place for place, event in enumerate(log) if event.type == "turn_started"]
    turns, game = [], fold(None, log[:1])
    for start, end in pairwise([*starts, len(log)]):
        game = fold(game, log[game.version : start])
        turns.append((game, list(log[start:end])))
    return turns


def _check_next(before: GameState, events: Sequence[Event]) -> None:
    """The turn goes to the next seat clockwise that has not resigned, away or not."""
    seats, seat = before.participants, before.position.active
    clockwise = [(seat + step) % len(seats) for step in range(1, len(seats) + 1)]
    assert events[0].data["seat"] == next(seat for seat in clockwise if seats[seat].state != RESIGNED)


def _check_cost(before: GameState, events: Sequence[Event], *, is_last: bool) -> None:
    """An active seat without a mark uses one box or has resigned; the turn of an away seat consists of nothing else."""
    seat, box = events[0].data["seat"], BOX_NAMES[before.setup.ruleset]
    mine = [event.type for event in events[1:] if event.data.get("seat") == seat]
    has_marked = any(mark in mine for mark in MARKS)
    assert mine.count(box) <= (0 if has_marked else 1)
    if before.participants[seat].state == AWAY:
        assert mine in ([box], ["seat_resigned"])
        assert is_last or len(events) == 2
    elif not is_last:
        assert has_marked or box in mine or "seat_resigned" in mine


def _check_boxes(log: Sequence[Event]) -> None:
    """Absence uses three boxes of a seat at most, and never its last one."""
    game, used = fold(None, log[:1]), Counter[int]()
    for event in log[1:]:
        game = fold(game, [event])
        if event.type != BOX_NAMES[game.setup.ruleset]:
            continue
        seat: int = event.data["seat"]
        if game.participants[seat].state == AWAY:
            used[seat] += 1
            assert game.ruleset.boxes_left(game.position, seat) > 0
    assert max(used.values(), default=0) <= BOXES_BY_ABSENCE
