"""One game for the admin: as a spectator sees it at any version, its events, its chain, and what staff may do to it."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from django.db import transaction

from games import audit, callers, commands, queries, store, views
from games.commands import Order
from games.engine import Engine
from games.events import Data, Event, stamp
from games.game import Game
from games.process import call, conninfo
from games.rows import Caller
from games.rules.refused import Refused
from players import moderation
from players.models import StaffAction

EVENTS_SHOWN = 40  # the last ones up to the version on show: the slider leads to all others
ACTIONS_SHOWN = 20
ORDERS = {"pause": commands.pause, "resume": commands.resume, "abort": commands.abort, "void": commands.void}


def shown(game_id: UUID, version: str) -> dict[str, Any] | None:
    try:
        newest, game, events, view = call(lambda engine: _read(engine, game_id, version))
    except Refused:
        return None
    return {
        "title": f"{game.setup.ruleset}, {game.setup.sheet}: {newest.status}",
        "game": view,
        "clock": _clock(view, newest),
        "status": newest.status,
        "paused": newest.paused,
        "version": game.version,
        "newest": newest.version,
        "first": max(1, game.version - 1),
        "last": min(newest.version, game.version + 1),
        "sheets": [_sheet(sheet, view) for sheet in view["sheets"]],
        "events": [_readable(event) for event in reversed(events)],
        "actions_taken": StaffAction.objects.filter(target=game_id).order_by("-pk")[:ACTIONS_SHOWN],
        "available": _available(newest),
    }


async def _read(engine: Engine, game_id: UUID, wanted: str) -> tuple[Game, Game, list[Data], Data]:
    """The newest state, read last, says which answers are still sealed, whatever version is on show."""
    newest = (await engine.read(game_id)).game
    version = int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 9 else newest.version
    game, _ = await queries.game_at(engine, newest, max(1, min(version, newest.version)))
    after = max(0, game.version - EVENTS_SHOWN)
    log: list[Event] = await engine.log(game_id, after, game.version - after)
    newest = (await engine.read(game_id)).game
    events = views.event_views(log, None, views.sealed_versions(newest))
    person = await callers.people([game])
    return newest, game, events, views.game_view(game, None, "", person, stamp(callers.now()))


def _available(game: Game) -> list[str]:
    """The orders that the game would not refuse."""
    if game.is_over:
        return [] if game.status == "voided" else ["void"]
    clock = [] if game.status != "playing" else ["resume" if game.paused else "pause"]
    return [*clock, "abort", "void"]


def _clock(view: Data, newest: Game) -> str:
    if newest.paused:
        return "paused"
    limits = view["clock"]
    return f"{limits['roll_s']} s to roll, {limits['answer_s']} s to answer" if limits else "none"


def _sheet(sheet: Data, view: Data) -> Data:
    """Rows in words: what is marked or written, whatever the ruleset has it as."""
    seats = {seat["seat"]: seat for seat in view["seats"]}
    rows = [
        (name, [f"{cell}: {value}" for cell, value in cells.items()] if isinstance(cells, dict) else cells)
        for name, cells in sheet["rows"].items()
    ]
    extras = {name: value for name, value in sheet.items() if name not in ("seat", "rows", "points")}
    seat = seats.get(sheet["seat"], {})
    return {"seat": seat, "rows": rows, "points": sheet["points"], "extras": extras}


def _readable(event: Data) -> Data:
    return {**event, "text": msgspec.json.encode(event["data"]).decode()}


def verified(game_id: UUID) -> str:
    """The chain, the replay, the dice and the row, checked against each other; only what is wrong is told."""
    flaw = call(lambda _engine: _flaw(game_id))
    if flaw is not None:
        raise Unsound(*flaw)
    return "The chain holds, the game replays, and its dice follow from the seed that was committed to."


class Unsound(Exception):
    """A log that is not what it should be."""

    def __init__(self, version: int, what: str) -> None:
        super().__init__(version, what)
        self.code = f"version {version}: {what}"


async def _flaw(game_id: UUID) -> tuple[int, str] | None:
    async with await store.connect(conninfo()) as connection:
        tip, events = await store.load(connection, game_id), await store.events_after(connection, game_id, 0)
    return audit.first_flaw(events, tip)


def carry_out(game_id: UUID, what: str, reason: str, by: UUID) -> str:
    """The deed is written down, then done: one that is refused leaves nothing behind."""
    now: datetime = callers.now()
    with transaction.atomic():
        noted = moderation.note(by, what, "game", game_id, reason, now)
        done = call(lambda engine: ORDERS[what](engine, game_id, noted.reason, Order(Caller(by), now)))
    return f"Done: {done.events[-1].type}."
