"""Commands that need no seat: staff pauses, resumes, aborts or voids a game, and the service aborts abandoned ones."""

from games.game import game_facts as f
from games.game.aggregate import PLAYING, VOIDED, GameState
from games.game.decisions.draft import Draft, Moment
from games.rules.refused import Refused


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
    if game.status == VOIDED:
        raise Refused("game_over")
    draft = Draft(game, moment)
    draft.reveal()
    draft.add(f.GameVoided(reason, moment.dice_source.reveal()))
    return draft
