"""What must be true at the end: the ledger of the clients against the logs, and the logs against everything else."""

import time
from collections import defaultdict
from datetime import datetime
from typing import Any, NamedTuple

import psycopg

from qwixx_service.embedded import services
from tests.chaos.faults import Chaos
from tests.chaos.players import Ledger
from tests.chaos.service import ChaosService

RECOVERY_S = 3.0  # of every connection after PostgreSQL is back, while two cores do everything
# The events of a command share their time; the first of them has its key, and in logs of the last release all of them.
STORED = """
    SELECT DISTINCT game_id::text, first.command, event.version
      FROM games_event AS first JOIN games_event AS event USING (game_id, at)
     WHERE first.command IS NOT NULL AND event.version >= first.version
     ORDER BY event.version
"""
PROJECTIONS = """
import json, django
django.setup()
from games.results import projector
from tests.results.stored_results import tables
projector.project_new(projector.EVER)
print(json.dumps(tables(), default=str, sort_keys=True))
"""


class Verdict(NamedTuple):
    lost: list[str]
    doubled: list[str]
    late: list[str]
    longest_s: float
    longest: str


def judged(service: ChaosService, chaos: Chaos, ledger: Ledger, latest_s: float) -> Verdict:
    """`at` of an event is a time of the database; windows are of our own monotonic clock, on the same machine."""
    to_wall = time.time() - time.monotonic()
    windows = [(began + to_wall, ended + to_wall) for began, ended in chaos.windows]
    with psycopg.connect(services.superuser_url(service.disk)) as database:
        lost, doubled = compared(database, ledger)
        late = late_deadlines(database, windows, latest_s) + forgotten_deadlines(database, latest_s)
    waits = [(_outside(wait.began, wait.ended, chaos.windows), wait.what) for wait in ledger.waits]
    longest_s, longest = max(waits, default=(0.0, ""))
    return Verdict(lost, doubled, late, longest_s, longest)


def compared(database: psycopg.Connection[Any], ledger: Ledger) -> tuple[list[str], list[str]]:
    """The events that each acknowledged action has in the logs."""
    stored: dict[tuple[str, str], list[int]] = defaultdict(list)
    for game, key, version in database.execute(STORED):
        stored[game, key].append(version)
    lost, doubled = [], []
    for action in ledger.acknowledged:
        found = tuple(stored[action.game, action.key])
        if set(action.versions) - set(found):
            lost.append(f"{action}: {found}")
        elif len(found) != len(action.versions):
            doubled.append(f"{action}: {found}")
    return lost, doubled


def late_deadlines(database: psycopg.Connection[Any], windows: list[tuple[float, float]], latest_s: float) -> list[str]:
    """Deadlines that were enforced twice, too early, or too late though PostgreSQL could be used."""
    query = "SELECT game_id, data->>'deadline', at FROM games_event WHERE type = 'time_ran_out'"
    seen, wrong = set(), []
    for game, deadline, at in database.execute(query):
        due, done = datetime.fromisoformat(deadline).timestamp(), at.timestamp()
        late_s = _outside(due, done, windows)
        if (game, deadline) in seen or done < due or late_s > latest_s:
            wrong.append(f"game {game}: the deadline {deadline} was enforced at {at}, {late_s:.1f} s late")
        seen.add((game, deadline))
    return wrong


def forgotten_deadlines(database: psycopg.Connection[Any], latest_s: float) -> list[str]:
    """Deadlines that had passed when deadlines were swept for the last time, and were never enforced."""
    query = """
        SELECT games_game.id, deadline_at FROM games_game, games_pulse
         WHERE deadline_at < swept_at - make_interval(secs => %s)
    """
    found = database.execute(query, [latest_s])
    return [f"game {game}: the deadline {deadline} was not enforced" for game, deadline in found]


def _outside(began: float, ended: float, windows: list[tuple[float, float]]) -> float:
    """The seconds of a span that lie outside the windows and the recovery after them."""
    inside = sum(max(0.0, min(ended, last + RECOVERY_S) - max(began, first)) for first, last in windows)
    return max(0.0, ended - began - inside)


def projections_differ(service: ChaosService) -> bool:
    """Whether ratings, statistics and boards are not what a rebuild makes of the logs."""
    before = service.run("-W", "ignore", "-c", PROJECTIONS)
    service.run("manage.py", "rebuild_projections")
    return before.stdout != service.run("-W", "ignore", "-c", PROJECTIONS).stdout
