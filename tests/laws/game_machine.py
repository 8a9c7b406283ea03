"""The machine under tests of any course of a game: it creates one, does what it is told, and keeps the laws."""

from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games.game import lobby, play
from games.game.aggregate import PLAYING, Game, fold
from games.game.draft import Draft
from games.game.events import stamp
from games.rules.actions import Request
from games.rules.refused import Refused
from tests.builders import PLAYERS, Table
from tests.laws.game_laws import check_append, check_log, check_options, check_tip, through_json
from tests.rules.worlds import MOMENT_CODES, REGISTERED, RULE_CODES, WORLDS, Chooser, World

LOBBY_CODES = {"already_seated", "game_full", "game_not_open", "not_enough_seats", "not_allowed", "not_found"}
CODES = MOMENT_CODES | RULE_CODES | LOBBY_CODES | {"game_not_over", "malformed"}
LONGEST = 3000  # commands that no game needs to come to its end

worlds = st.sampled_from([*REGISTERED, *REGISTERED, *WORLDS])
clocks = st.sampled_from([{"roll_s": 20, "answer_s": 45}, {"roll_s": 5, "answer_s": 1_209_600}, None])
Rule = Callable[..., Any]


def while_it_is(*statuses: str) -> Callable[[Rule], Rule]:
    """A rule that applies only while the game is in one of these."""
    return precondition(lambda machine: machine.table.game.status in statuses)


class GameMachine(RuleBasedStateMachine):
    """Any game at all, from any world, with any number of people and bots."""

    table: Table
    world: World
    before: Game | None

    @initialize(
        world=st.sampled_from([*REGISTERED, *REGISTERED, *WORLDS]),
        clock=clocks,
        data=st.data(),
        secret=st.binary(min_size=32, max_size=32),
    )
    def create(self, world: World, clock: dict[str, int] | None, data: st.DataObject, secret: bytes) -> None:
        seats = data.draw(st.sampled_from(world.ruleset.seats), label="seats")
        people = data.draw(st.integers(1, seats).map(lambda free: seats + 1 - free), label="people")
        bots = data.draw(st.integers(0, seats - people), label="bots")
        visibility = "public" if clock else "private"
        agreed: dict[str, Any] = {"sheet": world.sheet, "seats": seats, "clock": clock, "visibility": visibility}
        self.world, self.before = world, None
        self.table = Table(world.ruleset.key, secret=secret, bots=("easy",) * bots, **agreed)
        self._check_appends(0)
        for player in PLAYERS[1:people]:
            assert self._try(lobby.join, player, None) is None

    def _check_appends(self, known: int) -> None:
        for events in self.table.appends[known:]:
            check_append(self.before, events, self.table.game)
        self.before = self.table.game

    def _try(self, command: Callable[..., Draft], *arguments: Any) -> str | None:
        """Do it if it may be done; the code if not. Either way the laws hold."""
        game, known, code = self.table.game, len(self.table.appends), None
        try:
            self.table.do(command, *arguments)
        except Refused as refused:
            code = refused.code
        assert code is None or (code in CODES and self.table.game is game)
        self._check_appends(known)
        return code

    @property
    def is_due(self) -> bool:
        deadline = self.table.game.deadline
        return deadline is not None and stamp(self.table.now) >= deadline

    @while_it_is(PLAYING)
    @rule(seed=st.integers(0, 2**32), commands=st.integers(1, 80))
    def play_on(self, seed: int, commands: int) -> None:
        """Whoever is waited for answers, or is silent now and then; bots, who have no hands here, always are."""
        random = Random(seed)
        choose = Chooser(self.world.ruleset, random)
        for _ in range(commands):
            if self.table.game.status != PLAYING:
                return
            self._step(random, choose)

    def _step(self, random: Random, choose: Chooser) -> None:
        game = self.table.game
        able = [seat for seat in game.waiting_for() if game.participants[seat].player]
        if able and not self.is_due and (not game.deadline or random.random() < 0.97):
            seat = random.choice(able)
            action = choose(game.position, seat, play.options(game, seat))
            assert self._try(play.act, self.table.player(seat), Request(action)) is None
        elif game.deadline:
            self.time_out()
        else:  # no clock, and only bots to wait for
            assert self._try(play.abort, "stuck") is None

    @precondition(lambda self: self.table.game.deadline)
    @rule()
    def time_out(self) -> None:
        known = len(self.table.appends)
        assert self.table.time_out()[0].type == "time_ran_out"
        self._check_appends(known)

    @invariant()
    def laws_hold(self) -> None:
        check_tip(self.table.game)
        check_options(self.table)

    def teardown(self) -> None:
        """Every game ends, and its log is sound from the first event to the last, however it is cut."""
        if not hasattr(self, "table"):
            return
        if self.table.game.paused and self.table.game.status == PLAYING:
            assert self._try(play.resume, "enough") is None
        self.play_on(0, LONGEST)
        log, game = self.table.log, self.table.game
        assert game.status != PLAYING
        check_log(log, game)
        for cut in {1, len(log) // 3, len(log) // 2, len(log) - 1} - {0, len(log)}:
            assert fold(fold(None, through_json(log[:cut])), log[cut:]) == game
