"""The page of one game: a spectator's view at any version, its events, verification and staff actions."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from django.core.cache import cache
from django.db import transaction

from games import clock, commands, queries
from games.admin import event_pages, event_sentences, sheet_cells
from games.commands import CommandContext
from games.engine.engine import Engine
from games.game import views
from games.game.aggregate import ABORTED, FINISHED, OPEN, PLAYING, VOIDED, GameState
from games.game.events import Data, stamp
from games.log import audit, connections, store
from games.log.archive import read_through
from games.log.rows import Caller
from games.rules.refused import Refused
from games.runtime import call, conninfo
from players.admin.audit_log import staff_activity
from players.admin.read_only import ActionFailed
from players.admin.texts import EMPTY, label, text
from players.moderation import staff_actions

MAX_ACTIONS = 20
STATUS_COLOURS = {OPEN: "warning", PLAYING: "info", FINISHED: "success", ABORTED: "", VOIDED: "danger"}
STATUS_AFTER = {"abort": ABORTED, "void": VOIDED}
SOUND, VERIFIED_S = (0, ""), 3600
COMMANDS = {"pause": commands.pause, "resume": commands.resume, "abort": commands.abort, "void": commands.void}


def page_context(game_id: UUID, chosen: event_pages.Chosen) -> dict[str, Any] | None:
    """The template context of a game at a version, by default the newest; None if there is no such game."""
    try:
        newest, game, log, view = call(lambda engine: _read(engine, game_id, chosen.version))
    except Refused:
        return None
    names = [_name(seat["player"]) for seat in view["seats"]]
    events = event_pages.page(log, chosen, game.version)  # of the log as a spectator sees it
    return {
        "title": f"{label(game.setup.ruleset, 'ruleset')}, {label(game.setup.sheet, 'sheet')}",
        "game": view,
        "turn": _turn(view, names),
        "result": _result(game, view, names),
        "clock": _clock(view, newest),
        "version": game.version,
        "newest": newest.version,
        "previous": chosen.address(version=max(1, game.version - 1), before=0),
        "next": chosen.address(version=min(newest.version, game.version + 1), before=0),
        "address": chosen.address(version=game.version),
        "created": log[0]["at"][:16].replace("T", " ") + " UTC",
        "seats": [
            {**seat, "name": name, "state": _seat_state(game, seat["state"])}
            for seat, name in zip(view["seats"], names, strict=True)
        ],
        "sheets": [sheet_cells.sheet_rows(game, sheet, names[sheet["seat"]]) for sheet in view["sheets"]],
        "event_page": events._replace(shown=_event_rows(log, events.shown, view, names)),
        "chosen": chosen,
        "badges": _badges(newest),
        "verified": _verified(game_id, newest),
        "is_live": not newest.is_over and game.version == newest.version and not chosen.before,
        "staff_activity": staff_activity(game_id, MAX_ACTIONS),
        "available": _available(newest),
        "irreversible": ("abort", "void"),
    }


async def _read(engine: Engine, game_id: UUID, wanted: int) -> tuple[GameState, GameState, list[Data], Data]:
    """The newest state is read again at the end: it decides which answers of the events are still sealed."""
    newest = (await engine.read(game_id)).game
    game, _ = await queries.game_at(engine, newest, min(wanted or newest.version, newest.version))
    log = await engine.log(game_id)
    newest = (await engine.read(game_id)).game
    events = views.event_views(log, None, views.sealed_versions(newest))
    people = await queries.people([game])
    return newest, game, events, views.game_view(game, None, "", people, stamp(clock.now()))


def _available(game: GameState) -> list[str]:
    """The staff actions that the game would accept."""
    if game.is_over:
        return [] if game.status == "voided" else ["void"]
    clock = [] if game.status != "playing" else ["resume" if game.paused else "pause"]
    return [*clock, "abort", "void"]


def _name(player: Data) -> str:
    return event_sentences.bot_name(player["level"]) if player["id"] is None else str(player["name"])


def _clock(view: Data, newest: GameState) -> str:
    if newest.paused and not newest.is_over:
        return text("game.paused")
    limits = view["clock"]
    return text("game.limits", roll=limits["roll_s"], answer=limits["answer_s"]) if limits else text("game.no_clock")


def _turn(view: Data, names: list[str]) -> Data | None:
    """The active player, the dice and the players who have yet to answer."""
    turn = view["turn"]
    if turn is None:
        return None
    phase = label(turn["phase"], "phase") if turn["phase"] else EMPTY
    return {
        "now": text("game.turn_of", number=turn["number"], who=names[turn["active"]], phase=phase),
        "roll": text("game.dice", roll=turn["roll"]),
        "dice": event_sentences.dice_text(turn["dice"]),
        "waiting_for": ", ".join(names[seat] for seat in turn["waiting_for"]) or EMPTY,
        "deadline": turn["deadline_at"][:19].replace("T", " ") + " UTC" if turn["deadline_at"] else EMPTY,
    }


def _result(game: GameState, view: Data, names: list[str]) -> Data | None:
    """What was reached; a voided game had a result if it was finished before."""
    result = view["result"]
    if result is None:
        return None
    if not result["ranking"]:
        return {"reason": text("game.no_result"), "places": ""}
    places = [event_sentences.ranking_entry(p["rank"], names[p["seat"]], p["points"]) for p in result["ranking"]]
    reason = label(result["reason"], "reason")
    if game.status == VOIDED:
        reason = text("game.before_void", reason=reason)
    return {"reason": reason, "places": ", ".join(places)}


def _seat_state(game: GameState, state: str) -> str:
    """No seat is playing in a game that is over."""
    if not game.is_over or state != "playing":
        return label(state, "seat_state")
    return text("seat_state.played") if game.result and game.result.ranking else EMPTY


def _badges(game: GameState) -> list[tuple[str, str]]:
    """Colours of unfold and labels."""
    badges = [(STATUS_COLOURS[game.status], label(game.status, "status"))]
    badges += [("info", text("game.is_rated"))] if game.setup.rated else []
    badges += [("", label("private", "visibility"))] if game.setup.visibility == "private" else []
    return badges + ([("warning", text("game.paused"))] if game.paused and not game.is_over else [])


def _event_rows(log: list[Data], shown: list[Data], view: Data, names: list[str]) -> list[Data]:
    """Each event with its sentence and its data as JSON."""
    started = next((event["version"] for event in log if event["type"] == "game_started"), 0)
    by_id = {seat["player"]["id"]: name for seat, name in zip(view["seats"], names, strict=True)}
    seats = event_sentences.SeatNames(tuple(names), started, by_id)
    return [
        {**event, "text": event_sentences.sentence(event, seats), "raw": msgspec.json.encode(event["data"]).decode()}
        for event in shown
    ]


def _verified(game_id: UUID, newest: GameState) -> tuple[str, bool] | None:
    """Whether the log of a game that is over is sound, as a sentence; checked again when it has grown."""
    if not newest.is_over:
        return None
    key = f"games.admin.flaw.{newest.head}"
    flaw: Any = cache.get_or_set(key, lambda: call(lambda _engine: _first_flaw(game_id)) or SOUND, VERIFIED_S)
    return (text("game.sound"), True) if flaw == SOUND else (_flaw_text(*flaw), False)


def verify(game_id: UUID) -> str:
    """Checks hash chain, replay, dice and row against each other; raises ActionFailed at the first difference."""
    flaw = call(lambda _engine: _first_flaw(game_id))
    if flaw is not None:
        raise ActionFailed(_flaw_text(*flaw))
    return text("game.sound")


def _flaw_text(version: int, what: str) -> str:
    return text("game.unsound", version=version, flaw=label(what.partition(" (")[0], "flaw"))


async def _first_flaw(game_id: UUID) -> tuple[int, str] | None:
    async with connections.connected(conninfo()) as connection:
        tip = await store.load(connection, game_id)
        events = await read_through.events_after(read_through.using(connection), game_id, 0)
    return audit.first_flaw(events, tip)


def perform(game_id: UUID, action: str, reason: str, by: UUID) -> str:
    """Writes the audit log and appends to the game; a refused action leaves no entry."""
    now: datetime = clock.now()
    game = call(lambda engine: engine.read(game_id)).game
    change = staff_actions.Change({"status": game.status}, {"status": STATUS_AFTER.get(action, game.status)})
    if action in ("pause", "resume"):
        change = staff_actions.Change({"paused": game.paused}, {"paused": action == "pause"})
    with transaction.atomic():
        entry = staff_actions.record(by, action, "game", game_id, reason, now, change=change)
        context = CommandContext(Caller(by), now)
        result = call(lambda engine: COMMANDS[action](engine, game_id, entry.reason, context))
    return text("game.done", event=label(result.events[-1].type, "done"))
