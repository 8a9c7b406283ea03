"""Leaderboards as sorted sets in Redis, for ranks among many: a cache that may be lost, cut or stale at any time.

A set is believed only where the revision stored beside it is that of the board in SQL, and where it knows the player
that is asked for. Sorted sets put equal scores in the order of their members: players are members as raw ids, so SQL
and Redis break ties alike. Whatever goes wrong here, the answer is None and SQL is asked instead.

A large board takes a while to fill, and games go on being taken in. So changes that come meanwhile are kept beside it,
each under the revision it follows; the set that is filled catches up with them in the step that puts it in place.
"""

import logging
import struct
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

from players.database.ids import uuid7

METRICS = ("rating", "wins", "best_score", "points")
PATIENCE_S = 0.5  # with Redis, before SQL is asked
PAUSE_S = 1.0  # before Redis is tried again
KEPT_S = 3 * 86_400  # a board that nobody has changed for so long is no longer current
FILLED_WITHIN_S = 600
CHUNK = 500  # players at a time: Redis serves others in between

Row = dict[str, int]  # by metric, in the order of METRICS
Answer = TypeVar("Answer")

logger = logging.getLogger(__name__)


class Stamp(NamedTuple):
    """A board's number, and its revision before and after a change; None: it was not there."""

    board: int
    before: UUID | None
    after: UUID


class Change(NamedTuple):
    """What the players of one board have now; who is not among the rows stands there no longer."""

    stamp: Stamp
    players: set[UUID]
    rows: dict[UUID, Row]


class Place(NamedTuple):
    """How many have more, and how many come first in the order, in which equal ones follow each other, too."""

    above: int
    ahead: int


# A change is the revision before it, the one after it, and for each player what he has now in every set.
APPLY = """
    local function apply(change, sets)
        for at = 3, #change, #sets + 1 do
            for n = 1, #sets do
                if change[at + n] == '' then
                    redis.call('ZREM', sets[n], change[at])
                else
                    redis.call('ZADD', sets[n], change[at + n], change[at])
                end
            end
        end
    end
"""
# Only sets that are what the board was before the change, and all there, may follow it; else they are thrown away.
FOLLOW = (
    APPLY
    + """
    local stamp, missed, kept = KEYS[1], KEYS[2], table.remove(ARGV)
    local sets = {unpack(KEYS, 3)}
    if redis.call('EXISTS', missed) == 1 then
        redis.call('HSET', missed, ARGV[1], cmsgpack.pack(ARGV))
    end
    local revision = redis.call('GET', stamp)
    if revision == ARGV[2] then
        return
    end
    if revision ~= ARGV[1] or redis.call('EXISTS', unpack(sets)) < #sets then
        return redis.call('DEL', stamp, unpack(sets))
    end
    apply(ARGV, sets)
    for n = 1, #sets do
        redis.call('EXPIRE', sets[n], kept)
    end
    redis.call('SET', stamp, ARGV[2], 'EX', kept)
"""
)
# Not if anything of it was lost meanwhile: the note that it is being filled, or some of the players.
FINISH = (
    APPLY
    + """
    local stamp, missed, size = KEYS[1], KEYS[2], (#KEYS - 2) / 2
    local sets, spare = {unpack(KEYS, 3, 2 + size)}, {unpack(KEYS, 3 + size)}
    local revision, players, filling, kept = unpack(ARGV)
    local is_whole = redis.call('HGET', missed, 'filling') == filling
    for n = 1, size do
        is_whole = is_whole and redis.call('ZCARD', spare[n]) == tonumber(players)
    end
    if not is_whole then
        return redis.call('DEL', missed, unpack(spare))
    end
    local change = redis.call('HGET', missed, revision)
    while change do
        change = cmsgpack.unpack(change)
        apply(change, spare)
        revision = change[2]
        change = redis.call('HGET', missed, revision)
    end
    for n = 1, size do
        redis.call('RENAME', spare[n], sets[n])
    end
    redis.call('SET', stamp, revision, 'EX', kept)
    redis.call('DEL', missed)
"""
)

# Players with a value for each metric, packed: redis-py takes many times as long over every single value.
PACKED = struct.Struct(f">16s{len(METRICS)}i")
ADD = """
    local format, size, added = '>c16' .. string.rep('i4', #KEYS), 16 + 4 * #KEYS, {}
    for n = 1, #KEYS do
        added[n] = {}
    end
    for at = 1, #ARGV[1], size do
        local row = {struct.unpack(format, ARGV[1], at)}
        for n = 1, #KEYS do
            table.insert(added[n], row[n + 1])
            table.insert(added[n], row[1])
        end
    end
    for n = 1, #KEYS do
        redis.call('ZADD', KEYS[n], unpack(added[n]))
        redis.call('EXPIRE', KEYS[n], ARGV[2])
    end
"""


class _Away:
    until = 0.0


@cache
def _client() -> Any:
    return connected(settings.REDIS_URL)


def connected(url: str) -> Any:
    """Without trying again: redis-py would by itself go on for seconds."""
    patience = {"socket_timeout": PATIENCE_S, "socket_connect_timeout": PATIENCE_S, "retry": Retry(NoBackoff(), 0)}
    return redis.Redis.from_url(url, **patience)


def _asked(question: Callable[[Any], Answer]) -> Answer | None:
    """None while Redis is away; it is not asked again for a moment."""
    if time.monotonic() < _Away.until:
        return None
    try:
        return question(_client())
    except (redis.RedisError, OSError) as trouble:
        _Away.until = time.monotonic() + PAUSE_S
        logger.warning("Redis cannot be asked, ranks come from SQL: %s", trouble)
        return None


def place(board: int, revision: UUID, metric: str, player: UUID, value: int) -> Place | None:
    """Where a player stands who has this value in this revision of a board; None: not known here."""

    def question(client: Any) -> Place | None:
        pipe = client.pipeline(transaction=True)
        pipe.get(_stamp(board))
        pipe.zscore(_set(board, metric), player.bytes)
        pipe.zcount(_set(board, metric), f"({value}", "+inf")
        pipe.zrevrank(_set(board, metric), player.bytes)
        stamp, score, above, ahead = pipe.execute()
        return Place(above, ahead) if stamp == revision.bytes and score == value else None

    return _asked(question)


def change(changes: Sequence[Change]) -> None:
    """After the commit: the sets that were as the boards were follow them; others are dropped."""

    def follow(client: Any) -> None:
        for each in changes:
            _follow(client, each)

    _asked(follow)


def _follow(client: Any, change: Change) -> None:
    number, before, after = change.stamp
    keys = [_stamp(number), _missed(number), *_sets(number)]
    arguments: list[Any] = [before.bytes if before else b"", after.bytes]
    for player in change.players:
        row = change.rows.get(player)
        arguments += [player.bytes, *("" if row is None else row[metric] for metric in METRICS)]
    client.eval(FOLLOW, len(keys), *keys, *arguments, KEPT_S)


def is_current(board: int, revision: UUID) -> bool:
    return bool(_asked(lambda client: client.get(_stamp(board)) == revision.bytes))


def begin(board: int) -> bytes | None:
    """Before a board is read to be filled: from now on its changes are kept. None: not now."""
    filling = uuid7().bytes

    def question(client: Any) -> bytes:
        pipe = client.pipeline(transaction=True)
        pipe.delete(_missed(board))
        pipe.hset(_missed(board), "filling", filling)
        pipe.expire(_missed(board), FILLED_WITHIN_S)
        pipe.execute()
        return filling

    return _asked(question)


def fill(board: int, revision: UUID, rows: Sequence[tuple[UUID, Row]], filling: bytes) -> None:
    """A whole board, built beside and put in place in one step."""

    def question(client: Any) -> None:
        spare = [key + b":" + filling for key in _sets(board)]
        for first in range(0, len(rows), CHUNK):
            packed = [PACKED.pack(player.bytes, *row.values()) for player, row in rows[first : first + CHUNK]]
            client.eval(ADD, len(spare), *spare, b"".join(packed), KEPT_S)
        keys = [_stamp(board), _missed(board), *_sets(board), *spare]
        client.eval(FINISH, len(keys), *keys, revision.bytes, len(rows), filling, KEPT_S)

    _asked(question)


def _stamp(board: int) -> bytes:
    return b"board:%d" % board


def _missed(board: int) -> bytes:
    return b"board:%d:missed" % board


def _sets(board: int) -> list[bytes]:
    return [_set(board, metric) for metric in METRICS]


def _set(board: int, metric: str) -> bytes:
    return b"board:%d:%s" % (board, metric.encode())
