"""Spans of OpenTelemetry around the steps of a request; without a tracer, as by default, they cost next to nothing."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol, TypeVar

Result = TypeVar("Result")


class Tracer(Protocol):
    """What `qwixx_service.observability.open_telemetry` installs, where it is configured."""

    def span(self, name: str, attributes: Mapping[str, Any]) -> AbstractContextManager[Any]: ...

    def carried(self, work: Callable[[], None]) -> Callable[[], None]: ...


_NO_SPAN: AbstractContextManager[Any] = nullcontext()
_tracer: Tracer | None = None


def install(tracer: Tracer | None) -> None:
    global _tracer
    _tracer = tracer


def span(name: str, **attributes: Any) -> AbstractContextManager[Any]:
    return _NO_SPAN if _tracer is None else _tracer.span(name, attributes)


def carried(work: Callable[[], None]) -> Callable[[], None]:
    """The same work, which belongs to the span that is open here although another task calls it later."""
    return work if _tracer is None else _tracer.carried(work)
