"""Logs of finished games, made without playing them: rankings are random, all other events are consistent."""

import asyncio
import itertools
import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

from django.db import connection

from games.engine.cache import CachedGame
from games.game import game_facts as f
from games.game.aggregate import GameState, chained, created, fold
from games.game.dice import commitment
from games.game.events import GENESIS, stamp
from games.log import connections, store
from games.log.append_record import Append
from games.log.rows import Caller, next_rows
from games.runtime import conninfo
from players.database.ids import uuid7
from players.models import Player

CODES = itertools.count()
SECRET = bytes(32)
MONDAY = datetime(2026, 1, 5, 12, tzinfo=UTC)


def people(count: int) -> list[UUID]:
    """New players."""
    players = Player.objects.bulk_create(Player(name=f"Player {number}") for number in range(count))
    return [player.pk for player in players]


def ended(
    players: Sequence[UUID | None],
    points: Sequence[int],
    at: datetime,
    *,
    rated: bool = True,
    ruleset: str = "qwixx",
    sheet: str = "classic",
    left: Sequence[int] = (),
    game_id: UUID | None = None,
) -> Append:
    """A game that these players (None: a bot) finished with these points; the seats in `left` resigned or went away.

    They joined in reverse order; the start of the game reorders the seats.
    """
    seats = len(players)
    name = str(game_id or uuid7())
    facts: list[Any] = [f.GameCreated(ruleset, sheet, seats, "public", rated, None, commitment(SECRET))]
    facts += [
        f.SeatTaken(seats - 1 - seat, str(player) if player else None, None if player else "easy", "")
        for seat, player in enumerate(players)
    ]
    facts.append(f.GameStarted(0, "0" * 64, tuple(range(seats - 1, -1, -1))))
    facts += [f.SeatResigned(seat) if seat % 2 else f.SeatWentAway(seat) for seat in left]
    facts.append(f.GameEnded("four_penalties", ranking(points, left), SECRET.hex()))
    empty = created(name, facts[0])
    return _append(empty, facts, at)


def ranking(points: Sequence[int], left: Sequence[int]) -> tuple[dict[str, int], ...]:
    """Best first; equal points share a rank, and seats that left come last."""
    merits = {seat: (seat not in left, total) for seat, total in enumerate(points)}
    order = sorted(merits, key=lambda seat: merits[seat], reverse=True)
    return tuple(
        {"seat": s, "rank": 1 + sum(other > merits[s] for other in merits.values()), "points": points[s]} for s in order
    )


def _append(empty: GameState, facts: list[Any], at: datetime) -> Append:
    events = chained(empty, facts, stamp(at))
    code = f"{next(CODES):06d}"  # not random: two of a thousand random codes are equal now and then
    birth = CachedGame(empty, SECRET, SECRET, code).birth()
    return next_rows(empty._replace(head=GENESIS), fold(None, events), events, Caller(), birth)


def stored(games: Sequence[Append]) -> list[UUID]:
    """Append them to the log, as the engine does."""

    async def write() -> None:
        async with connections.connected(conninfo()) as log_connection:
            for first in range(0, len(games), 100):
                outcomes = await store.append(log_connection, games[first : first + 100])
                assert {outcome.status for outcome in outcomes} == {"ok"}, outcomes

    asyncio.run(write())
    return [game.game for game in games]


def voided(game: UUID, at: datetime) -> None:
    """Staff void the game after its end."""

    async def write() -> None:
        async with connections.connected(conninfo()) as log_connection:
            before = fold(None, await store.events_after(log_connection, game, 0))
            events = chained(before, [f.GameVoided("a mistake", SECRET.hex())], stamp(at))
            append = next_rows(before, fold(before, events), events, Caller())
            (outcome,) = await store.append(log_connection, [append])
            assert outcome.status == "ok", outcome

    asyncio.run(write())


def season(players: Sequence[UUID], count: int, seed: int = 1) -> list[Append]:
    """Many games of all kinds over seven weeks in random order; some end at the same instant."""
    luck = Random(seed)
    games = []
    for _ in range(count):
        seated: list[UUID | None] = list(luck.sample(list(players), luck.choice([2, 2, 3, 4, 5])))
        if luck.random() < 0.1:
            seated[-1] = None
        at = MONDAY + timedelta(minutes=10 * luck.randrange(7 * 7 * 24 * 6))
        points = [luck.randrange(-10, 120, 5) for _ in seated]
        left = [seat for seat in range(1, len(seated)) if luck.random() < 0.1]
        ruleset = luck.choice(["qwixx", "qwixx", "qwinto"])
        games.append(ended(seated, points, at, rated=luck.random() < 0.8, ruleset=ruleset, left=left))
    return games


def exports(games: Sequence[UUID]) -> list[list[dict[str, Any]]]:
    """Every log as `GET /games/{id}/export` gives it, without the header."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT game_id, type, coalesce(data, body::jsonb), at FROM games_event WHERE game_id = ANY (%s) "
            "ORDER BY game_id, version",
            [list(games)],
        )
        rows = cursor.fetchall()
    logs: dict[UUID, list[dict[str, Any]]] = {}
    for game, type_, data, at in rows:
        logs.setdefault(game, []).append({"game": str(game), "type": type_, "data": json.loads(data), "at": stamp(at)})
    return list(logs.values())
