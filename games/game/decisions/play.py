"""Commands of a game that has started: answers and their preview, resigning, returning, the rematch."""

from functools import reduce

from games.game import game_facts as f
from games.game.aggregate import AWAY, OPEN, PLAYING, RESIGNED, GameState, Participant
from games.game.decisions.draft import Draft, Moment, has_one_seat
from games.game.events import stamp
from games.rules.actions import Action, Keep, Mark, Pass, Request, Resign, Return, Write, to_wire
from games.rules.refused import Refused

REPLACEMENTS = 20  # of a sealed answer within one phase
MAX_EVENTS_WITH_REMATCHES = 2000  # longer logs take no second rematch; a game has a few hundred events
REMATCH_RETRY_S = 60
PREVIEWED = (Mark, Write, Pass, Keep)  # answers that roll no dice and leave no seat


def options(game: GameState, seat: int) -> tuple[Action, ...]:
    """Every answer that this seat may give now; all others but `Resign` and `Return` are refused."""
    if game.status != PLAYING or game.participants[seat].state == RESIGNED:
        return ()
    return (game.answers()[seat],) if _has_no_replacements(game, seat) else game.ruleset.options(game.position, seat)


def act(game: GameState, player: str, request: Request, moment: Moment) -> Draft:
    """The facts of a player's action; `_answer` has those that the rules of the game allow or forbid."""
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
    draft.advance_or_abort()


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
