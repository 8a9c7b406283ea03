"""The span of an HTTP request, if traces are on: its route and status, never its URL, headers or address."""

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from starlette.datastructures import Headers
from starlette.types import Scope

from qwixx_service.observability import open_telemetry

_NO_SPAN: AbstractContextManager[Any] = nullcontext()


def of(scope: Scope) -> AbstractContextManager[Any]:
    """Continues the trace of a caller that sends `traceparent`."""
    if open_telemetry.tracer is None:
        return _NO_SPAN
    parent = Headers(scope=scope).get("traceparent")
    return open_telemetry.tracer.request(scope["method"], scope["request_id"], parent)


def answered(method: str, route: str, status: int) -> None:
    if open_telemetry.tracer is not None:
        open_telemetry.tracer.name(f"{method} {route}", {"http.route": route, "http.response.status_code": status})
