"""What is done to a game from outside: time credited, clocks paused, games aborted or voided."""

from games.game import play
from games.game.aggregate import ABORTED, FINISHED, PLAYING, VOIDED, GameResult
from games.game.events import moment_of
from games.rules.actions import Pass, Roll
from tests.builders import Table, loaded, outage, started, types


def _table() -> Table:
    return started(seats=2, dice_source=loaded())


def _finished() -> Table:
    table = _table()
    table.resign(0)
    return table


def test_an_outage_is_credited_to_the_open_deadline() -> None:
    table = _table()
    assert table.game.deadline is not None
    before = moment_of(table.game.deadline)
    (credited,) = table.do(play.credit_outages, [outage(1, 60)])
    assert (moment_of(credited.data["deadline"]) - before).total_seconds() == 60
    assert (credited.data["seconds"], credited.data["key"]) == (60, outage(1, 60).began)
    assert table.game.deadline == credited.data["deadline"]


def test_an_outage_is_credited_once() -> None:
    table = _table()
    table.do(play.credit_outages, [outage(1, 60)])
    assert table.do(play.credit_outages, [outage(1, 60)]) == ()
    assert types(table.do(play.credit_outages, [outage(2, 60)])) == ["time_credited"]


def test_a_credited_deadline_is_not_due_at_the_old_one() -> None:
    table = _table()
    table.do(play.credit_outages, [outage(1, 60)])
    table.wait(70)
    assert table.do(play.expire) == ()
    assert types(table.act(0, Roll())) == ["dice_rolled"]


def test_a_game_without_a_deadline_is_not_credited() -> None:
    assert _finished().do(play.credit_outages, [outage(1, 60)]) == ()
    assert started(visibility="private", clock=None).do(play.credit_outages, [outage(1, 60)]) == ()


def test_a_paused_clock_has_no_deadline() -> None:
    table = _table()
    (paused,) = table.do(play.pause, "a report")
    assert (paused.type, paused.data) == ("clock_paused", {"reason": "a report"})
    assert (table.game.paused, table.game.deadline) == (True, None)
    table.wait(10**6)
    assert table.do(play.expire) == ()


def test_a_paused_game_may_be_played_and_stays_paused() -> None:
    table = _table()
    table.do(play.pause, "a report")
    table.wait(10**6)
    (rolled,) = table.act(0, Roll())
    assert rolled.data["deadline"] is None
    assert table.game.paused


def test_a_resumed_clock_gives_the_open_phase_its_full_time() -> None:
    table = _table()
    table.act(0, Roll())
    table.do(play.pause, "a report")
    table.wait(1000)
    (resumed,) = table.do(play.resume, "settled")
    assert resumed.data["reason"] == "settled"
    assert (moment_of(resumed.data["deadline"]) - moment_of(resumed.at)).total_seconds() == 45
    assert (table.game.paused, table.game.deadline) == (False, resumed.data["deadline"])


def test_resuming_a_game_without_a_clock_sets_no_deadline() -> None:
    table = started(visibility="private", clock=None)
    table.do(play.pause, "a report")
    assert table.do(play.resume, "settled")[0].data["deadline"] is None


def test_only_a_running_clock_is_paused_and_only_a_paused_one_resumed() -> None:
    table = _table()
    assert table.refusal(play.resume, "why") == "wrong_phase"
    table.do(play.pause, "a report")
    assert table.refusal(play.pause, "why") == "wrong_phase"
    assert Table(seats=3).refusal(play.pause, "why") == "wrong_phase"
    assert _finished().refusal(play.pause, "why") == "wrong_phase"
    assert _finished().refusal(play.resume, "why") == "wrong_phase"


def test_an_aborted_game_has_no_ranking_and_reveals_its_seed() -> None:
    table = _table()
    (aborted,) = table.do(play.abort, "a flood")
    assert aborted.data == {"reason": "a flood", "server_seed": table.secret.hex()}
    assert table.game.status == ABORTED
    assert table.game.result == GameResult("aborted")


def test_an_open_game_may_be_aborted() -> None:
    table = Table(seats=3)
    table.do(play.abort, "a flood")
    assert table.game.status == ABORTED


def test_a_game_that_is_over_cannot_be_aborted() -> None:
    assert _finished().refusal(play.abort, "why") == "game_over"


def test_an_aborted_game_has_no_sealed_answers_and_no_deadline() -> None:
    table = _table()
    table.act(0, Roll())
    table.act(1, Pass())
    table.do(play.abort, "a flood")
    assert (table.game.sealed, table.game.deadline, table.game.waiting_for()) == ((), None, ())
    assert table.game.entropy


def test_a_finished_game_may_be_voided_and_keeps_its_result() -> None:
    table = _finished()
    assert table.game.status == FINISHED
    result = table.game.result
    (voided,) = table.do(play.void, "a cheat")
    assert voided.data == {"reason": "a cheat", "server_seed": table.secret.hex()}
    assert (table.game.status, table.game.result) == (VOIDED, result)


def test_a_game_in_progress_may_be_voided() -> None:
    table = _table()
    assert table.game.status == PLAYING
    table.do(play.void, "a cheat")
    assert (table.game.status, table.game.result) == (VOIDED, GameResult("aborted"))


def test_a_game_is_voided_once() -> None:
    table = _finished()
    table.do(play.void, "a cheat")
    assert table.refusal(play.void, "again") == "game_over"


def test_the_first_rematch_is_the_next_game() -> None:
    table = _finished()
    (created,) = table.do(play.rematch, "game-2")
    assert (created.type, created.data) == ("rematch_created", {"next_game": "game-2"})
    assert table.do(play.rematch, "game-3") == ()
    assert table.game.next_game == "game-2"


def test_a_second_rematch_replaces_only_the_named_one() -> None:
    table = _table()
    table.do(play.abort, "staff")
    table.do(play.rematch, "game-2")
    assert table.keep(play.rematch(table.game, "game-3", table.moment, "game-1")) == ()
    assert table.keep(play.rematch(table.game, "game-3", table.moment, "game-2"))
    assert table.game.next_game == "game-3"


def test_a_rematch_before_the_end_is_refused() -> None:
    assert _table().refusal(play.rematch, "game-2") == "game_not_over"
    assert Table(seats=3).refusal(play.rematch, "game-2") == "game_not_over"


def test_a_game_that_is_stopped_in_a_phase_reveals_its_sealed_answers() -> None:
    for command, last in ((play.abort, "game_aborted"), (play.void, "game_voided")):
        table = _table()
        table.act(0, Roll())
        table.act(1, Pass())
        closed, over = table.do(command, "a reason")
        assert (closed.type, over.type) == ("phase_closed", last)
        assert [(answer["seat"], answer["action"]) for answer in closed.data["answers"]] == [(1, {"type": "pass"})]
