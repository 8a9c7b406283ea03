"""Credited time, paused clocks, aborted and voided games, rematches."""

from games.game.aggregate import ABORTED, FINISHED, PLAYING, VOIDED, GameResult
from games.game.decisions import expiry, interventions, play
from games.game.events import moment_of
from games.rules.actions import Pass, Roll
from tests.builders import GameDriver, loaded, outage, started, types


def _driver() -> GameDriver:
    return started(seats=2, dice_source=loaded())


def _finished() -> GameDriver:
    driver = _driver()
    driver.resign(0)
    return driver


def test_an_outage_is_credited_to_the_open_deadline() -> None:
    driver = _driver()
    assert driver.game.deadline is not None
    before = moment_of(driver.game.deadline)
    (credited,) = driver.do(expiry.credit_outages, [outage(1, 60)])
    assert (moment_of(credited.data["deadline"]) - before).total_seconds() == 60
    assert (credited.data["seconds"], credited.data["key"]) == (60, outage(1, 60).began)
    assert driver.game.deadline == credited.data["deadline"]


def test_an_outage_is_credited_once() -> None:
    driver = _driver()
    driver.do(expiry.credit_outages, [outage(1, 60)])
    assert driver.do(expiry.credit_outages, [outage(1, 60)]) == ()
    assert types(driver.do(expiry.credit_outages, [outage(2, 60)])) == ["time_credited"]


def test_a_credited_deadline_is_not_due_at_the_old_one() -> None:
    driver = _driver()
    driver.do(expiry.credit_outages, [outage(1, 60)])
    driver.wait(70)
    assert driver.do(expiry.expire) == ()
    assert types(driver.act(0, Roll())) == ["dice_rolled"]


def test_a_game_without_a_deadline_is_not_credited() -> None:
    assert _finished().do(expiry.credit_outages, [outage(1, 60)]) == ()
    assert started(visibility="private", clock=None).do(expiry.credit_outages, [outage(1, 60)]) == ()


def test_a_paused_clock_has_no_deadline() -> None:
    driver = _driver()
    (paused,) = driver.do(interventions.pause, "a report")
    assert (paused.type, paused.data) == ("clock_paused", {"reason": "a report"})
    assert (driver.game.paused, driver.game.deadline) == (True, None)
    driver.wait(10**6)
    assert driver.do(expiry.expire) == ()


def test_a_paused_game_may_be_played_and_stays_paused() -> None:
    driver = _driver()
    driver.do(interventions.pause, "a report")
    driver.wait(10**6)
    (rolled,) = driver.act(0, Roll())
    assert rolled.data["deadline"] is None
    assert driver.game.paused


def test_a_resumed_clock_gives_the_open_phase_its_full_time() -> None:
    driver = _driver()
    driver.act(0, Roll())
    driver.do(interventions.pause, "a report")
    driver.wait(1000)
    (resumed,) = driver.do(interventions.resume, "settled")
    assert resumed.data["reason"] == "settled"
    assert (moment_of(resumed.data["deadline"]) - moment_of(resumed.at)).total_seconds() == 45
    assert (driver.game.paused, driver.game.deadline) == (False, resumed.data["deadline"])


def test_resuming_a_game_without_a_clock_sets_no_deadline() -> None:
    driver = started(visibility="private", clock=None)
    driver.do(interventions.pause, "a report")
    assert driver.do(interventions.resume, "settled")[0].data["deadline"] is None


def test_only_a_running_clock_is_paused_and_only_a_paused_one_resumed() -> None:
    driver = _driver()
    assert driver.refusal(interventions.resume, "why") == "wrong_phase"
    driver.do(interventions.pause, "a report")
    assert driver.refusal(interventions.pause, "why") == "wrong_phase"
    assert GameDriver(seats=3).refusal(interventions.pause, "why") == "wrong_phase"
    assert _finished().refusal(interventions.pause, "why") == "wrong_phase"
    assert _finished().refusal(interventions.resume, "why") == "wrong_phase"


def test_an_aborted_game_has_no_ranking_and_reveals_its_seed() -> None:
    driver = _driver()
    (aborted,) = driver.do(interventions.abort, "a flood")
    assert aborted.data == {"reason": "a flood", "server_seed": driver.secret.hex()}
    assert driver.game.status == ABORTED
    assert driver.game.result == GameResult("aborted")


def test_an_open_game_may_be_aborted() -> None:
    driver = GameDriver(seats=3)
    driver.do(interventions.abort, "a flood")
    assert driver.game.status == ABORTED


def test_a_game_that_is_over_cannot_be_aborted() -> None:
    assert _finished().refusal(interventions.abort, "why") == "game_over"


def test_an_aborted_game_has_no_sealed_answers_and_no_deadline() -> None:
    driver = _driver()
    driver.act(0, Roll())
    driver.act(1, Pass())
    driver.do(interventions.abort, "a flood")
    assert (driver.game.sealed, driver.game.deadline, driver.game.waiting_for()) == ((), None, ())
    assert driver.game.entropy


def test_a_finished_game_may_be_voided_and_keeps_its_result() -> None:
    driver = _finished()
    assert driver.game.status == FINISHED
    result = driver.game.result
    (voided,) = driver.do(interventions.void, "a cheat")
    assert voided.data == {"reason": "a cheat", "server_seed": driver.secret.hex()}
    assert (driver.game.status, driver.game.result) == (VOIDED, result)


def test_a_game_in_progress_may_be_voided() -> None:
    driver = _driver()
    assert driver.game.status == PLAYING
    driver.do(interventions.void, "a cheat")
    assert (driver.game.status, driver.game.result) == (VOIDED, GameResult("aborted"))


def test_a_game_is_voided_once() -> None:
    driver = _finished()
    driver.do(interventions.void, "a cheat")
    assert driver.refusal(interventions.void, "again") == "game_over"


def test_the_first_rematch_is_the_next_game() -> None:
    driver = _finished()
    (created,) = driver.do(play.rematch, "game-2")
    assert (created.type, created.data) == ("rematch_created", {"next_game": "game-2"})
    assert driver.do(play.rematch, "game-3") == ()
    assert driver.game.next_game == "game-2"


def test_a_second_rematch_replaces_only_the_named_one() -> None:
    driver = _driver()
    driver.do(interventions.abort, "staff")
    driver.do(play.rematch, "game-2")
    assert driver.keep(play.rematch(driver.game, "game-3", driver.moment, "game-1")) == ()
    assert driver.keep(play.rematch(driver.game, "game-3", driver.moment, "game-2"))
    assert driver.game.next_game == "game-3"


def test_a_rematch_before_the_end_is_refused() -> None:
    assert _driver().refusal(play.rematch, "game-2") == "game_not_over"
    assert GameDriver(seats=3).refusal(play.rematch, "game-2") == "game_not_over"


def test_a_game_that_is_stopped_in_a_phase_reveals_its_sealed_answers() -> None:
    for command, last in ((interventions.abort, "game_aborted"), (interventions.void, "game_voided")):
        driver = _driver()
        driver.act(0, Roll())
        driver.act(1, Pass())
        closed, over = driver.do(command, "a reason")
        assert (closed.type, over.type) == ("phase_closed", last)
        assert [(answer["seat"], answer["action"]) for answer in closed.data["answers"]] == [(1, {"type": "pass"})]
