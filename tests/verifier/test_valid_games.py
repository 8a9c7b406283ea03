"""Both verifiers accept every log that the service writes, and name what they cannot check yet."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.game.aggregate import RESIGNED
from games.game.decisions import interventions, lobby, play
from games.game.dice import late_seeds
from games.rules.actions import Pass, Roll
from tests.builders import ANN, BEN, PLAYERS, GameDriver, started
from tests.laws.test_any_game import AnyGame
from tests.rules.sheet_cases import SHEET_CASES, SheetCase
from tests.rules.test_layouts import OFFICIAL
from tests.verifier.both_verifiers import BothVerifiers
from tests.verifier.exports import GOLDEN, export
from verifier.verify import CHECKS, RULES

KNOWN_CASES = [case for case in SHEET_CASES if (case.ruleset.key, case.sheet) in RULES]
ALL_OK = dict.fromkeys(CHECKS, "ok")
machine_verifiers: list[BothVerifiers] = []


@pytest.fixture(autouse=True)
def _verifiers_of_machines(verifiers: BothVerifiers) -> None:
    """The verifiers of the state machine below: hypothesis gives it no fixtures."""
    machine_verifiers[:] = [verifiers]


@pytest.mark.parametrize("name", GOLDEN)
def test_every_golden_game_is_valid(name: str, verifiers: BothVerifiers) -> None:
    report = verifiers.report(GOLDEN[name])
    assert report["checks"] == ALL_OK
    assert (report["ok"], report["bad"], report["notes"]) == (True, None, [])
    assert report["status"] == "finished"


class AnyVerifiedGame(AnyGame):
    """Verified for all viewers, at any time and at the end."""

    def check_exports(self) -> None:
        verifiers, game = machine_verifiers[0], self.driver.game
        for seat in (None, *(participant.seat for participant in game.participants[:2])):
            report = verifiers.report(export(self.driver, seat))
            assert report["ok"], report["bad"]
            assert (report["status"], report["head"]) == (game.status, game.head)
            self.check_verdicts(report)

    def check_verdicts(self, report: dict[str, Any]) -> None:
        game = self.driver.game
        assert report["checks"]["chain"] == "ok"
        assert report["checks"]["dice"] == ("ok" if game.is_over else "not checked")
        is_known = (game.setup.ruleset, game.setup.sheet) in RULES
        assert report["checks"]["rules"] == ("ok" if is_known else "not checked")
        assert [each["seed"] == "late" for each in report["client_seeds"]] == late_seeds(self.driver.log)
        if is_known and game.result and game.result.ranking:
            assert report["result"] == {"reason": game.result.reason, "ranking": list(game.result.ranking)}

    def teardown(self) -> None:
        if hasattr(self, "driver"):
            self.check_exports()
        super().teardown()
        if hasattr(self, "driver"):
            self.check_exports()


class TestAnyVerifiedGame(AnyVerifiedGame.TestCase):  # type: ignore[misc,valid-type]
    settings = settings(max_examples=60, stateful_step_count=20)


def test_the_verifiers_know_every_sheet_that_is_official() -> None:
    assert {("qwixx", sheet) for sheet in OFFICIAL} | {("qwinto", "classic")} <= set(RULES)


@pytest.mark.parametrize("sheet_case", KNOWN_CASES, ids=str)
@settings(max_examples=10)
@given(seed=st.integers(0, 2**32), data=st.data())
def test_random_games_with_any_number_of_seats_are_valid(sheet_case: SheetCase, seed: int, data: st.DataObject) -> None:
    seats = data.draw(st.sampled_from(sheet_case.ruleset.seats), label="seats")
    machine = AnyVerifiedGame()
    machine.sheet_case, machine.before = sheet_case, None
    machine.driver = GameDriver(sheet_case.ruleset.key, seats=seats, sheet=sheet_case.sheet, secret=seed.to_bytes(32))
    machine._check_appends(0)
    for player in PLAYERS[1:seats]:
        assert machine._try(lobby.join, player, None) is None
    machine.play_on(seed, 3000)
    assert machine_verifiers[0].report(export(machine.driver))["checks"] == dict.fromkeys(CHECKS, "ok")


def test_the_report_of_an_unfinished_game_names_what_cannot_be_checked_yet(verifiers: BothVerifiers) -> None:
    driver = started("qwixx", 3)
    driver.act(driver.active, Roll())
    driver.act(0, Pass())
    report = verifiers.report(export(driver, 1))
    assert report["ok"]
    assert {check for check, verdict in report["checks"].items() if verdict != "ok"} == {"commitment", "dice", "scores"}
    assert len(report["notes"]) == 2
    own = verifiers.report(export(driver, 0))
    assert (own["ok"], len(own["notes"])) == (True, 1)


def test_an_aborted_game_is_valid(verifiers: BothVerifiers) -> None:
    driver = started("qwinto", 2)
    driver.do(interventions.abort, "staff")
    report = verifiers.report(export(driver))
    assert (report["ok"], report["status"], report["checks"]["scores"]) == (True, "aborted", "not checked")


def test_a_game_that_never_started_is_valid(verifiers: BothVerifiers) -> None:
    driver = GameDriver("qwixx", seats=3)
    assert verifiers.report(export(driver))["status"] == "open"
    driver.join(BEN)
    driver.do(lobby.leave, BEN)
    driver.do(lobby.leave, ANN)
    report = verifiers.report(export(driver))
    assert (report["ok"], report["status"]) == (True, "aborted")


def test_a_finished_game_that_was_voided_keeps_its_scores(verifiers: BothVerifiers) -> None:
    driver = started("qwixx", 2)
    driver.resign(0)
    assert driver.state(0) == RESIGNED
    driver.do(play.rematch, "next")
    driver.do(interventions.void, "staff")
    report = verifiers.report(export(driver))
    assert (report["ok"], report["status"], report["checks"]) == (True, "voided", ALL_OK)
    assert report["notes"] == ["Staff removed the game from ratings and statistics."]
