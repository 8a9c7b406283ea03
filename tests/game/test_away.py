"""Three time-outs in a row: the seat is away, its turns are skipped, and any action brings it back."""

from games.game import play
from games.game.aggregate import ABORTED, AWAY, PLAYING, PRESENT
from games.rules.actions import Mark, Pass, Roll
from tests.builders import ANN, Table, loaded, started, types

DICE = {"white1": 3, "white2": 4}


def _table(seats: int = 3) -> Table:
    return started(seats=seats, dice_source=loaded(**DICE))


def _answer_all_but(table: Table, silent: int) -> None:
    """Everybody whom the open phase asks answers, but one, for whom time runs out."""
    opened = table.phase
    for seat in table.game.waiting_for():
        if seat != silent:
            table.act(seat, Roll() if table.phase == "roll" else Pass())
    if table.phase == opened and silent in table.game.waiting_for():
        table.time_out()


def _until_away(table: Table, seat: int) -> None:
    while table.state(seat) == PRESENT:
        _answer_all_but(table, seat)


def _next_turn(table: Table) -> int:
    """Everybody present passes until the next turn starts; whose it is."""
    turn = table.game.position.turn
    while table.game.position.turn == turn:
        seat = table.game.waiting_for()[0]
        table.act(seat, Roll() if table.phase == "roll" else Pass())
    return table.active


def test_the_third_time_out_in_a_row_makes_a_seat_away() -> None:
    table = _table()
    _until_away(table, 2)
    assert [event.data["seats"] for event in table.log if event.type == "time_ran_out"] == [[2], [2], [2]]


def test_seat_went_away_follows_time_ran_out() -> None:
    table = _table()
    _until_away(table, 2)
    assert types(table.appends[-1])[:2] == ["time_ran_out", "seat_went_away"]


def test_an_answer_resets_the_count_of_time_outs() -> None:
    table = _table()
    for _ in range(2):
        while table.game.participants[1].timeouts < 2:
            _answer_all_but(table, 1)
        while 1 not in table.game.waiting_for():
            _answer_all_but(table, 9)
        table.act(1, Roll() if table.phase == "roll" else Pass())
        assert table.game.participants[1].timeouts == 0
    assert table.state(1) == PRESENT


def test_rolling_or_keeping_in_time_resets_the_count_of_time_outs() -> None:
    table = _table(2)
    other = 1 - table.active
    table.act(table.active, Roll())
    table.time_out()  # white: both were silent
    table.act(table.active, Pass())  # colour: the active seat was there
    assert table.game.participants[1 - other].timeouts == 0
    assert table.game.participants[other].timeouts == 1
    table.act(other, Roll())
    assert table.game.participants[other].timeouts == 0


def test_dice_rolled_for_a_silent_seat_do_not_reset_its_time_outs() -> None:
    table = _table()
    table.time_out()
    assert table.phase == "white"
    assert table.game.participants[0].timeouts == 1


def test_the_game_does_not_wait_for_an_away_seat() -> None:
    table = _table()
    _until_away(table, 2)
    while table.phase != "white":
        _answer_all_but(table, 2)
    assert table.game.waiting_for() == (0, 1)


def test_an_away_seats_turns_are_skipped_without_penalty() -> None:
    table = _table()
    _until_away(table, 2)
    penalties = table.game.position.seat_sheets[2].penalties
    turns = [_next_turn(table) for _ in range(4)]
    assert 2 not in turns
    assert table.game.position.seat_sheets[2].penalties == penalties


def test_a_seat_that_goes_away_in_its_own_white_phase_skips_the_colour_phase() -> None:
    table = _table()
    while table.game.participants[1].timeouts < 1:
        _answer_all_but(table, 1)  # white of seat 0
    _answer_all_but(table, 1)  # colour of seat 0
    table.time_out()  # its own roll
    _answer_all_but(table, 1)  # its own white
    assert table.state(1) == AWAY
    assert types(table.appends[-1]) == [
        "time_ran_out",
        "seat_went_away",
        "phase_closed",
        "phase_closed",
        "turn_started",
    ]
    assert table.game.position.seat_sheets[1].penalties == 0
    assert table.active == 2


def test_return_brings_a_seat_back() -> None:
    table = _table()
    _until_away(table, 2)
    assert types(table.come_back(2)) == ["seat_came_back"]
    assert (table.state(2), table.game.participants[2].timeouts) == (PRESENT, 0)


def test_return_of_a_present_seat_appends_nothing() -> None:
    assert _table().come_back(1) == ()


def test_any_other_action_brings_a_seat_back_too() -> None:
    table = _table()
    _until_away(table, 2)
    while table.phase != "white":
        _answer_all_but(table, 2)
    assert types(table.act(2, Mark("red", 7))) == ["seat_came_back", "answer_sealed"]


def test_a_refused_action_does_not_bring_a_seat_back() -> None:
    table = _table()
    _until_away(table, 2)
    while table.phase != "white":
        _answer_all_but(table, 2)
    table.act_refusal(2, Mark("red", 8))
    assert table.state(2) == AWAY


def test_a_seat_that_came_back_is_asked_again_and_has_its_turn() -> None:
    table = _table()
    _until_away(table, 2)
    table.come_back(2)
    assert 2 in [_next_turn(table) for _ in range(3)]


def test_an_away_seat_may_resign() -> None:
    table = _table()
    _until_away(table, 2)
    assert types(table.resign(2)) == ["seat_resigned"]


def test_a_game_without_present_players_is_aborted() -> None:
    table = _table(2)
    while table.game.status == PLAYING:
        events = table.time_out()
    assert types(events) == ["time_ran_out", "seat_went_away", "game_aborted"]
    assert [event.data for event in table.log if event.type == "seat_went_away"] == [{"seat": 0}, {"seat": 1}]
    assert table.game.status == ABORTED


def test_a_game_whose_only_player_goes_away_is_aborted_despite_its_bots() -> None:
    table = Table(seats=2, bots=("easy",), dice_source=loaded(first=0))
    while table.game.status == PLAYING:
        events = table.time_out()
    assert types(events)[-1] == "game_aborted"
    assert table.game.participant_of(ANN) is not None


def test_a_game_in_which_only_an_away_seat_remains_is_over() -> None:
    table = _table(2)
    _until_away(table, 1)
    assert table.resign(0)[-1].data["reason"] == "last_seat_standing"


def test_an_away_seat_is_offered_the_actions_that_bring_it_back() -> None:
    table = _table()
    _until_away(table, 2)
    while table.phase != "white":
        _answer_all_but(table, 2)
    assert Mark("red", 7) in play.options(table.game, 2)
