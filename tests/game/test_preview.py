"""A dry run: what an answer would do to its author's own sheet, and nothing that is not his to know."""

import pytest

from games.game import play
from games.rules.actions import Action, Keep, Mark, Pass, Request, Reroll, Resign, Return, Roll, Write
from games.rules.qwinto import NumberWritten, ThrowFailed
from games.rules.qwixx import CellMarked, PenaltyTaken, RowClosed
from tests.builders import ANN, CAT, Table, loaded, started

DICE = {"white1": 3, "white2": 4, "red": 5, "orange": 3}


def _qwixx() -> Table:
    table = started(dice_source=loaded(**DICE))
    table.act(0, Roll())
    return table


def _preview(table: Table, seat: int, action: Action) -> tuple[list[object], int, int]:
    return play.preview(table.game, table.player(seat), Request(action), table.moment)


def test_a_mark_is_previewed_with_the_points_before_and_after() -> None:
    assert _preview(_qwixx(), 1, Mark("red", 7)) == ([CellMarked(1, "red", 7, "white")], 0, 1)


def test_the_preview_of_a_pass_by_a_seat_that_is_not_active_costs_nothing() -> None:
    assert _preview(_qwixx(), 1, Pass()) == ([], 0, 0)


def test_the_penalty_of_a_pass_in_colour_is_previewed() -> None:
    table = _qwixx()
    for seat in (0, 1):
        table.act(seat, Pass())
    assert _preview(table, 0, Pass()) == ([PenaltyTaken(0)], 0, -5)


def test_a_preview_ignores_the_answers_of_other_seats() -> None:
    table = _qwixx()
    before = _preview(table, 1, Mark("red", 7))
    table.act(0, Mark("red", 7))
    assert _preview(table, 1, Mark("red", 7)) == before


def test_a_lock_is_previewed() -> None:
    table = started(dice_source=loaded(white1=6, white2=6))
    table.act(0, Roll())
    sheets = tuple(sheet._replace(marks=(0b11111, 0, 0, 0)) for sheet in table.game.position.seat_sheets)
    table.game = table.game._replace(position=table.game.position._replace(seat_sheets=sheets))
    assert _preview(table, 1, Mark("red", 12)) == ([CellMarked(1, "red", 12, "white"), RowClosed("red", (1,))], 15, 28)


def test_a_written_number_and_a_failed_throw_are_previewed() -> None:
    table = started("qwinto", dice_source=loaded(**DICE))
    table.act(0, Roll(("orange",)))
    assert _preview(table, 0, Keep()) == ([], 0, 0)
    table.act(0, Keep())
    assert _preview(table, 0, Write("orange", 2)) == ([NumberWritten(0, "orange", 2, 3)], 0, 1)
    assert _preview(table, 0, Pass()) == ([ThrowFailed(0)], 0, -5)


@pytest.mark.parametrize("action", [Roll(), Reroll(), Resign(), Return()], ids=lambda action: type(action).__name__)
def test_actions_that_roll_dice_or_leave_are_not_previewed(action: Action) -> None:
    table = _qwixx()
    assert table.refusal(play.preview, ANN, Request(action)) == "malformed"
    table.resign(0)
    assert table.refusal(play.preview, ANN, Request(action)) == "malformed"  # said before the game's state


def test_a_preview_is_refused_as_the_answer_would_be() -> None:
    table = _qwixx()
    assert table.refusal(play.preview, ANN, Request(Mark("red", 8))) == "number_not_rolled"
    assert table.refusal(play.preview, ANN, Request(Pass(), roll=9)) == "stale_roll"
    assert table.refusal(play.preview, CAT, Request(Pass())) == "not_seated"
    table.wait(100)
    assert table.refusal(play.preview, ANN, Request(Pass())) == "too_late"


def test_a_preview_appends_nothing() -> None:
    table = _qwixx()
    game = table.game
    _preview(table, 1, Mark("red", 7))
    assert table.game is game
