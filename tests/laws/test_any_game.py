"""All commands in any order, by any player, at any time: the laws hold after every step."""

from functools import partial
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from games.game.aggregate import OPEN, PLAYING, RESIGNED, VOIDED
from games.game.decisions import expiry, game_settings, interventions, lobby, play
from games.rules.actions import Request, Resign, Return, Roll
from tests.builders import PLAYERS, outage
from tests.laws.game_machine import GameMachine, while_status
from tests.rules.sheet_cases import EVERY_ACTION

players = st.sampled_from(PLAYERS)


class AnyGame(GameMachine):
    # Before the start

    @while_status(OPEN)
    @rule(player=players, client_seed=st.sampled_from([None, "", "abc-_9", "no good"]), late_seed=st.booleans())
    def join(self, player: str, client_seed: str | None, *, late_seed: bool) -> None:
        game = self.driver.game
        code = self._try(partial(lobby.join, late_seed=late_seed), player, client_seed)
        seated = "already_seated" if game.participant_of(player) else None
        full = "game_full" if len(game.participants) == game.setup.seats else None
        assert code == ("malformed" if client_seed == "no good" else seated or full)

    @while_status(OPEN)
    @rule(player=players, client_seed=st.sampled_from(["", "abc-_9", "Zz0", "no good"]))
    def give_seed(self, player: str, client_seed: str) -> None:
        is_seated = self.driver.game.participant_of(player) is not None
        late = "too_late" if self.is_due else None
        code = self._try(lobby.give_seed, player, client_seed)
        assert code == ("malformed" if client_seed == "no good" else late if is_seated else "not_seated")

    @while_status(OPEN)
    @rule(player=players, level=st.sampled_from([*game_settings.BOT_LEVELS, "god"]))
    def seat_bot(self, player: str, level: str) -> None:
        self._try(lobby.seat_bot, player, level)

    @while_status(OPEN)
    @rule(player=players)
    def leave(self, player: str) -> None:
        is_seated = self.driver.game.participant_of(player) is not None
        assert self._try(lobby.leave, player) == (None if is_seated else "not_seated")

    @while_status(OPEN)
    @rule(player=players, seat=st.integers(0, 5))
    def free_seat(self, player: str, seat: int) -> None:
        self._try(lobby.free_seat, player, seat)

    @while_status(OPEN)
    @rule(player=players)
    def start(self, player: str) -> None:
        self._try(lobby.start, player)

    # Play

    @while_status(PLAYING)
    @rule(data=st.data(), with_roll=st.booleans(), with_phase=st.booleans())
    def answer(self, data: st.DataObject, *, with_roll: bool, with_phase: bool) -> None:
        """A seat that may answer does so, or replaces its earlier answer."""
        game, is_due = self.driver.game, self.is_due
        able = [
            participant.seat
            for participant in game.participants
            if participant.player and play.options(game, participant.seat)
        ]
        if not able:
            return
        seat = data.draw(st.sampled_from(able), label="seat")
        action = data.draw(st.sampled_from(play.options(game, seat)), label="action")
        roll, phase = game.position.roll if with_roll else None, game.position.phase if with_phase else None
        code = self._try(play.act, self.driver.player(seat), Request(action, roll, phase))
        assert code == ("too_late" if is_due else None)

    @while_status(PLAYING)
    @rule(player=players, action=st.sampled_from(EVERY_ACTION), roll=st.none() | st.integers(0, 9), data=st.data())
    def answer_anything(self, player: str, action: Any, roll: int | None, data: st.DataObject) -> None:
        """What is not offered is refused."""
        game, participant, is_due = self.driver.game, self.driver.game.participant_of(player), self.is_due
        phase = data.draw(st.none() | st.sampled_from(["", "now", *game.ruleset.phases]), label="phase")
        is_answer = roll in (None, game.position.roll) and phase in (None, game.position.phase)
        offered = play.options(game, participant.seat) if participant else ()
        if isinstance(action, Roll):
            action = next((o for o in offered if isinstance(o, Roll) and {*o.dice} == {*action.dice}), action)
        code = self._try(play.act, player, Request(action, roll, phase))
        assert (code is None) == (action in offered and is_answer and not is_due), code

    @while_status(PLAYING)
    @rule(data=st.data(), times=st.sampled_from([3, 22, 25]))
    def replace_often(self, data: st.DataObject, times: int) -> None:
        """A sealed answer is replaced several times while another seat has to answer."""
        game = self.driver.game
        able = [
            c.seat
            for c in game.participants
            if c.player and play.options(game, c.seat) and {*game.waiting_for()} - {c.seat}
        ]
        if not able or self.is_due:
            return
        seat = data.draw(st.sampled_from(able), label="seat")
        choices = play.options(game, seat)
        for time in range(times):
            action = choices[time % len(choices)]
            is_offered = action in play.options(self.driver.game, seat)
            code = self._try(play.act, self.driver.player(seat), Request(action))
            assert code == (None if is_offered else "too_many_requests")

    @while_status(PLAYING)
    @rule(player=players, chance=st.integers(0, 3))
    def resign(self, player: str, chance: int) -> None:
        participant = self.driver.game.participant_of(player)
        is_there = participant is not None and participant.state != RESIGNED
        if chance == 3 or not is_there:
            assert self._try(play.act, player, Request(Resign())) == (None if is_there else "not_seated")

    @while_status(PLAYING)
    @rule(player=players)
    def come_back(self, player: str) -> None:
        code = self._try(play.act, player, Request(Return()))
        participant = self.driver.game.participant_of(player)
        is_there = participant is not None and participant.state == "playing"
        assert code == (None if is_there else "not_seated")

    # Time

    @rule(seconds=st.sampled_from([1, 10, 50, -10]))
    def wait(self, seconds: int) -> None:
        """A machine's clock may go back, too."""
        self.driver.wait(seconds)

    @rule()
    def expire(self) -> None:
        """Before its time a deadline does nothing."""
        game, is_due = self.driver.game, self.is_due
        assert self._try(expiry.expire) is None
        assert (self.driver.game is not game) == is_due

    @rule(number=st.integers(1, 3), seconds=st.integers(6, 60))
    def credit(self, number: int, seconds: int) -> None:
        game, missed = self.driver.game, outage(number, seconds)
        assert self._try(expiry.credit_outages, [missed]) is None
        assert (self.driver.game is not game) == (game.deadline is not None and missed.began not in game.credits)

    # Staff

    @while_status(PLAYING)
    @rule()
    def pause_or_resume(self) -> None:
        is_paused = self.driver.game.paused
        assert self._try(interventions.pause, "a report") == ("wrong_phase" if is_paused else None)
        if is_paused:
            assert self._try(interventions.resume, "settled") is None

    @while_status(OPEN, PLAYING)
    @rule(chance=st.integers(0, 30))
    def abort_or_void(self, chance: int) -> None:
        assert self._try(play.rematch, "next") == "game_not_over"
        if chance in (11, 12):
            assert self._try(interventions.abort if chance == 11 else interventions.void, "staff") is None

    # Too early, too late

    @precondition(lambda machine: machine.driver.game.status != OPEN)
    @rule(player=players)
    def try_the_lobby(self, player: str) -> None:
        codes = [
            self._try(lobby.join, player, None),
            self._try(lobby.seat_bot, player, "easy"),
            self._try(lobby.start, player),
            self._try(lobby.free_seat, player, 0),
            self._try(lobby.give_seed, player, "abc"),
        ]
        assert None not in codes
        assert {code == "game_over" for code in codes} == {self.driver.game.is_over}

    @precondition(lambda machine: machine.driver.game.is_over)
    @rule(player=players, next_game=st.sampled_from(["next-1", "next-2"]))
    def afterwards(self, player: str, next_game: str) -> None:
        first = self.driver.game.next_game or next_game
        assert self._try(play.act, player, Request(Resign())) == "game_over"
        assert self._try(lobby.leave, player) == "game_over"
        assert self._try(interventions.abort, "staff") == "game_over"
        assert self._try(interventions.pause, "staff") == self._try(interventions.resume, "staff") == "wrong_phase"
        assert self._try(play.rematch, next_game) is None
        assert self.driver.game.next_game == first

    @precondition(lambda machine: machine.driver.game.is_over)
    @rule()
    def void_afterwards(self) -> None:
        is_voided = self.driver.game.status == VOIDED
        assert self._try(interventions.void, "staff") == ("game_over" if is_voided else None)


class TestAnyGame(AnyGame.TestCase):  # type: ignore[misc,valid-type]
    settings = settings(max_examples=120, stateful_step_count=30)
