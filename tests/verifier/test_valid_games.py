"""Whatever the service plays, both verifiers find it sound; what they cannot check yet, they say."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.game import lobby, play
from games.game.aggregate import RESIGNED
from games.rules.actions import Pass, Roll
from tests.builders import ANN, BEN, PLAYERS, Table, started
from tests.laws.test_any_game import AnyGame
from tests.rules.worlds import REGISTERED
from tests.verifier.both_verifiers import BothVerifiers
from tests.verifier.exports import GOLDEN, export
from verifier.verify import CHECKS

ALL_OK = dict.fromkeys(CHECKS, "ok")
judges_of_machines: list[BothVerifiers] = []


@pytest.fixture(autouse=True)
def _judges_are_there(verifiers: BothVerifiers) -> None:
    """A machine of hypothesis is given no fixtures."""
    judges_of_machines[:] = [verifiers]


@pytest.mark.parametrize("name", GOLDEN)
def test_every_golden_game_is_valid(name: str, verifiers: BothVerifiers) -> None:
    report = verifiers.report(GOLDEN[name])
    assert report["checks"] == ALL_OK
    assert (report["ok"], report["bad"], report["notes"]) == (True, None, [])
    assert report["status"] == "finished"


class AnyVerifiedGame(AnyGame):
    """Looked at by everybody, at any time, and at its end."""

    def check_exports(self) -> None:
        verifiers, game = judges_of_machines[0], self.table.game
        for seat in (None, *(participant.seat for participant in game.participants[:2])):
            report = verifiers.report(export(self.table, seat))
            assert report["ok"], report["bad"]
            assert (report["status"], report["head"]) == (game.status, game.head)
            self.check_verdicts(report)

    def check_verdicts(self, report: dict[str, Any]) -> None:
        game = self.table.game
        is_known = (game.setup.ruleset, game.setup.sheet) in (("qwixx", "classic"), ("qwinto", "classic"))
        assert report["checks"]["chain"] == "ok"
        assert report["checks"]["dice"] == ("ok" if game.is_over else "not checked")
        assert report["checks"]["rules"] == ("ok" if is_known else "not checked")
        if game.result and game.result.ranking and is_known:
            assert report["result"] == {"reason": game.result.reason, "ranking": list(game.result.ranking)}

    def teardown(self) -> None:
        if hasattr(self, "table"):
            self.check_exports()
        super().teardown()
        if hasattr(self, "table"):
            self.check_exports()


@pytest.mark.usefixtures("printed_sheets")
class TestAnyVerifiedGame(AnyVerifiedGame.TestCase):  # type: ignore[misc,valid-type]
    settings = settings(max_examples=60, stateful_step_count=20)


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32), data=st.data())
def test_random_games_with_any_number_of_seats_are_valid(seed: int, data: st.DataObject) -> None:
    world = data.draw(st.sampled_from(REGISTERED), label="game")
    seats = data.draw(st.sampled_from(world.ruleset.seats), label="seats")
    machine = AnyVerifiedGame()
    machine.world, machine.before = world, None
    machine.table = Table(world.ruleset.key, seats=seats, secret=seed.to_bytes(32))
    machine._check_appends(0)
    for player in PLAYERS[1:seats]:
        assert machine._try(lobby.join, player, None) is None
    machine.play_on(seed, 3000)
    assert judges_of_machines[0].report(export(machine.table))["checks"] == dict.fromkeys(CHECKS, "ok")


def test_the_report_of_an_unfinished_game_names_what_cannot_be_checked_yet(verifiers: BothVerifiers) -> None:
    table = started("qwixx", 3)
    table.act(table.active, Roll())
    table.act(0, Pass())
    report = verifiers.report(export(table, 1))
    assert report["ok"]
    assert {check for check, verdict in report["checks"].items() if verdict != "ok"} == {"commitment", "dice", "scores"}
    assert len(report["notes"]) == 2
    own = verifiers.report(export(table, 0))
    assert (own["ok"], len(own["notes"])) == (True, 1)


def test_an_aborted_game_is_valid(verifiers: BothVerifiers) -> None:
    table = started("qwinto", 2)
    table.do(play.abort, "staff")
    report = verifiers.report(export(table))
    assert (report["ok"], report["status"], report["checks"]["scores"]) == (True, "aborted", "not checked")


def test_a_game_that_never_started_is_valid(verifiers: BothVerifiers) -> None:
    table = Table("qwixx", seats=3)
    assert verifiers.report(export(table))["status"] == "open"
    table.join(BEN)
    table.do(lobby.leave, BEN)
    table.do(lobby.leave, ANN)
    report = verifiers.report(export(table))
    assert (report["ok"], report["status"]) == (True, "aborted")


def test_a_finished_game_that_was_voided_keeps_its_scores(verifiers: BothVerifiers) -> None:
    table = started("qwixx", 2)
    table.resign(0)
    assert table.state(0) == RESIGNED
    table.do(play.rematch, "next")
    table.do(play.void, "staff")
    report = verifiers.report(export(table))
    assert (report["ok"], report["status"], report["checks"]) == (True, "voided", ALL_OK)
    assert report["notes"] == ["Staff removed the game from ratings and statistics."]
