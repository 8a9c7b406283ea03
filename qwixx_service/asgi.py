"""What uvicorn serves: HTTP by Django, with the files of the admin, and streams by Channels."""

import os

from django.contrib.staticfiles.handlers import ASGIStaticFilesHandler
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qwixx_service.settings")
django_application = get_asgi_application()

from channels.routing import ProtocolTypeRouter, URLRouter  # type: ignore[import-untyped]  # noqa: E402  (after setup)

application = ProtocolTypeRouter({"http": ASGIStaticFilesHandler(django_application), "websocket": URLRouter([])})
