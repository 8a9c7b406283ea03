"""A Hypothesis state machine that creates a game, runs commands and checks the laws."""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games.game.aggregate import PLAYING, GameState, fold
from games.game.decisions import interventions, lobby, play
from games.game.decisions.draft import Draft
from games.game.events import stamp
from games.rules.actions import Request
from games.rules.refused import Refused
from tests.builders import PLAYERS, GameDriver
from tests.laws.absence_laws import check_absences
from tests.laws.game_laws import check_append, check_log, check_options, check_tip, through_json
from tests.rules.sheet_cases import CLASSIC_CASES, RULE_CODES, SHEET_CASES, TURN_CODES, Chooser, SheetCase

LOBBY_CODES = {"already_seated", "game_full", "game_not_open", "not_enough_seats", "not_allowed", "not_found"}
CODES = TURN_CODES | RULE_CODES | LOBBY_CODES | {"game_not_over", "malformed"}
LONGEST = 3000  # more commands than any game needs

sheet_cases = st.sampled_from([*CLASSIC_CASES, *CLASSIC_CASES, *SHEET_CASES])
clocks = st.sampled_from([{"roll_s": 20, "answer_s": 45}, {"roll_s": 5, "answer_s": 1_209_600}, None])
Rule = Callable[..., Any]


def while_status(*statuses: str) -> Callable[[Rule], Rule]:
    """A rule that applies only while the game has one of these statuses."""
    return precondition(lambda machine: machine.driver.game.status in statuses)


class GameMachine(RuleBasedStateMachine):
    """A game on any sheet, with any number of players and bots."""

    driver: GameDriver
    sheet_case: SheetCase
    before: GameState | None

    @initialize(
        sheet_case=st.sampled_from([*CLASSIC_CASES, *CLASSIC_CASES, *SHEET_CASES]),
        clock=clocks,
        data=st.data(),
        secret=st.binary(min_size=32, max_size=32),
        late_seeds=st.lists(st.booleans(), min_size=len(PLAYERS), max_size=len(PLAYERS)),
    )
    def create(
        self,
        sheet_case: SheetCase,
        clock: dict[str, int] | None,
        data: st.DataObject,
        secret: bytes,
        late_seeds: list[bool],
    ) -> None:
        seats = data.draw(st.sampled_from(sheet_case.ruleset.seats), label="seats")
        people = data.draw(st.integers(1, seats).map(lambda free: seats + 1 - free), label="people")
        bots = data.draw(st.integers(0, seats - people), label="bots")
        visibility = "public" if clock else "private"
        agreed: dict[str, Any] = {"sheet": sheet_case.sheet, "seats": seats, "clock": clock, "visibility": visibility}
        self.sheet_case, self.before = sheet_case, None
        late = dict(zip(PLAYERS, late_seeds, strict=True))
        agreed |= {"bots": ("easy",) * bots, "late_seed": late[PLAYERS[0]]}
        self.driver = GameDriver(sheet_case.ruleset.key, secret=secret, **agreed)
        self._check_appends(0)
        for player in PLAYERS[1:people]:
            assert self._try(partial(lobby.join, late_seed=late[player]), player, None) is None

    def _check_appends(self, known: int) -> None:
        for events in self.driver.appends[known:]:
            check_append(self.before, events, self.driver.game)
        self.before = self.driver.game

    def _try(self, command: Callable[..., Draft], *arguments: Any) -> str | None:
        """Runs a command and checks the laws; returns the code of its refusal."""
        game, known, code = self.driver.game, len(self.driver.appends), None
        try:
            self.driver.do(command, *arguments)
        except Refused as refused:
            code = refused.code
        assert code is None or (code in CODES and self.driver.game is game)
        self._check_appends(known)
        return code

    @property
    def is_due(self) -> bool:
        deadline = self.driver.game.deadline
        return deadline is not None and stamp(self.driver.now) >= deadline

    @while_status(PLAYING)
    @rule(seed=st.integers(0, 2**32), commands=st.integers(1, 80))
    def play_on(self, seed: int, commands: int) -> None:
        """Seats answer or are sometimes silent; bots, which are not run here, are always silent."""
        random = Random(seed)
        choose = Chooser(self.sheet_case.ruleset, random)
        for _ in range(commands):
            if self.driver.game.status != PLAYING:
                return
            self._step(random, choose)

    def _step(self, random: Random, choose: Chooser) -> None:
        game = self.driver.game
        able = [seat for seat in game.waiting_for() if game.participants[seat].player]
        if able and not self.is_due and (not game.deadline or random.random() < 0.97):
            seat = random.choice(able)
            action = choose(game.position, seat, play.options(game, seat))
            assert self._try(play.act, self.driver.player(seat), Request(action)) is None
        elif game.deadline:
            self.time_out()
        else:  # no clock, and only bots to wait for
            assert self._try(interventions.abort, "stuck") is None

    @precondition(lambda self: self.driver.game.deadline)
    @rule()
    def time_out(self) -> None:
        known = len(self.driver.appends)
        assert self.driver.time_out()[0].type == "time_ran_out"
        self._check_appends(known)

    @invariant()
    def laws_hold(self) -> None:
        check_tip(self.driver.game)
        check_options(self.driver)

    def teardown(self) -> None:
        """Plays the game to its end, and checks its log as a whole and in parts."""
        if not hasattr(self, "driver"):
            return
        if self.driver.game.paused and self.driver.game.status == PLAYING:
            assert self._try(interventions.resume, "enough") is None
        self.play_on(0, LONGEST)
        log, game = self.driver.log, self.driver.game
        assert game.status != PLAYING
        check_log(log, game)
        check_absences(log)
        for cut in {1, len(log) // 3, len(log) // 2, len(log) - 1} - {0, len(log)}:
            assert fold(fold(None, through_json(log[:cut])), log[cut:]) == game
