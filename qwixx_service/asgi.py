"""What uvicorn serves: HTTP by Django, streams by Channels."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qwixx_service.settings")
django_application = get_asgi_application()

from channels.routing import ProtocolTypeRouter, URLRouter  # type: ignore[import-untyped]  # noqa: E402  (after setup)

application = ProtocolTypeRouter({"http": django_application, "websocket": URLRouter([])})
