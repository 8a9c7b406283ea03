"""What uvicorn serves: hot calls by the fast lane, all other HTTP by Django, streams by Channels."""

import os

import django
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qwixx_service.settings")
django.setup(set_prefix=False)

from games.api import play  # noqa: E402  (after setup)
from games.streams import routing  # noqa: E402
from qwixx_service.http.asgi_types import Message, Receive, Scope, Send  # noqa: E402
from qwixx_service.http.errors import explained  # noqa: E402
from qwixx_service.http.middleware import Doorstep, id_of  # noqa: E402
from qwixx_service.http.wide import WideLane  # noqa: E402
from qwixx_service.lifespan import lifespan  # noqa: E402

wide_lane = WideLane()
streams = routing.application(explained)


async def lanes(scope: Scope, receive: Receive, send: Send) -> None:
    """HEAD is GET whose body the server leaves out."""
    method, path = scope["method"], scope["path"]
    if way := play.way(method, path):
        scope["lane"] = "fast"
        await play.application(way, scope, receive, send)
    elif method == "HEAD" and (way := play.way("GET", path)):
        scope["lane"] = "fast"
        await play.application(way, scope, soon_gone(receive, path), send)
    else:
        await wide_lane(scope, receive, send)


def soon_gone(receive: Receive, path: str) -> Receive:
    """To a stream, whoever wants only its head has gone as soon as he has asked."""
    if not path.endswith("/stream"):
        return receive
    messages = iter([{"type": "http.request"}])

    async def next_message() -> Message:
        return next(messages, {"type": "http.disconnect"})

    return next_message


doorstep = Doorstep(lanes, settings.CORS_ORIGINS)


class Service:
    """The ASGI application. To a server of ours that has read a call whole it offers a shorter way, too."""

    answered = staticmethod(doorstep.answered)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        match scope["type"]:
            case "http":
                await doorstep(scope, receive, send)
            case "lifespan":
                await lifespan(scope, receive, send)
            case _:
                scope["request_id"] = id_of(dict(scope["headers"]))
                await streams(scope, receive, send)


application = Service()
