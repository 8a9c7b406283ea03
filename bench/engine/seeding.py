"""Games for the benchmarks: one played by the rules, or many copies of a stored one."""

from datetime import datetime, timedelta
from random import Random
from typing import Any

from psycopg import AsyncConnection

from games.game.aggregate import GameState
from games.game.decisions import game_settings, lobby, play
from games.game.decisions.draft import Draft, Moment
from games.game.dice import DiceSource
from games.game.events import Event
from games.rules.actions import Request


def played_log(ruleset: str, seats: int, now: datetime, seed: int = 1) -> list[Event]:
    """The log of a whole random game."""
    luck = Random(seed)
    secret = luck.randbytes(32)
    log: list[Event] = []

    def stored(draft: Draft) -> GameState:
        events = draft.events()
        log.extend(events)
        return draft.result(events)

    def moment(entropy: str = "") -> Moment:
        return Moment(now + timedelta(seconds=len(log)), DiceSource(secret, "g", entropy), luck.randbytes(16).hex())

    game = stored(lobby.create("g", game_settings.Settings(ruleset, seats=seats), "p0", None, moment()))
    for seat in range(1, seats):
        game = stored(lobby.join(game, f"p{seat}", None, moment()))
    while not game.is_over:
        participant = game.participants[luck.choice(game.waiting_for())]
        answer = Request(luck.choice(play.options(game, participant.seat)))
        game = stored(play.act(game, participant.player or "", answer, moment(game.entropy)))
    return log


async def fill(connection: AsyncConnection[Any], games: int, events: int) -> None:
    """Insert copies of a stored game, each with a log of so many events."""
    await connection.execute(
        """
        WITH model AS (SELECT * FROM games_game LIMIT 1),
        found AS (SELECT count(*) FROM games_game),
        copies AS (
            INSERT INTO games_game (
                id, code, status, version, deadline_at, ruleset, sheet, visibility, rated, clock, seats, head_hash,
                active, phase, waiting, created_at, updated_at)
            SELECT gen_random_uuid(), 'x' || to_hex(found.count + n), 'playing', %(events)s, now() + interval '1 day',
                   ruleset, sheet, visibility, rated, clock, seats, head_hash,
                   active, phase, waiting, created_at, updated_at
              FROM model, found, generate_series(1, %(games)s) n
            RETURNING id)
        INSERT INTO games_event (game_id, version, type, v, data, hash, at)
        SELECT copies.id, version, 'cell_marked', 1,
               '{"seat": 0, "row": "red", "number": 5, "phase": "white"}', sha256(int4send(version)), now()
          FROM copies, generate_series(1, %(events)s) version
        """,
        {"games": games, "events": events},
    )
    await connection.execute("ANALYZE games_game, games_event")
