"""A command's decision while it is built: facts are added one by one and the game evolves with them."""

from datetime import datetime, timedelta
from typing import Any

from games.game import game_facts as f
from games.game.aggregate import AWAY, OPEN, PLAYING, PRESENT, RESIGNED, GameState, chained, created, evolve
from games.game.dice import DiceSource
from games.game.events import Event, moment_of, stamp
from games.game.values import Value
from games.rules.facts import PhaseClosed, TurnStarted
from games.rules.ruleset import ROLL, TURN_OVER

SEED_WAIT = timedelta(seconds=5)  # for announced client seeds, once every seat is taken


class Moment(Value, frozen=True):
    """Time, dice and nonce with which a command is decided. A retry may have another time, never other dice."""

    now: datetime
    dice_source: DiceSource
    nonce: str


class Draft:
    """The facts of one command. All of them have one time, which is later than that of any earlier fact."""

    __slots__ = ("at", "before", "facts", "game", "instant", "moment", "now", "opened")

    def __init__(self, game: GameState, moment: Moment) -> None:
        self.before = self.game = game
        self.moment = moment
        self.facts: list[Any] = []
        self.opened: int | None = None  # the index of the fact that opened the open phase
        self.instant = moment.now
        self.now = self.at = stamp(moment.now)
        if game.at >= self.at:  # times in the log's form sort as text
            self.instant = moment_of(game.at) + timedelta(microseconds=1)
            self.at = stamp(self.instant)

    @classmethod
    def of_new_game(cls, game_id: str, fact: f.GameCreated, moment: Moment) -> "Draft":
        draft = cls(created(game_id, fact), moment)
        draft.facts.append(fact)
        return draft

    def add(self, fact: Any) -> None:
        self.facts.append(fact)
        self.game = evolve(self.game, fact, self.before.version + len(self.facts))

    def events(self) -> tuple[Event, ...]:
        return chained(self.before, self.facts, self.at)

    def result(self, events: tuple[Event, ...]) -> GameState:
        """The game once these events of the draft are stored."""
        return self.game._replace(version=events[-1].version, head=events[-1].hash, at=events[-1].at)

    def wait_for_seeds(self) -> None:
        """Set the deadline of the start on the fact that took the last seat."""
        deadline = stamp(self.instant + SEED_WAIT)
        self.facts[-1] = self.facts[-1].due(deadline)
        self.game = self.game._replace(deadline=deadline)

    def start_turn(self, seat: int) -> None:
        self.opened = len(self.facts)
        self.add(TurnStarted(seat, self.game.position.turn + 1))

    def answers(self) -> dict[int, Any]:
        """The answers to the open phase: the sealed ones, and the silence of an active seat that is away."""
        game = self.game
        active = game.participants[game.position.active]
        absent = {active.seat: game.ruleset.phases[game.position.phase].silence} if active.state == AWAY else {}
        return absent | game.answers()

    def close_phase(self, answers: dict[int, Any]) -> None:
        """Add the facts that the rules derive from these answers, and reveal the sealed ones."""
        game, ruleset = self.game, self.game.ruleset
        facts = list(ruleset.decide(game.position, answers, self.moment.dice_source))
        if isinstance(facts[0], PhaseClosed) and ruleset.phases[game.position.phase].everyone:
            facts[0] = PhaseClosed(facts[0].phase, tuple([sealed._asdict() for sealed in game.sealed]))
        self.opened = len(self.facts)
        for fact in facts:
            if isinstance(fact, ruleset.box):
                self._use_box(fact.seat)
            else:
                self.add(fact)

    def _use_box(self, seat: int) -> None:
        """A turn without a mark costs a box. Absence never uses the last one: the seat is resigned instead."""
        ruleset, is_away = self.game.ruleset, self.game.participants[seat].state == AWAY
        is_last = ruleset.boxes_left(self.game.position, seat) == 1
        self.add(f.SeatResigned(seat) if is_away and is_last else ruleset.box(seat))

    def advance(self) -> None:
        """Close phases and start turns until a seat has to answer or the game is over."""
        ruleset = self.game.ruleset
        while self.game.status == PLAYING:
            reason = ruleset.ending(self.game.position)
            if reason is not None:
                self.end(reason)
            elif self.game.waiting_for():
                self._set_deadline()
                break
            elif has_one_seat(self.game):
                self.end("last_seat_standing")
            elif self.game.position.phase in (TURN_OVER, ROLL):
                self._start_next_turn()
            else:
                self.close_phase(self.answers())

    def advance_or_abort(self) -> None:
        """Abort a game that no player plays any more; otherwise advance it."""
        if self.game.status == PLAYING and not has_present_player(self.game):
            self.abort("nobody_left")
        self.advance()

    def _start_next_turn(self) -> None:
        """The turn of a seat that is away rolls nothing and costs a box; the loop above passes it on."""
        seat = _next_seat(self.game)
        self.start_turn(seat)
        if self.game.participants[seat].state == AWAY:
            self._use_box(seat)

    def end(self, reason: str) -> None:
        self.add(f.GameEnded(reason, ranking(self.game), self.moment.dice_source.reveal()))

    def reveal(self) -> None:
        """Close the phase of a game that stops, so that the log holds every sealed answer."""
        if self.game.sealed:
            self.add(PhaseClosed(self.game.position.phase, tuple(sealed._asdict() for sealed in self.game.sealed)))

    def abort(self, reason: str) -> None:
        self.reveal()
        self.add(f.GameAborted(reason, self.moment.dice_source.reveal()))

    def resume_clock(self, reason: str) -> None:
        self.game = self.game._replace(paused=False)
        self.add(f.ClockResumed(reason, self._deadline()))

    def _set_deadline(self) -> None:
        """Set the deadline of the open phase on the fact that opened it."""
        if self.opened is None:
            return
        deadline = self._deadline()
        if deadline is not None:
            self.facts[self.opened] = self.facts[self.opened].due(deadline)
            self.game = self.game._replace(deadline=deadline)

    def _deadline(self) -> str | None:
        """The deadline of the open phase if it starts now."""
        limit = limit_of(self.game)
        return None if limit is None or self.game.paused else stamp(self.instant + limit)


def limit_of(game: GameState) -> timedelta | None:
    """How long the open phase may last; before the start, how long a full game waits for client seeds."""
    if game.status == OPEN:
        return SEED_WAIT
    clock = game.setup.clock
    return None if clock is None else timedelta(seconds=getattr(clock, game.ruleset.phases[game.position.phase].clock))


def _next_seat(game: GameState) -> int:
    """The next seat clockwise that has not resigned."""
    after = game.position.active + 1
    clockwise = (*game.participants[after:], *game.participants[:after])
    return next(participant.seat for participant in clockwise if participant.state != RESIGNED)


def has_one_seat(game: GameState) -> bool:
    """Whether all seats but one have resigned."""
    return sum(participant.state != RESIGNED for participant in game.participants) == 1


def has_present_player(game: GameState) -> bool:
    """Whether a player, who is no bot, still plays."""
    return any(participant.player and participant.state == PRESENT for participant in game.participants)


def ranking(game: GameState) -> tuple[dict[str, int], ...]:
    """Best first; equal points share a rank; seats that resigned or are away rank below all others."""
    points = [game.ruleset.points(game.position, participant.seat)["total"] for participant in game.participants]
    keys = [(participant.state != PRESENT, -points[participant.seat]) for participant in game.participants]
    order = sorted(range(len(keys)), key=keys.__getitem__)
    return tuple(
        {"seat": seat, "rank": 1 + sum(other < keys[seat] for other in keys), "points": points[seat]} for seat in order
    )
