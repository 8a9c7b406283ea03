"""What uvicorn serves: hot calls by the fast lane, all other HTTP by Django, streams by Channels."""

import os

import django
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qwixx_service.settings")
django.setup(set_prefix=False)

from channels.routing import URLRouter  # type: ignore[import-untyped]  # noqa: E402  (after setup)

from games import fast  # noqa: E402
from qwixx_service.asgi_types import Receive, Scope, Send  # noqa: E402
from qwixx_service.doorstep import Doorstep  # noqa: E402
from qwixx_service.lifespan import lifespan  # noqa: E402
from qwixx_service.wide import WideLane  # noqa: E402

wide_lane = WideLane()
streams = URLRouter([])


async def lanes(scope: Scope, receive: Receive, send: Send) -> None:
    """HEAD is GET whose body the server leaves out; an endless stream has no such form."""
    method, path = scope["method"], scope["path"]
    if fast.serves(method, path):
        scope["lane"] = "fast"
        await fast.application(scope, receive, send)
    elif method == "HEAD" and not path.endswith("/stream") and fast.serves("GET", path):
        scope["lane"] = "fast"
        await fast.application({**scope, "method": "GET"}, receive, send)
    else:
        await wide_lane(scope, receive, send)


doorstep = Doorstep(lanes, settings.CORS_ORIGINS)


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    match scope["type"]:
        case "http":
            await doorstep(scope, receive, send)
        case "lifespan":
            await lifespan(scope, receive, send)
        case _:
            await streams(scope, receive, send)
