"""Reads logs from the checkpoint of each webhook and stores the messages, in one transaction with the checkpoint.

A process that dies leaves nothing half done, and what has no checkpoint is collected again.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from itertools import groupby
from uuid import UUID

from django.db import transaction
from django.db.models import Count

from games.game.events import Event, moment_of, stamp
from games.log.reads import watched_games
from games.log.reads.watched_games import ChangedGame
from games.webhooks import endpoints
from games.webhooks.endpoints import WatchedPlayer
from games.webhooks.event_payloads import TYPES, GameHistory, Occurrence, history, rating_occurrence
from games.webhooks.models import PENDING, Delivery, Webhook, WebhookCheckpoint
from players.database.ids import earliest, uuid_of
from players.limits import budgets
from players.ratings import rating_projection

BATCH = 200  # games to a query
RECENT = timedelta(days=2)
KEPT_FOR = timedelta(days=30)  # older messages are neither collected nor kept

logger = logging.getLogger(__name__)

ReadLog = Callable[[UUID], list[Event]]


def collect(read_log: ReadLog, now: datetime, *, is_thorough: bool = False) -> None:
    """Games that were created in the last two days; if thorough, all games. What a webhook has no room for stays in the
    logs."""
    room = Room()
    watched = [
        row._replace(since=max(row.since, now - KEPT_FOR))
        for row in endpoints.watched(now)
        if room.is_left(row.webhook)
    ]
    after = UUID(int=0) if is_thorough else earliest(now - RECENT)
    while watched and (rows := watched_games.changed(watched, after, BATCH)):
        for _, group in groupby(rows, lambda row: row.game):
            if rows_with_room := [row for row in group if room.is_left(row.webhook)]:
                _collect_readable(read_log, rows_with_room, watched, room, now)
        after = rows[-1].game
    room.trim()


class Room:
    """How many messages each webhook may get: their rows are bounded, whatever its receiver does."""

    def __init__(self) -> None:
        pending = Delivery.objects.filter(status=PENDING).values("webhook").annotate(count=Count("pk"))
        self._waiting: Counter[UUID] = Counter({row["webhook"]: row["count"] for row in pending})
        self._added: set[UUID] = set()

    def is_left(self, webhook: UUID) -> bool:
        return self._waiting[webhook] < budgets.MESSAGES_WAITING

    def take(self, webhook: UUID, count: int) -> None:
        if count:
            self._waiting[webhook] += count
            self._added.add(webhook)

    def trim(self) -> None:
        """Of what is no longer sent, keep the newest messages."""
        for webhook in self._added:
            settled = Delivery.objects.filter(webhook=webhook).exclude(status=PENDING)
            oldest = settled.order_by("-pk").values_list("pk", flat=True)[budgets.MESSAGES_KEPT - 1 :].first()
            if oldest is not None:
                settled.filter(pk__lt=oldest).delete()


def _collect_readable(
    read_log: ReadLog, rows: list[ChangedGame], watched: list[WatchedPlayer], room: Room, now: datetime
) -> None:
    game = rows[0].game
    try:
        _collect_game(read_log(game), rows, watched, room, now)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        logger.exception("game %s cannot be read and has no webhooks: see verify_log", game)


def _collect_game(
    log: list[Event], rows: list[ChangedGame], watched: list[WatchedPlayer], room: Room, now: datetime
) -> None:
    for row in rows:
        since = {str(one.player): one.since for one in watched if one.webhook == row.webhook}
        told = history(log, row.version)
        ratings = [] if row.has_ratings else _ratings(told, row.game, now)
        news = [
            one
            for one in (*told.occurrences, *ratings)
            if one.player in since and moment_of(one.at) >= since[one.player]
        ]
        stored = _store(row, told.game.version, news, now, has_ratings=row.has_ratings or bool(ratings))
        room.take(row.webhook, stored)


def _ratings(told: GameHistory, game: UUID, now: datetime) -> list[Occurrence]:
    if not told.game.setup.rated or not told.game.is_over:
        return []
    return [rating_occurrence(told.game, change, stamp(now)) for change in rating_projection.of_game(game)]


@transaction.atomic
def _store(row: ChangedGame, version: int, news: Iterable[Occurrence], now: datetime, *, has_ratings: bool) -> int:
    """How many messages. The lock on the webhook lets one process at a time move its checkpoints; another one finds
    this one moved."""
    webhook = Webhook.objects.select_for_update().filter(pk=row.webhook, disabled_at=None).first()
    if webhook is None:
        return 0
    checkpoint, _ = WebhookCheckpoint.objects.get_or_create(webhook=webhook, game=row.game)
    if (checkpoint.version, checkpoint.has_ratings) != (row.version, row.has_ratings):
        return 0
    moved = WebhookCheckpoint.objects.filter(webhook=webhook, game=row.game)
    moved.update(version=version, has_ratings=has_ratings)
    return len(Delivery.objects.bulk_create(_delivery(webhook, one, now) for one in news if one.type in webhook.events))


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
