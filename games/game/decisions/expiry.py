"""Deadlines that have passed, and outages for which time is credited."""

from collections.abc import Iterable
from datetime import timedelta
from math import ceil
from typing import NamedTuple

from games.game import game_facts as f
from games.game.aggregate import OPEN, GameState
from games.game.decisions import game_start
from games.game.decisions.draft import Draft, Moment, has_present_player, limit_of
from games.game.decisions.play import is_due
from games.game.events import moment_of, stamp

TIMEOUTS_TO_AWAY = 3


class OutagePeriod(NamedTuple):
    """A period in which the service was down; `began` identifies it."""

    began: str
    ended: str

    @property
    def seconds(self) -> int:
        """Rounded up in favour of the players."""
        return ceil((moment_of(self.ended) - moment_of(self.began)).total_seconds())


def expire(game: GameState, moment: Moment) -> Draft:
    """Enforce a deadline that has passed: the rules answer for silent seats; three time-outs make a seat away. A game
    that is open has waited for client seeds: it starts."""
    if game.status == OPEN:
        return game_start.expire(game, moment)
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
    if has_present_player(draft.game):
        draft.close_phase(answers)
    draft.advance_or_abort()
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
