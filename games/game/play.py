"""Commands of a game that has started: answers, deadlines, resigning, returning, and what staff may do."""

from collections.abc import Iterable
from datetime import timedelta
from functools import reduce
from math import ceil
from typing import NamedTuple

from games.game import event_types as f
from games.game import start
from games.game.aggregate import AWAY, OPEN, PLAYING, PRESENT, RESIGNED, GameState, Participant
from games.game.draft import Draft, Moment, has_one_seat, limit_of
from games.game.events import moment_of, stamp
from games.rules.actions import Action, Keep, Mark, Pass, Request, Resign, Return, Write, to_wire
from games.rules.refused import Refused

REPLACEMENTS = 20  # of a sealed answer within one phase
TIMEOUTS_TO_AWAY = 3
MAX_EVENTS_WITH_REMATCHES = 2000  # longer logs take no second rematch; a game has a few hundred events
REMATCH_RETRY_S = 60
PREVIEWED = (Mark, Write, Pass, Keep)  # answers that roll no dice and leave no seat


class OutagePeriod(NamedTuple):
    """A period in which the service was down; `began` identifies it."""

    began: str
    ended: str

    @property
    def seconds(self) -> int:
        """Rounded up in favour of the players."""
        return ceil((moment_of(self.ended) - moment_of(self.began)).total_seconds())


def options(game: GameState, seat: int) -> tuple[Action, ...]:
    """Every answer that this seat may give now; all others but `Resign` and `Return` are refused."""
    if game.status != PLAYING or game.participants[seat].state == RESIGNED:
        return ()
    return (game.answers()[seat],) if _has_no_replacements(game, seat) else game.ruleset.options(game.position, seat)


def act(game: GameState, player: str, request: Request, moment: Moment) -> Draft:
    participant = _acting_participant(game, player)
    draft = Draft(game, moment)
    if isinstance(request.action, Resign):
        _resign(draft, participant.seat)
    elif isinstance(request.action, Return):
        _return(draft, participant.seat)
    else:
        _answer(draft, participant.seat, request)
    return draft


def act_for_bot(game: GameState, seat: int, request: Request, moment: Moment) -> Draft:
    """The answer of a bot, which has a seat but no player id."""
    if game.status != PLAYING:
        raise Refused("game_over" if game.is_over else "wrong_phase")
    if game.participants[seat].bot is None:
        raise Refused("not_seated")
    draft = Draft(game, moment)
    _answer(draft, seat, request)
    return draft


def waiting_bots(game: GameState) -> tuple[int, ...]:
    """The seats of bots whose answer the open phase still needs."""
    return tuple([seat for seat in game.waiting_for() if game.participants[seat].bot])


def _acting_participant(game: GameState, player: str) -> Participant:
    """The player's participant, if they may still act."""
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
    code = _time_refusal(game, request, draft.now) or refusal(game, seat, request)
    if code is not None:
        raise Refused(code)
    _return(draft, seat)
    if not game.ruleset.phases[game.position.phase].everyone:
        draft.close_phase({seat: request.action})
    elif game.answer_of(seat) != request.action:
        draft.add(f.AnswerSealed(seat, to_wire(request.action), draft.moment.nonce))
    draft.advance()


def _time_refusal(game: GameState, request: Request, now: str) -> str | None:
    """An answer to another roll is stale; one to this roll is late once its deadline has passed, enforced or not."""
    position = game.position
    if request.roll is not None and request.roll != position.roll:
        return "stale_roll"
    is_lapsed = request.phase != position.phase and (position.roll, request.phase) in game.lapsed
    return "too_late" if is_lapsed or is_due(game, now) else None


def is_due(game: GameState, now: str) -> bool:
    """Whether the deadline of the open phase has passed."""
    return game.deadline is not None and now >= game.deadline


def refusal(game: GameState, seat: int, request: Request) -> str | None:
    """The code of the rule that this answer breaks, deadlines apart."""
    if request.phase is not None and request.phase != game.position.phase:
        return "wrong_phase"
    code = game.ruleset.refusal(game.position, seat, request.action)
    if code is None and _has_no_replacements(game, seat) and game.answer_of(seat) != request.action:
        return "too_many_requests"
    return code


def check_previewed(request: Request) -> None:
    if type(request.action) not in PREVIEWED:
        raise Refused("malformed", errors=[("/type", "not_one_of", "one of mark, write, pass, keep")])


def preview(game: GameState, player: str, request: Request, moment: Moment) -> tuple[list[object], int, int]:
    """The facts that an answer alone would add to its author's sheet, and the author's points before and after."""
    check_previewed(request)
    participant = _acting_participant(game, player)
    code = _time_refusal(game, request, stamp(moment.now)) or refusal(game, participant.seat, request)
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


def _has_no_replacements(game: GameState, seat: int) -> bool:
    return len(game.sealed) > REPLACEMENTS and sum(sealed.seat == seat for sealed in game.sealed) > REPLACEMENTS


def _return(draft: Draft, seat: int) -> None:
    if draft.game.participants[seat].state == AWAY:
        draft.add(f.SeatCameBack(seat))


def resign(game: GameState, player: str, moment: Moment) -> Draft:
    draft = Draft(game, moment)
    _resign(draft, _acting_participant(game, player).seat)
    return draft


def _resign(draft: Draft, seat: int) -> None:
    draft.add(f.SeatResigned(seat))
    if has_one_seat(draft.game):
        if draft.game.sealed:  # an answer that is already sealed counts
            draft.close_phase(draft.game.answers())
        draft.end("last_seat_standing")
    _advance(draft)


def _advance(draft: Draft) -> None:
    """Abort a game that no player plays any more; otherwise advance it."""
    if draft.game.status == PLAYING and not _has_present_player(draft.game):
        draft.abort("nobody_left")
    draft.advance()


def _has_present_player(game: GameState) -> bool:
    return any(participant.player and participant.state == PRESENT for participant in game.participants)


def expire(game: GameState, moment: Moment) -> Draft:
    """Enforce a deadline that has passed: the rules answer for silent seats; three time-outs make a seat away. A game
    that is open has waited for client seeds: it starts."""
    if game.status == OPEN:
        return start.expire(game, moment)
    draft = Draft(game, moment)
    if game.deadline is None or not is_due(game, draft.now):
        return draft
    silent = game.waiting_for()
    silence = game.ruleset.phases[game.position.phase].silence
    answers = draft.answers() | dict.fromkeys(silent, silence)
    draft.add(f.TimeRanOut(silent, game.deadline))
    for seat in silent:
        participant = draft.game.participants[seat]
        if participant.player and participant.timeouts >= TIMEOUTS_TO_AWAY:  # a late bot is the service's fault
            draft.add(f.SeatWentAway(seat))
    if _has_present_player(draft.game):
        draft.close_phase(answers)
    _advance(draft)
    return draft


def outages_to_credit(game: GameState, outages: Iterable[OutagePeriod]) -> tuple[OutagePeriod, ...]:
    """The outages during the open phase for which no time has been credited yet.

    The deadline says when the phase opened. Earlier credits moved it by the length of their outages, and the result is
    still before the end of any later outage.
    """
    limit = limit_of(game) if game.deadline else None
    if game.deadline is None or limit is None:
        return ()
    opened = stamp(moment_of(game.deadline) - limit)
    return tuple([outage for outage in outages if opened < outage.ended and outage.began not in game.credits])


def credit_outages(game: GameState, outages: Iterable[OutagePeriod], moment: Moment) -> Draft:
    """Move the deadline by the length of every outage that has not been credited yet."""
    draft = Draft(game, moment)
    for outage in outages_to_credit(game, outages):
        deadline = moment_of(draft.game.deadline or "") + timedelta(seconds=outage.seconds)
        draft.add(f.TimeCredited(outage.seconds, stamp(deadline), outage.began))
    return draft


def pause(game: GameState, reason: str, moment: Moment) -> Draft:
    if game.status != PLAYING or game.paused:
        raise Refused("wrong_phase")
    draft = Draft(game, moment)
    draft.add(f.ClockPaused(reason))
    return draft


def resume(game: GameState, reason: str, moment: Moment) -> Draft:
    """The open phase gets its full time again."""
    if game.status != PLAYING or not game.paused:
        raise Refused("wrong_phase")
    draft = Draft(game, moment)
    draft.resume_clock(reason)
    return draft


def abort(game: GameState, reason: str, moment: Moment) -> Draft:
    if game.is_over:
        raise Refused("game_over")
    draft = Draft(game, moment)
    draft.abort(reason)
    return draft


def void(game: GameState, reason: str, moment: Moment) -> Draft:
    """Remove a game from ratings and statistics, finished or not; its log stays."""
    if game.status == "voided":
        raise Refused("game_over")
    draft = Draft(game, moment)
    draft.reveal()
    draft.add(f.GameVoided(reason, moment.dice_source.reveal()))
    return draft


def rematch(game: GameState, next_game: str, moment: Moment, instead_of: str | None = None) -> Draft:
    """Store the next game; a second one replaces only `instead_of`, a next game that never started."""
    if not game.is_over:
        raise Refused("game_not_over")
    draft = Draft(game, moment)
    if game.next_game is not None and game.next_game == instead_of and game.version >= MAX_EVENTS_WITH_REMATCHES:
        raise Refused("too_many_requests", retry_after=REMATCH_RETRY_S)
    if game.next_game in (None, instead_of):
        draft.add(f.RematchCreated(next_game))
    return draft
