"""Leaderboards as sorted sets in Redis, for ranks among many players: a cache that may be lost or stale at any time.

A set is used only if the revision stored beside it is the leaderboard's revision in SQL, and if it contains the player.
Sorted sets order equal scores by their members: members are raw ids, so SQL and Redis break ties alike. When Redis
cannot answer, the result is None and the caller asks SQL.

Filling a large leaderboard takes a while, and games are projected meanwhile. So changes during that time are stored
beside it, each under the revision before it; the last step of the fill applies them.
"""

import logging
import struct
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

from players.database.ids import uuid7
from players.redis_servers import redis_clients

METRICS = ("rating", "wins", "best_score", "points")
REDIS_TIMEOUT_S = 0.5  # then SQL is asked
RETRY_AFTER_S = 1.0
EXPIRES_AFTER_S = 3 * 86_400  # a leaderboard that has not changed for so long is no longer current
FILL_TIMEOUT_S = 600
CHUNK = 500  # players per script: Redis serves other clients in between

MetricValues = dict[str, int]  # in the order of METRICS
Answer = TypeVar("Answer")

SCRIPTS = {path.stem: path.read_text() for path in (Path(__file__).parent / "lua").glob("*.lua")}
UPDATE = SCRIPTS["apply_change"] + SCRIPTS["update"]
FINISH_FILL = SCRIPTS["apply_change"] + SCRIPTS["finish_fill"]
ADD_PLAYERS = SCRIPTS["add_players"]
PACKED_PLAYER = struct.Struct(f">16s{len(METRICS)}i")  # an id and its values, as `add_players.lua` reads them

logger = logging.getLogger(__name__)


class BoardRevisions(NamedTuple):
    """A leaderboard's id, and its revisions before and after a change; None: it is new."""

    board: int
    before: UUID | None
    after: UUID


class BoardChange(NamedTuple):
    """The new values of these players on one leaderboard; players without values are removed from it."""

    revisions: BoardRevisions
    players: set[UUID]
    values: dict[UUID, MetricValues]


class RankCounts(NamedTuple):
    """How many players have a higher value, and how many come before in the order, which also orders equal values."""

    above: int
    ahead: int


class RedisOutage:
    """Until this time of the monotonic clock Redis is not asked."""

    until = 0.0


@cache
def shared_client() -> Any:
    return connect(settings.REDIS_URL)


def connect(url: str) -> Any:
    """A client without retries: by default redis-py would retry for seconds."""
    retry = Retry(NoBackoff(), 0)
    return redis_clients.connect(
        url, socket_timeout=REDIS_TIMEOUT_S, socket_connect_timeout=REDIS_TIMEOUT_S, retry=retry
    )


def _query(query: Callable[[Any], Answer]) -> Answer | None:
    """None if Redis cannot be reached; then it is not asked again for a moment."""
    if time.monotonic() < RedisOutage.until:
        return None
    try:
        return query(shared_client())
    except (redis.RedisError, OSError) as error:
        RedisOutage.until = time.monotonic() + RETRY_AFTER_S
        logger.warning("Redis cannot be reached, ranks come from SQL: %s", error)
        return None


def rank(board: int, revision: UUID, metric: str, player: UUID, value: int) -> RankCounts | None:
    """The rank of a player with this value in this revision of a leaderboard; None: not in the cache."""

    def query(client: Any) -> RankCounts | None:
        pipe = client.pipeline(transaction=True)
        pipe.get(_revision_key(board))
        pipe.zscore(_set(board, metric), player.bytes)
        pipe.zcount(_set(board, metric), f"({value}", "+inf")
        pipe.zrevrank(_set(board, metric), player.bytes)
        cached_revision, score, above, ahead = pipe.execute()
        return RankCounts(above, ahead) if cached_revision == revision.bytes and score == value else None

    return _query(query)


def update(changes: Sequence[BoardChange]) -> None:
    """After the commit: update the sets that had the previous revision, and delete any other."""

    def update_each(client: Any) -> None:
        for change in changes:
            _update(client, change)

    _query(update_each)


def _update(client: Any, change: BoardChange) -> None:
    board, before, after = change.revisions
    keys = [_revision_key(board), _missed_changes(board), *_sets(board)]
    arguments: list[Any] = [before.bytes if before else b"", after.bytes]
    for player in change.players:
        values = change.values.get(player)
        arguments += [player.bytes, *("" if values is None else values[metric] for metric in METRICS)]
    client.eval(UPDATE, len(keys), *keys, *arguments, EXPIRES_AFTER_S)


def is_current(board: int, revision: UUID) -> bool:
    return bool(_query(lambda client: client.get(_revision_key(board)) == revision.bytes))


def begin_fill(board: int) -> bytes | None:
    """Before the standings are read: store all changes from now on. The id of the fill, or None if Redis is away."""
    fill_id = uuid7().bytes

    def query(client: Any) -> bytes:
        pipe = client.pipeline(transaction=True)
        pipe.delete(_missed_changes(board))
        pipe.hset(_missed_changes(board), "filling", fill_id)
        pipe.expire(_missed_changes(board), FILL_TIMEOUT_S)
        pipe.execute()
        return fill_id

    return _query(query)


def fill(board: int, revision: UUID, rows: Sequence[tuple[UUID, MetricValues]], fill_id: bytes) -> None:
    """Build the sets of a whole leaderboard under other keys and put them in place in one step."""

    def query(client: Any) -> None:
        filled = [key + b":" + fill_id for key in _sets(board)]
        for first in range(0, len(rows), CHUNK):
            packed = [PACKED_PLAYER.pack(player.bytes, *row.values()) for player, row in rows[first : first + CHUNK]]
            client.eval(ADD_PLAYERS, len(filled), *filled, b"".join(packed), EXPIRES_AFTER_S)
        keys = [_revision_key(board), _missed_changes(board), *_sets(board), *filled]
        client.eval(FINISH_FILL, len(keys), *keys, revision.bytes, len(rows), fill_id, EXPIRES_AFTER_S)

    _query(query)


def _revision_key(board: int) -> bytes:
    return b"board:{%d}" % board


def _missed_changes(board: int) -> bytes:
    return b"board:{%d}:missed" % board


def _sets(board: int) -> list[bytes]:
    return [_set(board, metric) for metric in METRICS]


def _set(board: int, metric: str) -> bytes:
    return b"board:{%d}:%s" % (board, metric.encode())
