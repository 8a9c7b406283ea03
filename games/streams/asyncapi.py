"""The AsyncAPI document of the streams, generated from the types that encode their frames."""

from typing import Any
from urllib.parse import urlsplit

import msgspec

from games.game.json.schema_components import REF, components, published_name
from games.rules.registry import RULESETS, SHEETS
from games.streams import frames
from games.streams.frame_examples import EXAMPLES
from games.streams.frames import CLOSE_CODES, StreamFrame

Json = dict[str, Any]

BOTH: tuple[type[StreamFrame], ...] = (frames.Hello, frames.Heartbeat)
PREFACE = """Live streams of games, the lobby and a player's notifications. The subprotocol is `qx.v1`.

Authenticate with `Authorization: Bearer qx_…`, or, from a browser, with `?ticket=` from `POST /api/v1/stream-tickets`:
single use, good for 30 seconds. A refused socket is accepted and then closed with its code.

The versions of a game's events have no gaps. A client that lost its connection connects again with `?after=` the last
version that it has. An event is sent only after it is stored; one whose message was lost between processes arrives with
the next heartbeat at the latest.

A frame that cannot be read (not JSON, no object, binary, over 64 KiB, of unknown type, a command without a usable id)
closes the socket with 4400; a message over 1 MiB with 1009. A readable command that is refused is answered with an
`error` under its id.

Close codes:
""" + "\n".join(
    f"- {code} {text} ({'resumable' if resumes else 'final'})" for code, (text, resumes) in CLOSE_CODES.items()
)


class Stream:
    """One address: the frames that the service sends there, and those that it takes."""

    def __init__(
        self,
        address: str,
        summary: str,
        sends: tuple[type[StreamFrame], ...],
        takes: tuple[type[StreamFrame], ...],
        **query: Json,
    ) -> None:
        self.address, self.summary, self.sends, self.takes, self.query = address, summary, sends, takes, query


STREAMS = {
    "game": Stream(
        "/ws/v1/games/{game_id}",
        "One game: one update per commit, with its events and what this seat may do.",
        (*BOTH, frames.StateFrame, frames.Update, frames.FullUpdate, frames.PhraseFrame, frames.Ack, frames.ErrorFrame),
        (frames.ActionFrame, frames.ResumeFrame, frames.PingFrame),
        after={"type": "integer", "minimum": 0, "description": "The last version the client has. Without it: `state`."},
        view={"type": "string", "enum": ["full"], "description": "Updates carry the whole game view."},
    ),
    "lobby": Stream(
        "/ws/v1/lobby",
        "Public games: those that are open at first, then every change.",
        (*BOTH, frames.GamesFrame, frames.GameFrame),
        (frames.PingFrame,),
        ruleset={"type": "string", "enum": list(RULESETS), "description": "Only games of this ruleset."},
        sheet={"type": "string", "enum": list(SHEETS), "description": "Only games on this sheet."},
    ),
    "me": Stream(
        "/ws/v1/me",
        "Notifications of this player, on every device.",
        (
            *BOTH,
            frames.YourTurn,
            frames.GameStartedFrame,
            frames.MatchFound,
            frames.Invited,
            frames.InvitationDeclined,
            frames.RematchOffered,
            frames.RatingChanged,
        ),
        (frames.PingFrame,),
    ),
}
TICKET = {"type": "string", "description": "In place of the header, once."}


def document(version: str, public_url: str) -> bytes:
    """The same bytes in every process with this address, so that copies can be compared."""
    kinds = sorted({kind for stream in STREAMS.values() for kind in (*stream.sends, *stream.takes)}, key=message_id)
    found = {
        "asyncapi": "3.0.0",
        "info": {"title": "Qwixx Service: streams", "version": version, "description": PREFACE},
        "defaultContentType": "application/json",
        "servers": {"service": _server(public_url)},
        "channels": {name: _channel(stream) for name, stream in STREAMS.items()},
        "operations": dict(pair for name, stream in STREAMS.items() for pair in _operations(name, stream)),
        "components": {
            "messages": {message_id(kind): _message(kind) for kind in kinds},
            "schemas": {name: _schema(schema) for name, schema in sorted(components(kinds).items())},
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "bearerFormat": "qx_…"},
                "ticket": {"type": "httpApiKey", "in": "query", "name": "ticket"},
            },
        },
    }
    return msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n"


def name_of(kind: type[StreamFrame]) -> str:
    """The type of a frame.

    >>> name_of(frames.FullUpdate), message_id(frames.FullUpdate)
    ('update', 'full_update')
    """
    return str(kind.__struct_config__.tag)


def message_id(kind: type[StreamFrame]) -> str:
    return kind.message_id or name_of(kind)


def _server(public_url: str) -> Json:
    address = urlsplit(public_url)
    protocol = "wss" if address.scheme == "https" else "ws"
    return {"host": address.netloc, "protocol": protocol, "security": _ref("securitySchemes")}


def _ref(section: str) -> list[Json]:
    return [{"$ref": f"#/components/{section}/{name}"} for name in ("token", "ticket")]


def _message(kind: type[StreamFrame]) -> Json:
    return {
        "name": name_of(kind),
        "summary": " ".join((kind.__doc__ or "").split()),
        "payload": {"$ref": REF.format(name=published_name(kind))},
        "examples": [{"payload": EXAMPLES[kind]}],
    }


def _schema(schema: Json) -> Json:
    """In AsyncAPI a discriminator is the name of a member; each type says its own value."""
    if "discriminator" not in schema:
        return schema
    return {**schema, "discriminator": schema["discriminator"]["propertyName"]}


def _channel(stream: Stream) -> Json:
    names = [message_id(kind) for kind in (*stream.sends, *stream.takes)]
    query = {"type": "object", "properties": {**stream.query, "ticket": TICKET}}
    channel: Json = {
        "address": stream.address,
        "summary": stream.summary,
        "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in names},
        "bindings": {"ws": {"method": "GET", "query": query, "bindingVersion": "0.1.0"}},
    }
    if "{game_id}" in stream.address:
        channel["parameters"] = {"game_id": {"description": "The game's id."}}
    return channel


def _operations(name: str, stream: Stream) -> list[tuple[str, Json]]:
    """From the side of the service: it sends what clients receive."""
    return [
        (f"{action}_{name}", _operation(action, name, kinds))
        for action, kinds in (("send", stream.sends), ("receive", stream.takes))
    ]


def _operation(action: str, name: str, kinds: tuple[type[StreamFrame], ...]) -> Json:
    messages = [{"$ref": f"#/channels/{name}/messages/{message_id(kind)}"} for kind in kinds]
    return {"action": action, "channel": {"$ref": f"#/channels/{name}"}, "messages": messages}
