"""The ASGI application that uvicorn serves: hot routes by Starlette, all other HTTP by Django, sockets by Channels."""

import os

import django
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qwixx_service.settings")
django.setup(set_prefix=False)

from channels.routing import ProtocolTypeRouter  # type: ignore[import-untyped]  # noqa: E402  (after setup)
from django.core.wsgi import get_wsgi_application  # noqa: E402
from starlette.applications import Starlette  # noqa: E402
from starlette.exceptions import HTTPException  # noqa: E402
from starlette.middleware import Middleware  # noqa: E402
from starlette.middleware.cors import CORSMiddleware  # noqa: E402
from starlette.routing import Mount, Route  # noqa: E402
from starlette.types import ASGIApp  # noqa: E402

from games.api.play import routes as hot_routes  # noqa: E402
from games.streams import routing as streams  # noqa: E402
from qwixx_service.http import static_files  # noqa: E402
from qwixx_service.http.cors import CORS  # noqa: E402
from qwixx_service.http.django_pools import DjangoPools  # noqa: E402
from qwixx_service.http.errors import explained  # noqa: E402
from qwixx_service.http.middleware.address_pacing import AddressPacing  # noqa: E402
from qwixx_service.http.middleware.body_limit import BodyLimit  # noqa: E402
from qwixx_service.http.middleware.problem_documents import ProblemDocuments, http_exception  # noqa: E402
from qwixx_service.http.middleware.rate_limit_headers import RateLimitHeaders  # noqa: E402
from qwixx_service.http.middleware.request_ids import RequestIds  # noqa: E402
from qwixx_service.http.middleware.request_metrics import RequestMetrics  # noqa: E402
from qwixx_service.lifespan import lifespan  # noqa: E402
from qwixx_service.observability import health, metrics  # noqa: E402

django_pools = DjangoPools(get_wsgi_application())
http = Starlette(
    routes=[
        *hot_routes.routes,
        Route("/healthz", health.Healthz),
        Route("/readyz", health.Readyz),
        Route("/metrics", metrics.Metrics),
        *static_files.routes,
        Mount("/", django_pools),
    ],
    middleware=[
        Middleware(RequestIds),
        Middleware(RequestMetrics),
        Middleware(CORSMiddleware, allow_origins=settings.CORS_ORIGINS, **CORS),
        Middleware(RateLimitHeaders),
        Middleware(ProblemDocuments),
        Middleware(BodyLimit),
    ],
    exception_handlers={HTTPException: http_exception},
    lifespan=lifespan,
)
http.state.readiness = health.Readiness(django_pools.is_free)
protocols = {"http": http, "lifespan": http, "websocket": RequestIds(streams.application(explained))}
application: ASGIApp = AddressPacing(ProtocolTypeRouter(protocols))
