"""Examples of responses for the OpenAPI document; those of a game are from a game that was played."""

from collections.abc import Iterable
from typing import Any

import msgspec

from games.game.bot_names import bot_profile
from games.game.json import example_game
from games.game.json.example_game import ANN, BOB
from games.game.notation import document as notation
from games.live import phrases

BOT = bot_profile("01926f3b-1d20-7c44-8e05-5a7f9b3c2d11", 0, "easy")
SUMMARY: dict[str, Any] = {
    "id": "01926f3b-1d20-7c44-8e05-5a7f9b3c2d11",
    "ruleset": "qwixx",
    "sheet": "classic",
    "status": "playing",
    "version": 42,
    "seats": [{"seat": 0, "player": ANN}, {"seat": 1, "player": BOT}],
    "size": 2,
    "visibility": "public",
    "rated": False,
    "clock": {"roll_s": 20, "answer_s": 45},
    "turn": {"active": 1, "phase": "white", "waiting_for": [0], "deadline_at": "2026-01-31T12:00:45.000000Z"},
    "you": 0,
    "result": None,
    "created_at": "2026-01-31T11:50:00.000000Z",
    "ended_at": None,
}
AT = "2026-01-31T11:45:00.000000Z"
ME = {**ANN, "locale": "de", "email": None, "email_confirmed": False, "created_at": AT, "games_waiting": 1}
RATING = {"value": 1000, "mu": 25.0, "sigma": 8.333333333333334, "games": 0, "provisional": True, "history": []}
CHANGES = f"https://play.example.org/api/v1/players/{ANN['id']}/ratings/qwixx"
SHEET_FIGURES = {"sheet": "classic", "played": 3, "won": 2, "average": 61.3, "best": 84}
FIGURES = {"ruleset": "qwixx", "played": 3, "won": 2, "average": 61.3, "best": 84, "sheets": [SHEET_FIGURES]}
HOME: dict[str, Any] = {
    "player": ME,
    "version": {"version": "0.1.0", "api": "v1", "oldest_app": "0.1.0"},
    "waiting": [SUMMARY],
    "playing": [SUMMARY],
    "open": [],
    "invitations": [],
    "queue": None,
    "stats": [{**FIGURES, "rating": {**RATING, "changes": CHANGES}}],
    "more": {"waiting": None, "playing": None, "open": None, "invitations": None},
    "server_time": "2026-01-31T12:00:00.000000Z",
}
QUEUE_TICKET: dict[str, Any] = {
    "ticket": "01926f3c-0a11-7e55-9b02-1c3d5e7f9a0b",
    "status": "queued",
    "ruleset": "qwixx",
    "sheet": "classic",
    "seats": 2,
    "rated": True,
    "late_seed": False,
    "bots_after_s": None,
    "created_at": AT,
    "game": None,
    "waiting_s": 7,
    "window": 100,
    "ahead": 0,
    "others": 1,
    "detail": phrases.waiting("en", "others", 1),
}
INVITATION: dict[str, Any] = {
    "id": "01926f3c-1b22-7f66-8c13-2d4e6f8a0b1c",
    **{name: SUMMARY[name] for name in ("ruleset", "sheet", "size", "visibility", "rated", "clock")},
    "game": SUMMARY["id"],
    "by": ANN,
    "player": BOB,
    "created_at": AT,
}
PHRASES = phrases.phrases("en")
PROOF = example_game.proof()
PAGE = {"next": None, "previous": None}
EVENTS = example_game.opening_events()
HEADER = {"format": "qwixx-log", "format_version": 1, "game": SUMMARY["id"], "ruleset": "qwixx", "sheet": "classic"}
LOG = [{**HEADER, "events": len(EVENTS), "complete": False}, *EVENTS]
CREATED = example_game.created()
JOINED = example_game.joined()
LAST = example_game.game_view(example_game.appends()[-1].game)
ENDED_AT = example_game.appends()[-1].game.at
FINISHED = {**SUMMARY, **{name: LAST[name] for name in ("status", "version", "turn", "result")}, "ended_at": ENDED_AT}
CURSOR = f"{ENDED_AT}_{SUMMARY['id']}"


def ndjson(lines: Iterable[Any]) -> str:
    return "".join(msgspec.json.encode(line).decode() + "\n" for line in lines)


EXPORT = ndjson(LOG[:3])
NOTATION = notation.write(LOG[0], EVENTS)
FINISHED_GAMES = ndjson([{"cursor": CURSOR, "game": FINISHED}, {"complete": True, "cursor": CURSOR}])
# By the name of the schema, of responses that say no example of their own.
BY_SCHEMA: dict[str, Any] = {
    "Game": example_game.view_before(),
    "Acted": example_game.acted(),
    "Events": {"results": EVENTS, "version": EVENTS[-1]["version"]},
    "Proof": {**PROOF, "detail": phrases.fairness("en", PROOF["late_seeds"])},
    "Rulesets": example_game.rulesets(),
    "QueueTicket": QUEUE_TICKET,
    "Invitation": INVITATION,
    "Invitations": {"results": [INVITATION], **PAGE},
    "Phrases": {"results": [{"key": key, "text": text} for key, text in PHRASES.items()]},
    "Said": {"type": "phrase", "seat": 0, "key": "well_played", "text": PHRASES["well_played"]},
}
EVENT_STREAM = ": qx.v1\n\n" + "".join(
    f"id: {event['version']}\nevent: {event['type']}\ndata: {msgspec.json.encode(event).decode()}\n\n"
    for event in EVENTS[:2]
)
