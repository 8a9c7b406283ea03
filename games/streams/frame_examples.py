"""A sample of every frame for the AsyncAPI document; those of a game are from a game that was played."""

from games.game.events import Data
from games.game.json import example_game
from games.game.json.example_game import BOB
from games.streams import frames
from games.streams.frames import StreamFrame

COMMAND = "move-17"
SHOWN = example_game.shown()
VIEW = example_game.game_view(SHOWN.game)
TIME = VIEW["server_time"]
UPDATE: Data = {"version": SHOWN.game.version, "events": example_game.event_views(SHOWN)}
SUMMARY: Data = {
    **{name: VIEW[name] for name in ("id", "ruleset", "sheet", "status", "version", "size", "visibility", "rated")},
    "clock": VIEW["clock"],
    "seats": [{"seat": each["seat"], "player": each["player"]} for each in VIEW["seats"]],
    "turn": {name: VIEW["turn"][name] for name in ("active", "phase", "waiting_for", "deadline_at")},
    "you": None,
    "result": None,
    "created_at": example_game.appends()[0].events[0].at,
    "ended_at": None,
}
RATING = {"value": 1137, "before": 1000, "provisional": True}

MEMBERS: dict[type[StreamFrame], Data] = {
    frames.Hello: {
        "version": SHOWN.game.version,
        "server_time": TIME,
        "protocol": frames.PROTOCOL,
        "heartbeat_s": frames.HEARTBEAT_S,
    },
    frames.StateFrame: {"game": VIEW},
    frames.Update: {**UPDATE, **{name: VIEW[name] for name in ("turn", "options", "your_answer")}},
    frames.FullUpdate: {**UPDATE, "game": VIEW},
    frames.Heartbeat: {"version": SHOWN.game.version, "server_time": TIME},
    frames.PhraseFrame: {"seat": 1, "key": "well_played", "text": "Well played!"},
    frames.Ack: {"id": COMMAND, "version": SHOWN.game.version},
    frames.ErrorFrame: {"id": COMMAND, "code": "number_not_rolled", "detail": "The dice do not show this number."},
    frames.GamesFrame: {"games": [SUMMARY]},
    frames.GameFrame: {"game": SUMMARY},
    frames.YourTurn: {"game": VIEW["id"], "turn": VIEW["turn"]},
    frames.GameStartedFrame: {"game": VIEW["id"]},
    frames.MatchFound: {"game": VIEW["id"], "ticket": "01926f3c-0a11-7e55-9b02-1c3d5e7f9a0b"},
    frames.Invited: {"game": VIEW["id"], "invitation": "01926f3c-1b22-7f66-8c13-2d4e6f8a0b1c", "by": BOB},
    frames.InvitationDeclined: {
        "game": VIEW["id"],
        "invitation": "01926f3c-1b22-7f66-8c13-2d4e6f8a0b1c",
        "player": BOB,
    },
    frames.RematchOffered: {"game": VIEW["id"], "next": "01926f3c-2c33-7a77-9d24-3e5f7a9b1c2d"},
    frames.RatingChanged: {"ruleset": "qwixx", "game": VIEW["id"], "rating": RATING},
    frames.ActionFrame: {"id": COMMAND, "action": SHOWN.action},
    frames.ResumeFrame: {"after": SHOWN.game.version},
    frames.PingFrame: {},
}
EXAMPLES = {kind: {"type": kind.__struct_config__.tag, **members} for kind, members in MEMBERS.items()}
