"""The matchmaker: groups waiting players, stores their matches and creates the games of these matches.

Any number of matchmakers may run at once, and any of them may be killed at any moment. A match is stored first, with
the id that its game will have; the game is created under that id once, and only then are its tickets marked. The next
matchmaker that finds a stored match creates its game, or finds that it exists already.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable, Coroutine, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from games import commands
from games.engine.engine import CommandResult, Engine
from games.game.decisions.game_settings import Settings
from games.game.events import Data
from games.live import notifications
from games.matchmaking import pairing, tickets
from games.matchmaking.models import Match
from games.matchmaking.pairing import Group
from games.matchmaking.tickets import NewMatch, Queue
from games.metrics.shared_counters import MATCHMAKING_WAIT
from games.rules.refused import Refused
from players.database.ids import made_at
from players.ratings import rating_projection
from players.social import blocks

POINTS = 40  # for each step of a rating's mu, as ratings are shown
BATCH = 50  # games that are created together: the engine stores them in few round trips

Outcome = CommandResult | BaseException | None
Outcomes = Coroutine[Any, Any, list[Outcome]]

logger = logging.getLogger(__name__)


def matching_rating(player: UUID, ruleset: str) -> float:
    """The rating that a player is matched by: the estimate itself, not the lower number that is shown."""
    return POINTS * rating_projection.current([player], ruleset)[player].mu


def form_matches(queue: Queue, now: datetime) -> None:
    """Store a match for every group that one queue can form."""
    with transaction.atomic():
        waiting = tickets.lock_waiting(queue, now)
        if not waiting:
            return
        pairs = blocks.blocked_pairs([UUID(entry.player) for entry in waiting])
        separated = {frozenset(map(str, pair)) for pair in pairs}
        groups = pairing.groups(waiting, queue.seats, lambda one, other: frozenset((one, other)) in separated)
        if groups:
            tickets.save_matches([_new_match(group, queue) for group in groups], now)


def _new_match(group: Group, queue: Queue) -> NewMatch:
    """Seats are drawn: a long wait gives no better one. A game with bots is never rated."""
    players = [member.player for member in group.members]
    secrets.SystemRandom().shuffle(players)
    settings = Settings(**queue._asdict(), bots=group.bots)._replace(rated=queue.rated and not group.bots)
    late_seeds = [member.player for member in group.members if member.late_seed]
    return NewMatch(settings._asdict(), players, [member.ticket for member in group.members], late_seeds)


class Matchmaker:
    """Creates games through `call`, which runs a function on the engine, and tells players of them by `notify`."""

    def __init__(
        self, call: Callable[[Callable[[Engine], Outcomes]], list[Outcome]], notify: Callable[[str, Data], None]
    ) -> None:
        self._call, self._notify = call, notify

    def sweep(self, now: datetime) -> None:
        tickets.expire_absent(now)
        for queue in tickets.queues():
            form_matches(queue, now)
        self.create_games(now)

    def create_games(self, now: datetime) -> None:
        """Create the games of all matches: of this sweep, and of any that was interrupted."""
        is_more = True
        while is_more:
            with transaction.atomic():
                games = self._create_games(tickets.lock_matches(BATCH), now)
                matched = tickets.complete_matches(games)
            for player, ticket, game in matched:
                MATCHMAKING_WAIT.count(max(0.0, now.timestamp() - made_at(UUID(ticket)).timestamp()))
                self._notify(player, notifications.match_found(ticket, game))
            is_more = len(games) == BATCH  # else none is left, or the next sweep tries the rest again

    def _create_games(self, matches: Sequence[Match], now: datetime) -> list[UUID]:
        async def create_all(engine: Engine) -> list[Outcome]:
            creating = [
                commands.gather(engine, m.pk, Settings(**m.settings), m.players, now, m.late_seeds) for m in matches
            ]
            return await asyncio.gather(*creating, return_exceptions=True)

        outcomes = self._call(create_all) if matches else []
        return [match.pk for match, outcome in zip(matches, outcomes, strict=True) if _exists(match, outcome)]


def _exists(match: Match, outcome: Outcome) -> bool:
    """A game that could not be stored is tried again by the next sweep; an impossible one releases its players."""
    if not isinstance(outcome, BaseException):
        return True
    logger.warning("the game of match %s could not be created: %s", match.pk, outcome)
    if isinstance(outcome, Refused) and outcome.code == "malformed":
        tickets.cancel_match(match.pk, status="expired")
    return False
