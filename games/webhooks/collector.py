"""Reads logs from the checkpoint of each webhook and stores the messages, in one transaction with the checkpoint.

A process that dies leaves nothing half done, and what has no checkpoint is collected again.
"""

import logging
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from itertools import groupby
from uuid import UUID

from django.db import transaction

from games.game.events import Event, moment_of, stamp
from games.log.reads import watched_games
from games.log.reads.watched_games import ChangedGame
from games.webhooks import endpoints
from games.webhooks.endpoints import WatchedPlayer
from games.webhooks.event_payloads import TYPES, GameHistory, Occurrence, history, rating_occurrence
from games.webhooks.models import Delivery, Webhook, WebhookCheckpoint
from players.database.ids import earliest, uuid_of
from players.ratings import rating_projection

BATCH = 200  # games to a query
RECENT = timedelta(days=2)
KEPT_FOR = timedelta(days=30)  # older messages are neither collected nor kept

logger = logging.getLogger(__name__)

ReadLog = Callable[[UUID], list[Event]]


def collect(read_log: ReadLog, now: datetime, *, is_thorough: bool = False) -> None:
    """Games that were created in the last two days; if thorough, all games."""
    watched = [row._replace(since=max(row.since, now - KEPT_FOR)) for row in endpoints.watched()]
    after = UUID(int=0) if is_thorough else earliest(now - RECENT)
    while watched and (rows := watched_games.changed(watched, after, BATCH)):
        for game, group in groupby(rows, lambda row: row.game):
            try:
                _collect_game(read_log(game), list(group), watched, now)
            except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
                logger.exception("game %s cannot be read and has no webhooks: see verify_log", game)
        after = rows[-1].game


def _collect_game(log: list[Event], rows: list[ChangedGame], watched: list[WatchedPlayer], now: datetime) -> None:
    for row in rows:
        since = {str(one.player): one.since for one in watched if one.webhook == row.webhook}
        told = history(log, row.version)
        ratings = [] if row.has_ratings else _ratings(told, row.game, now)
        news = [
            one
            for one in (*told.occurrences, *ratings)
            if one.player in since and moment_of(one.at) >= since[one.player]
        ]
        _store(row, told.game.version, news, now, has_ratings=row.has_ratings or bool(ratings))


def _ratings(told: GameHistory, game: UUID, now: datetime) -> list[Occurrence]:
    if not told.game.setup.rated or not told.game.is_over:
        return []
    return [rating_occurrence(told.game, change, stamp(now)) for change in rating_projection.of_game(game)]


@transaction.atomic
def _store(row: ChangedGame, version: int, news: Iterable[Occurrence], now: datetime, *, has_ratings: bool) -> None:
    """The lock on the webhook lets one process at a time move its checkpoints; another one finds this one moved."""
    webhook = Webhook.objects.select_for_update().filter(pk=row.webhook, disabled_at=None).first()
    if webhook is None:
        return
    checkpoint, _ = WebhookCheckpoint.objects.get_or_create(webhook=webhook, game=row.game)
    if (checkpoint.version, checkpoint.has_ratings) != (row.version, row.has_ratings):
        return
    moved = WebhookCheckpoint.objects.filter(webhook=webhook, game=row.game)
    moved.update(version=version, has_ratings=has_ratings)
    Delivery.objects.bulk_create(_delivery(webhook, one, now) for one in news if one.type in webhook.events)


def _delivery(webhook: Webhook, news: Occurrence, now: datetime) -> Delivery:
    return Delivery(
        webhook=webhook,
        game=uuid_of(news.data["game"]),
        version=news.version,
        place=TYPES.index(news.type),
        type=news.type,
        body=news.body,
        created_at=now,
        next_at=now,
    )
