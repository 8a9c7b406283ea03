"""ASGI middleware that measures and logs requests: how many, and the time until the response starts."""

from time import perf_counter

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from qwixx_service.observability import metrics, request_log, request_spans

CLIENT_DISCONNECTED = 499  # not a status of HTTP: the client has gone, and no response was sent
DJANGO_ROUTE = "django_route"  # the key of the scope under which Django's middleware leaves the matched route


class RequestMetrics:
    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        began, has_started = perf_counter(), False

        async def send_and_measure(message: Message) -> None:
            nonlocal has_started
            if message["type"] == "http.response.start":
                has_started = True
                measure(scope, message["status"], perf_counter() - began)
            await send(message)

        with request_spans.of(scope):
            await self.app(scope, receive, send_and_measure)
        if not has_started:
            measure(scope, CLIENT_DISCONNECTED, 0.0)
        return None


def measure(scope: Scope, status: int, seconds: float) -> None:
    handler, route = handler_and_route(scope)
    metrics.note((handler, route, scope["method"], status, seconds))
    request_log.note(scope["method"], route, status, seconds)
    request_spans.answered(scope["method"], route, status)


def handler_and_route(scope: Scope) -> tuple[str, str]:
    """Starlette leaves its route in the scope; the one without a path is Django, which knows more routes."""
    path = getattr(scope.get("route"), "path", "")
    return ("starlette", path) if path else ("django", scope.get(DJANGO_ROUTE, "none"))
