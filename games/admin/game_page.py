"""One game for the admin: as a spectator sees it at any version, its events, its chain, and what staff may do to it."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from django.db import transaction

from games import calls, commands, queries
from games.admin import event_sentences, sheet_cells
from games.commands import CommandContext
from games.engine.engine import Engine
from games.game import views
from games.game.aggregate import Game
from games.game.events import Data, Event, stamp
from games.log import audit, connections, store
from games.log.rows import Caller
from games.rules.refused import Refused
from games.runtime import call, conninfo
from players.admin.read_only import Unwell
from players.admin.report_list import actions_taken
from players.admin.texts import NOTHING, said, worded
from players.moderation import staff_actions

EVENTS_SHOWN = 40  # the last ones up to the version on show: the slider leads to all others
ACTIONS_SHOWN = 20
ORDERS = {"pause": commands.pause, "resume": commands.resume, "abort": commands.abort, "void": commands.void}


def shown(game_id: UUID, version: str) -> dict[str, Any] | None:
    try:
        newest, game, events, view = call(lambda engine: _read(engine, game_id, version))
    except Refused:
        return None
    names = [_name(seat["player"]) for seat in view["seats"]]
    return {
        "title": f"{worded(game.setup.ruleset, 'ruleset')}, {worded(game.setup.sheet, 'sheet')}",
        "game": view,
        "turn": _turn(view, names),
        "result": _result(view, names),
        "clock": _clock(view, newest),
        "status": newest.status,
        "version": game.version,
        "newest": newest.version,
        "first": max(1, game.version - 1),
        "last": min(newest.version, game.version + 1),
        "seats": [{**seat, "name": name} for seat, name in zip(view["seats"], names, strict=True)],
        "sheets": [sheet_cells.drawn(game, sheet, names[sheet["seat"]]) for sheet in view["sheets"]],
        "events": _told(events, view, names),
        "actions_taken": actions_taken(game_id, ACTIONS_SHOWN),
        "available": _available(newest),
        "irreversible": ("abort", "void"),
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
    person = await calls.people([game])
    return newest, game, events, views.game_view(game, None, "", person, stamp(calls.now()))


def _available(game: Game) -> list[str]:
    """The orders that the game would not refuse."""
    if game.is_over:
        return [] if game.status == "voided" else ["void"]
    clock = [] if game.status != "playing" else ["resume" if game.paused else "pause"]
    return [*clock, "abort", "void"]


def _name(player: Data) -> str:
    return event_sentences.bot(player["level"]) if player["is_bot"] else str(player["name"])


def _clock(view: Data, newest: Game) -> str:
    if newest.paused and not newest.is_over:
        return said("game.paused")
    limits = view["clock"]
    return said("game.limits", roll=limits["roll_s"], answer=limits["answer_s"]) if limits else said("game.no_clock")


def _turn(view: Data, names: list[str]) -> Data | None:
    """Whose turn it is, what lies on the table and who is being waited for."""
    turn = view["turn"]
    if turn is None:
        return None
    phase = worded(turn["phase"], "phase") if turn["phase"] else NOTHING
    return {
        "now": said("game.turn_of", number=turn["number"], who=names[turn["active"]], phase=phase),
        "roll": said("game.dice", roll=turn["roll"]),
        "dice": event_sentences.dice(turn["dice"]),
        "waiting_for": ", ".join(names[seat] for seat in turn["waiting_for"]) or NOTHING,
        "deadline": turn["deadline_at"][:19].replace("T", " ") + " UTC" if turn["deadline_at"] else NOTHING,
    }


def _result(view: Data, names: list[str]) -> Data | None:
    result = view["result"]
    if result is None:
        return None
    places = [event_sentences.place(p["rank"], names[p["seat"]], p["points"]) for p in result["ranking"]]
    return {"reason": worded(result["reason"], "reason"), "places": ", ".join(places)}


def _told(events: list[Data], view: Data, names: list[str]) -> list[Data]:
    """The newest first, each as a sentence, with what the log has of it beside."""
    started = next((event["version"] for event in events if event["type"] == "game_started"), 0)
    by_id = {seat["player"]["id"]: name for seat, name in zip(view["seats"], names, strict=True)}
    company = event_sentences.Company(tuple(names), started, by_id)
    return [
        {**event, "text": event_sentences.sentence(event, company), "raw": msgspec.json.encode(event["data"]).decode()}
        for event in reversed(events)
    ]


def verified(game_id: UUID) -> str:
    """The chain, the replay, the dice and the row, checked against each other; only what is wrong is told."""
    flaw = call(lambda _engine: _flaw(game_id))
    if flaw is not None:
        version, what = flaw
        raise Unwell(said("game.unsound", version=version, flaw=worded(what.partition(" (")[0], "flaw")))
    return said("game.sound")


async def _flaw(game_id: UUID) -> tuple[int, str] | None:
    async with connections.connected(conninfo()) as connection:
        tip, events = await store.load(connection, game_id), await store.events_after(connection, game_id, 0)
    return audit.first_flaw(events, tip)


def carry_out(game_id: UUID, what: str, reason: str, by: UUID) -> str:
    """The deed is written down, then done: one that is refused leaves nothing behind."""
    now: datetime = calls.now()
    with transaction.atomic():
        noted = staff_actions.record(by, what, "game", game_id, reason, now)
        done = call(lambda engine: ORDERS[what](engine, game_id, noted.reason, CommandContext(Caller(by), now)))
    return said("game.done", event=worded(done.events[-1].type, "done"))
