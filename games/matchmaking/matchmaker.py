"""Brings those together who wait: takes tickets, lets the pure part choose, writes matches down, makes their games.

Any number of matchmakers may run at once, and any of them may be killed anywhere. A match is written down first, with
the id its game will have; a game is made under that id once, and only then are its tickets settled. Whoever finds a
match that is still there makes its game, or finds it made.
"""

import asyncio
import logging
import secrets
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction

from games import commands, runtime
from games.engine.engine import CommandResult, Engine
from games.game.lobby import Settings
from games.live import notifications
from games.matchmaking import pairing, tickets
from games.matchmaking.models import Match
from games.matchmaking.pairing import Group
from games.matchmaking.tickets import Found, Queue
from games.rules.refused import Refused
from players.ratings import rating_projection
from players.social import blocks

POINTS = 40  # for each step of a rating's mu, as ratings are shown
AT_ONCE = 50  # games that are made together: the engine stores them in few round trips

Outcome = CommandResult | BaseException | None

logger = logging.getLogger(__name__)


def strength(player: UUID, ruleset: str) -> float:
    """What a player is matched by: what is believed of him, not the lower number that is shown."""
    return POINTS * rating_projection.current([player], ruleset)[player].mu


def sweep(now: datetime) -> None:
    tickets.expire(now)
    for queue in tickets.queues():
        form(queue, now)
    make(now)


def form(queue: Queue, now: datetime) -> None:
    """Write down whatever company can be found in one queue."""
    with transaction.atomic():
        waiting = tickets.held(queue, now)
        if not waiting:
            return
        separated = blocks.blocked_pairs([UUID(entry.player) for entry in waiting])
        apart = {frozenset(map(str, pair)) for pair in separated}
        groups = pairing.groups(waiting, queue.seats, lambda one, other: frozenset((one, other)) in apart)
        if groups:
            tickets.write_down([found(group, queue) for group in groups], now)


def found(group: Group, queue: Queue) -> Found:
    """Seats are drawn: who has waited longest has no better one. With bots a game does not count, and says so."""
    players = [member.player for member in group.members]
    secrets.SystemRandom().shuffle(players)
    settings = Settings(**queue._asdict(), bots=group.bots)._replace(rated=queue.rated and not group.bots)
    return Found(settings._asdict(), players, [member.ticket for member in group.members])


def make(now: datetime) -> None:
    """Make the games of all matches, this sweep's and any that somebody left behind."""
    is_more = True
    while is_more:
        with transaction.atomic():
            matches = tickets.unmade(AT_ONCE)
            games = _made(matches, now)
            told = tickets.made(games)
        for player, ticket, game in told:
            runtime.tell_player(player, notifications.match_found(ticket, game))
        is_more = len(games) == AT_ONCE  # else none is left, or some have to wait for the next sweep


def _made(matches: Sequence[Match], now: datetime) -> list[UUID]:
    async def make_all(engine: Engine) -> list[Outcome]:
        making = [commands.gather(engine, m.pk, Settings(**m.settings), m.players, now) for m in matches]
        return await asyncio.gather(*making, return_exceptions=True)

    outcomes = runtime.call(make_all) if matches else []
    return [match.pk for match, outcome in zip(matches, outcomes, strict=True) if _is_there(match, outcome)]


def _is_there(match: Match, outcome: Outcome) -> bool:
    """A game that could not be stored just now is tried again; one that cannot be made never holds its members up."""
    if not isinstance(outcome, BaseException):
        return True
    logger.warning("no game could be made for match %s: %s", match.pk, outcome)
    if isinstance(outcome, Refused) and outcome.code == "malformed":
        tickets.dissolve(match.pk, status="expired")
    return False
