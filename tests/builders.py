"""Runs one game for tests as the service does: decides, chains and stores commands, with a chosen clock and dice."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest

from games.game.aggregate import GameState
from games.game.decisions import expiry, lobby, play
from games.game.decisions.draft import Draft, Moment
from games.game.decisions.expiry import OutagePeriod
from games.game.decisions.game_settings import Settings
from games.game.dice import DiceSource
from games.game.events import Event, moment_of, stamp
from games.rules.actions import Action, Request, Resign, Return
from games.rules.refused import Refused

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
GAME = "01900000-0000-7000-8000-000000000001"
SECRET = bytes(range(32))
ANN, BEN, CAT = "ann", "ben", "cat"
PLAYERS = (ANN, BEN, CAT, "dan", "eve", "fay")


def loaded(first: int = 0, **faces: int) -> type[DiceSource]:
    """Dice with chosen faces, all others one, and a chosen first seat."""

    class LoadedDice(DiceSource, frozen=True):
        def roll(self, _number: int, dice: Sequence[str]) -> tuple[int, ...]:
            return tuple(faces.get(name, 1) for name in dice)

        def first(self, _seats: int) -> int:
            return first

    return LoadedDice


class GameDriver:
    """One game from its creation on. Commands return the events they appended; refusals are raised."""

    def __init__(
        self,
        ruleset: str = "qwixx",
        *,
        creator: str = ANN,
        client_seed: str | None = None,
        late_seed: bool = False,
        game_id: str = GAME,
        secret: bytes = SECRET,
        dice_source: type[DiceSource] = DiceSource,
        **settings: Any,
    ) -> None:
        self.secret, self.dice_source, self.now = secret, dice_source, NOON
        self.log: list[Event] = []
        self.nonces = count(1)
        self.game: GameState
        moment = self._moment(game_id, "")
        creation = lobby.create(
            game_id, Settings(ruleset, **settings), creator, client_seed, moment, late_seed=late_seed
        )
        self.appends: list[tuple[Event, ...]] = []
        self.keep(creation)

    def _moment(self, game_id: str, entropy: str) -> Moment:
        return Moment(self.now, self.dice_source(self.secret, game_id, entropy), f"{next(self.nonces):032x}")

    @property
    def moment(self) -> Moment:
        return self._moment(self.game.id, self.game.entropy)

    def keep(self, draft: Draft) -> tuple[Event, ...]:
        """Store the events of a draft."""
        events = draft.events()
        if events:
            self.game = draft.result(events)
            self.log += events
            self.appends.append(events)
        return events

    def do(self, command: Callable[..., Draft], *arguments: Any) -> tuple[Event, ...]:
        """Any command of `lobby` or `play` on this game: `driver.do(lobby.start, ANN)`."""
        return self.keep(command(self.game, *arguments, self.moment))

    def refusal(self, command: Callable[..., object], *arguments: Any) -> str:
        """The code of the refusal that a command raises."""
        with pytest.raises(Refused) as refused:
            command(self.game, *arguments, self.moment)
        return refused.value.code

    def wait(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    def join(self, *players: str, client_seed: str | None = None, late_seed: bool = False) -> None:
        for player in players:
            self.keep(lobby.join(self.game, player, client_seed, self.moment, late_seed=late_seed))

    def player(self, seat: int) -> str:
        return self.game.participants[seat].player or f"no player in seat {seat}"

    def act(self, seat: int, action: Action, roll: int | None = None, phase: str | None = None) -> tuple[Event, ...]:
        return self.do(play.act, self.player(seat), Request(action, roll, phase))

    def act_refusal(self, seat: int, action: Action, roll: int | None = None, phase: str | None = None) -> str:
        return self.refusal(play.act, self.player(seat), Request(action, roll, phase))

    def resign(self, seat: int) -> tuple[Event, ...]:
        return self.act(seat, Resign())

    def come_back(self, seat: int) -> tuple[Event, ...]:
        return self.act(seat, Return())

    def time_out(self) -> tuple[Event, ...]:
        """The open phase's deadline passes and is enforced."""
        assert self.game.deadline is not None
        self.now = max(self.now, moment_of(self.game.deadline))
        return self.do(expiry.expire)

    def state(self, seat: int) -> str:
        return self.game.participants[seat].state

    @property
    def phase(self) -> str:
        return str(self.game.position.phase)

    @property
    def active(self) -> int:
        return int(self.game.position.active)

    @property
    def ranks(self) -> dict[int, int]:
        """Seat → rank, once the game is over."""
        assert self.game.result is not None
        return {entry["seat"]: entry["rank"] for entry in self.game.result.ranking}


def started(ruleset: str = "qwixx", seats: int = 2, **settings: Any) -> GameDriver:
    """A full game of players that waits for its first roll."""
    driver = GameDriver(ruleset, seats=seats, **settings)
    driver.join(*PLAYERS[1:seats])
    return driver


def outage(number: int, seconds: int) -> OutagePeriod:
    """An outage that ends after any phase of a test has opened; its number is its key."""
    began = datetime(2030, 1, number, tzinfo=UTC)
    return OutagePeriod(stamp(began), stamp(began + timedelta(seconds=seconds)))


def types(events: Sequence[Event]) -> list[str]:
    return [event.type for event in events]
