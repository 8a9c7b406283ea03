"""The aggregate: one game's state, folded from its events; the commands that decide are in `lobby` and `play`."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from games.game import event_types
from games.game import game_facts as f
from games.game.events import GENESIS, Event, link
from games.game.values import Value
from games.rules.actions import Action, from_wire
from games.rules.facts import DiceKept, DiceRolled, PhaseClosed, TurnStarted
from games.rules.registry import RULESETS
from games.rules.ruleset import AnyRuleset, replaced

OPEN, PLAYING, FINISHED, ABORTED, VOIDED = "open", "playing", "finished", "aborted", "voided"
PRESENT, AWAY, RESIGNED = "playing", "away", "resigned"


class GameClock(Value, frozen=True, array_like=True):
    roll_s: int
    answer_s: int


class Setup(Value, frozen=True, array_like=True):
    """The settings with which the game was created."""

    ruleset: str
    sheet: str
    seats: int
    visibility: str
    rated: bool
    clock: GameClock | None
    commitment: str
    rematch_of: str | None


class Participant(Value, frozen=True, array_like=True):
    """The player or bot in a seat, and whether the seat still plays."""

    seat: int
    player: str | None
    bot: str | None
    client_seed: str
    state: str = PRESENT
    timeouts: int = 0  # consecutive ones
    awaits_seed: bool = False  # the player has announced a client seed that has not come yet


class Sealed(Value, frozen=True, array_like=True):
    """A sealed answer to the open phase; a later one of the same seat replaces it."""

    seat: int
    version: int
    action: Mapping[str, Any]
    nonce: str


class GameResult(Value, frozen=True, array_like=True):
    reason: str
    ranking: tuple[Mapping[str, int], ...] = ()


class GameState(Value, frozen=True, array_like=True):
    """The state of one game: everything that its log says."""

    id: str
    setup: Setup
    status: str = OPEN
    participants: tuple[Participant, ...] = ()
    host: int | None = None
    entropy: str = ""
    position: Any = None  # the ruleset's state, from the start on
    deadline: str | None = None
    paused: bool = False
    sealed: tuple[Sealed, ...] = ()
    lapsed: tuple[tuple[int, str], ...] = ()  # roll and phase of each time-out since the last roll
    credits: tuple[str, ...] = ()  # outages that have been credited
    result: GameResult | None = None
    next_game: str | None = None
    version: int = 0
    head: str = GENESIS
    at: str = ""

    @property
    def ruleset(self) -> AnyRuleset:
        return RULESETS[self.setup.ruleset]

    @property
    def is_over(self) -> bool:
        return self.status not in (OPEN, PLAYING)

    def participant_of(self, player: str) -> Participant | None:
        for participant in self.participants:
            if participant.player == player:
                return participant
        return None

    def awaited_seeds(self) -> tuple[int, ...]:
        """The seats whose announced client seed has not come yet."""
        return tuple([participant.seat for participant in self.participants if participant.awaits_seed])

    def answers(self) -> dict[int, Action]:
        """The latest sealed answer of each seat in the open phase."""
        return {sealed.seat: from_wire(sealed.action) for sealed in self.sealed}

    def answer_of(self, seat: int) -> Action | None:
        for sealed in reversed(self.sealed):
            if sealed.seat == seat:
                return from_wire(sealed.action)
        return None

    def waiting_for(self) -> tuple[int, ...]:
        """The seats whose answer the open phase still needs."""
        position = self.position
        phase = RULESETS[self.setup.ruleset].phases.get(position.phase) if self.status == PLAYING else None
        if phase is None:
            return ()
        if not phase.everyone:
            active = position.active
            return (active,) if self.participants[active].state == PRESENT else ()
        answered = [sealed.seat for sealed in self.sealed]
        return tuple(
            [
                participant.seat
                for participant in self.participants
                if participant.state == PRESENT and participant.seat not in answered
            ]
        )


def created(game_id: str, fact: f.GameCreated) -> GameState:
    clock = None if fact.clock is None else GameClock(**fact.clock)
    setup = Setup(
        fact.ruleset, fact.sheet, fact.seats, fact.visibility, fact.rated, clock, fact.commitment, fact.rematch_of
    )
    return GameState(game_id, setup)


def evolve(game: GameState, fact: Any, version: int) -> GameState:
    """The game after the fact at this version. Computes no rule and cannot fail on a decided fact."""
    return _EVOLUTIONS.get(type(fact), _played)(game, fact, version)


def fold(game: GameState | None, events: Iterable[Event]) -> GameState:
    """The game after further events of its log; without a game, the first event must be its creation."""
    event = None
    for event in events:
        fact = event_types.decode(event.type, event.v, event.data)
        game = created(event.game, fact) if game is None else evolve(game, fact, event.version)
    if game is None:
        raise ValueError("a game has at least one event")
    return game if event is None else game._replace(version=event.version, head=event.hash, at=event.at)


def chained(game: GameState, facts: Iterable[Any], at: str) -> tuple[Event, ...]:
    """The events for facts that were decided on this game, linked to its log."""
    events, prev = [], game.head
    for version, fact in enumerate(facts, start=game.version + 1):
        name, v, data = event_types.encode(fact)
        event = link(prev, game.id, version, name, v, at, data)
        events.append(event)
        prev = event.hash
    return tuple(events)


def _played(game: GameState, fact: Any, _version: int) -> GameState:
    """A fact that changes only the ruleset's state."""
    return game._replace(position=game.ruleset.evolve(game.position, fact))


def _turn_started(game: GameState, fact: TurnStarted, _version: int) -> GameState:
    return game._replace(position=game.ruleset.evolve(game.position, fact), deadline=fact.deadline)


def _phase_opened(game: GameState, fact: DiceRolled | DiceKept | PhaseClosed, _version: int) -> GameState:
    position, active = game.position, game.participants[game.position.active]
    participants = game.participants
    if active.timeouts and (position.roll, position.phase) not in game.lapsed:
        participants = replaced(participants, active.seat, active._replace(timeouts=0))
    return game._replace(
        position=game.ruleset.evolve(position, fact), deadline=fact.deadline, participants=participants, sealed=()
    )


def _answer_sealed(game: GameState, fact: f.AnswerSealed, version: int) -> GameState:
    sealed = (*game.sealed, Sealed(fact.seat, version, fact.action, fact.nonce))
    participant = game.participants[fact.seat]
    participants = (
        replaced(game.participants, fact.seat, participant._replace(timeouts=0))
        if participant.timeouts
        else game.participants
    )
    return game._replace(sealed=sealed, participants=participants)


def _seat_taken(game: GameState, fact: f.SeatTaken, _version: int) -> GameState:
    taken = Participant(fact.seat, fact.player, fact.bot, fact.client_seed, awaits_seed=fact.late_seed)
    participants = sorted((*game.participants, taken), key=lambda participant: participant.seat)
    host = fact.seat if game.host is None else game.host
    return game._replace(participants=tuple(participants), host=host, deadline=fact.deadline)


def _seed_given(game: GameState, fact: f.SeedGiven, _version: int) -> GameState:
    participants = tuple(
        participant._replace(client_seed=fact.client_seed, awaits_seed=False)
        if participant.seat == fact.seat
        else participant
        for participant in game.participants
    )
    return game._replace(participants=participants)


def _seat_left(game: GameState, fact: f.SeatLeft, _version: int) -> GameState:
    participants = tuple(participant for participant in game.participants if participant.seat != fact.seat)
    return game._replace(participants=participants, host=fact.host, deadline=None)


def _game_started(game: GameState, fact: f.GameStarted, _version: int) -> GameState:
    by_seat = {participant.seat: participant for participant in game.participants}
    participants = tuple(by_seat[old]._replace(seat=new, awaits_seed=False) for new, old in enumerate(fact.seats))
    host = None if game.host is None else fact.seats.index(game.host)
    position = game.ruleset.opening(game.setup.sheet, len(participants), fact.printings)
    return game._replace(
        status=PLAYING, participants=participants, host=host, entropy=fact.entropy, position=position, deadline=None
    )


def _time_ran_out(game: GameState, fact: f.TimeRanOut, _version: int) -> GameState:
    if game.status == OPEN:  # the wait for client seeds; a late one costs nothing
        return game._replace(deadline=None)
    participants = tuple(c._replace(timeouts=c.timeouts + 1) if c.seat in fact.seats else c for c in game.participants)
    roll, phase = game.position.roll, game.position.phase
    lapsed = (*(earlier for earlier in game.lapsed if earlier[0] == roll), (roll, phase))
    return game._replace(participants=participants, lapsed=lapsed)


def _with_state(game: GameState, seat: int, state: str) -> GameState:
    participant = game.participants[seat]._replace(state=state, timeouts=0)
    return game._replace(participants=replaced(game.participants, seat, participant))


def _over(game: GameState, status: str, result: GameResult) -> GameState:
    return game._replace(status=status, result=result, deadline=None, sealed=())


_EVOLUTIONS: dict[type[Any], Callable[[GameState, Any, int], GameState]] = {
    TurnStarted: _turn_started,
    DiceRolled: _phase_opened,
    DiceKept: _phase_opened,
    PhaseClosed: _phase_opened,
    f.SeatTaken: _seat_taken,
    f.SeedGiven: _seed_given,
    f.SeatLeft: _seat_left,
    f.GameStarted: _game_started,
    f.AnswerSealed: _answer_sealed,
    f.TimeRanOut: _time_ran_out,
    f.SeatWentAway: lambda game, fact, _: _with_state(game, fact.seat, AWAY),
    f.SeatCameBack: lambda game, fact, _: _with_state(game, fact.seat, PRESENT),
    f.SeatResigned: lambda game, fact, _: _with_state(game, fact.seat, RESIGNED),
    f.GameEnded: lambda game, fact, _: _over(game, FINISHED, GameResult(fact.reason, fact.ranking)),
    f.GameAborted: lambda game, _fact, _: _over(game, ABORTED, GameResult("aborted")),
    f.GameVoided: lambda game, _fact, _: _over(game, VOIDED, game.result or GameResult("aborted")),
    f.RematchCreated: lambda game, fact, _: game._replace(next_game=fact.next_game),
    f.TimeCredited: lambda game, fact, _: game._replace(deadline=fact.deadline, credits=(*game.credits, fact.key)),
    f.ClockPaused: lambda game, _fact, _: game._replace(paused=True, deadline=None),
    f.ClockResumed: lambda game, fact, _: game._replace(paused=False, deadline=fact.deadline),
}
