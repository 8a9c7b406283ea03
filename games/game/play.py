"""Commands of a game that has started: answers, time, leaving, returning, staff. Decides, stores nothing."""

from collections.abc import Iterable
from datetime import timedelta
from functools import reduce
from math import ceil
from typing import NamedTuple

from games.game import event_types as f
from games.game.aggregate import AWAY, OPEN, PLAYING, PRESENT, RESIGNED, Game, Participant
from games.game.draft import Draft, Moment, limit_of
from games.game.events import moment_of, stamp
from games.rules.actions import Action, Keep, Mark, Pass, Request, Resign, Return, Write, to_wire
from games.rules.refused import Refused

REPLACEMENTS = 20  # of a sealed answer, in one phase
TIMEOUTS_TO_AWAY = 3
PREVIEWED = (Mark, Write, Pass, Keep)  # answers that throw no die and leave nobody


class Outage(NamedTuple):
    """A time in which nobody could serve; its beginning names it."""

    began: str
    ended: str

    @property
    def seconds(self) -> int:
        """Rounded up: nobody loses by it."""
        return ceil((moment_of(self.ended) - moment_of(self.began)).total_seconds())


def options(game: Game, seat: int) -> tuple[Action, ...]:
    """Every answer that this seat may give now; what is not among them is refused (`Resign` and `Return` apart)."""
    if game.status != PLAYING or game.participants[seat].state == RESIGNED:
        return ()
    return (game.answers()[seat],) if _used_up(game, seat) else game.ruleset.options(game.position, seat)


def act(game: Game, player: str, request: Request, moment: Moment) -> Draft:
    participant = seated(game, player)
    draft = Draft(game, moment)
    if isinstance(request.action, Resign):
        _resign(draft, participant.seat)
    elif isinstance(request.action, Return):
        _come_back(draft, participant.seat)
    else:
        _answer(draft, participant.seat, request)
    return draft


def act_for_bot(game: Game, seat: int, request: Request, moment: Moment) -> Draft:
    """The answer of a bot, which has a seat but is no player: only whoever runs the bots may give it."""
    if game.status != PLAYING:
        raise Refused("game_over" if game.is_over else "wrong_phase")
    if game.participants[seat].bot is None:
        raise Refused("not_seated")
    draft = Draft(game, moment)
    _answer(draft, seat, request)
    return draft


def waiting_bots(game: Game) -> tuple[int, ...]:
    """The seats of bots whose answer the open phase still needs."""
    return tuple([seat for seat in game.waiting_for() if game.participants[seat].bot])


def seated(game: Game, player: str) -> Participant:
    """The participant of somebody who may still act."""
    if game.is_over:
        raise Refused("game_over")
    participant = game.participant_of(player)
    if participant is None or participant.state == RESIGNED:
        raise Refused("not_seated")
    if game.status == OPEN:
        raise Refused("wrong_phase")
    return participant


def _answer(draft: Draft, seat: int, request: Request) -> None:
    game = draft.game
    code = _too_late(game, request, draft.now) or refusal(game, seat, request)
    if code is not None:
        raise Refused(code)
    _come_back(draft, seat)
    if not game.ruleset.phases[game.position.phase].everyone:
        draft.close_phase({seat: request.action})
    elif game.answer_of(seat) != request.action:
        draft.add(f.AnswerSealed(seat, to_wire(request.action), draft.moment.nonce))
    draft.settle()


def _too_late(game: Game, request: Request, now: str) -> str | None:
    """Another roll's answer is stale; this roll's is late when its time has run out, enforced already or not."""
    position = game.position
    if request.roll is not None and request.roll != position.roll:
        return "stale_roll"
    is_lapsed = request.phase != position.phase and (position.roll, request.phase) in game.lapsed
    return "too_late" if is_lapsed or is_due(game, now) else None


def is_due(game: Game, now: str) -> bool:
    """Has the time of the open phase run out?"""
    return game.deadline is not None and now >= game.deadline


def refusal(game: Game, seat: int, request: Request) -> str | None:
    """The code of what this answer breaks, time apart."""
    if request.phase is not None and request.phase != game.position.phase:
        return "wrong_phase"
    code = game.ruleset.refusal(game.position, seat, request.action)
    if code is None and _used_up(game, seat) and game.answer_of(seat) != request.action:
        return "too_many_requests"
    return code


def preview(game: Game, player: str, request: Request, moment: Moment) -> tuple[list[object], int, int]:
    """What an answer would do to its author's own sheet, as if nobody else had answered, and his points with it."""
    if type(request.action) not in PREVIEWED:
        raise Refused("malformed", errors=[("/type", "an answer to dice that lie on the table")])
    participant = seated(game, player)
    code = _too_late(game, request, stamp(moment.now)) or refusal(game, participant.seat, request)
    if code is not None:
        raise Refused(code)
    ruleset, position = game.ruleset, game.position
    _phase, *others = ruleset.decide(position, {participant.seat: request.action}, moment.dice_source)
    facts = [fact for fact in others if _is_own(fact, participant.seat)]
    after = reduce(ruleset.evolve, facts, position)
    before, now = (ruleset.points(state, participant.seat)["total"] for state in (position, after))
    return facts, before, now


def _is_own(fact: object, seat: int) -> bool:
    return getattr(fact, "seat", None) == seat or seat in getattr(fact, "seats", ())


def _used_up(game: Game, seat: int) -> bool:
    return len(game.sealed) > REPLACEMENTS and sum(sealed.seat == seat for sealed in game.sealed) > REPLACEMENTS


def _come_back(draft: Draft, seat: int) -> None:
    if draft.game.participants[seat].state == AWAY:
        draft.add(f.SeatCameBack(seat))


def resign(game: Game, player: str, moment: Moment) -> Draft:
    draft = Draft(game, moment)
    _resign(draft, seated(game, player).seat)
    return draft


def _resign(draft: Draft, seat: int) -> None:
    draft.add(f.SeatResigned(seat))
    if sum(participant.state != RESIGNED for participant in draft.game.participants) == 1:
        if draft.game.sealed:  # an answer already sealed counts
            draft.close_phase(draft.game.answers())
        draft.end("last_seat_standing")
    _go_on(draft)


def _go_on(draft: Draft) -> None:
    """A game with no person left playing is aborted; any other goes on."""
    if draft.game.status == PLAYING and not any(c.player and c.state == PRESENT for c in draft.game.participants):
        draft.abort("nobody_left")
    draft.settle()


def expire(game: Game, moment: Moment) -> Draft:
    """Enforce the deadline if it has passed: silence is answered as the rules say, and three times make a seat away."""
    draft = Draft(game, moment)
    if game.deadline is None or not is_due(game, draft.now):
        return draft
    silent = game.waiting_for()
    silence = game.ruleset.phases[game.position.phase].silence
    answers = game.answers() | dict.fromkeys(silent, silence)
    draft.add(f.TimeRanOut(silent, game.deadline))
    for seat in silent:
        participant = draft.game.participants[seat]
        if participant.player and participant.timeouts >= TIMEOUTS_TO_AWAY:  # a bot is late only because nobody ran it
            draft.add(f.SeatWentAway(seat))
    if any(participant.player and participant.state == PRESENT for participant in draft.game.participants):
        draft.close_phase(answers)
    _go_on(draft)
    return draft


def owed(game: Game, outages: Iterable[Outage]) -> tuple[Outage, ...]:
    """The outages that the open phase has lived through and was not yet credited with.

    When the phase opened follows from its deadline. Credits have moved that by as long as the outages lasted, which is
    still before the end of any later one.
    """
    limit = limit_of(game) if game.deadline else None
    if game.deadline is None or limit is None:
        return ()
    opened = stamp(moment_of(game.deadline) - limit)
    return tuple([outage for outage in outages if opened < outage.ended and outage.began not in game.credits])


def credit_all(game: Game, outages: Iterable[Outage], moment: Moment) -> Draft:
    """Give back the time of every outage that is owed."""
    draft = Draft(game, moment)
    for outage in owed(game, outages):
        _credit(draft, outage.began, outage.seconds)
    return draft


def credit(game: Game, outage: str, seconds: int, moment: Moment) -> Draft:
    """Give back the time of an outage, once."""
    draft = Draft(game, moment)
    _credit(draft, outage, seconds)
    return draft


def _credit(draft: Draft, outage: str, seconds: int) -> None:
    game = draft.game
    if game.deadline is not None and outage not in game.credits:
        deadline = stamp(moment_of(game.deadline) + timedelta(seconds=seconds))
        draft.add(f.TimeCredited(seconds, deadline, outage))


def pause(game: Game, reason: str, moment: Moment) -> Draft:
    if game.status != PLAYING or game.paused:
        raise Refused("wrong_phase")
    draft = Draft(game, moment)
    draft.add(f.ClockPaused(reason))
    return draft


def resume(game: Game, reason: str, moment: Moment) -> Draft:
    """The open phase gets its whole time again: nobody loses by a pause."""
    if game.status != PLAYING or not game.paused:
        raise Refused("wrong_phase")
    draft = Draft(game, moment)
    draft.resume_clock(reason)
    return draft


def abort(game: Game, reason: str, moment: Moment) -> Draft:
    if game.is_over:
        raise Refused("game_over")
    draft = Draft(game, moment)
    draft.abort(reason)
    return draft


def void(game: Game, reason: str, moment: Moment) -> Draft:
    """Take a game out of the count, finished or not; its log stays."""
    if game.status == "voided":
        raise Refused("game_over")
    draft = Draft(game, moment)
    draft.reveal()
    draft.add(f.GameVoided(reason, moment.dice_source.reveal()))
    return draft


def rematch(game: Game, next_game: str, moment: Moment, instead_of: str | None = None) -> Draft:
    """The one next game; another only in place of one that came to nothing."""
    if not game.is_over:
        raise Refused("game_not_over")
    draft = Draft(game, moment)
    if game.next_game in (None, instead_of):
        draft.add(f.RematchCreated(next_game))
    return draft
