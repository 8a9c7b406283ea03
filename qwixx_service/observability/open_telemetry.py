"""Traces by OpenTelemetry through HTTP, engine, append, publish and tasks, where OTEL_EXPORTER_OTLP_ENDPOINT is set.

The packages are an extra (`tracing`); without the setting they are not imported. All other settings are OpenTelemetry's
own, such as OTEL_TRACES_SAMPLER.
"""

import os
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

from players.telemetry import tracing
from qwixx_service.embedded.data_folder import CannotStart

ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
MISSING = 'Traces need the extra packages: pip install "qwixx-service[tracing]", or requirements/tracing.txt.'


class OpenTelemetryTracer:
    """A `Tracer` of `players.telemetry.tracing`, with spans of requests in addition."""

    def __init__(self, provider: Any) -> None:
        from opentelemetry import context, propagate, trace

        self._context, self._propagate, self._trace = context, propagate, trace
        self._tracer = provider.get_tracer("qwixx_service")

    def span(self, name: str, attributes: Mapping[str, Any]) -> AbstractContextManager[Any]:
        """A refusal is an answer: no stack trace is sent, which may quote what a client sent."""
        return self._tracer.start_as_current_span(name, attributes=dict(attributes), **QUIET)  # type: ignore[no-any-return]

    def request(self, method: str, request_id: str, parent: str | None) -> AbstractContextManager[Any]:
        known = self._propagate.extract({"traceparent": parent}) if parent else None
        attributes = {"http.request.method": method, "request.id": request_id}
        kind = self._trace.SpanKind.SERVER
        return self._tracer.start_as_current_span(method, known, kind, attributes, **QUIET)  # type: ignore[no-any-return]

    def name(self, name: str, attributes: Mapping[str, Any]) -> None:
        """What is known of the request only when its response starts."""
        span = self._trace.get_current_span()
        span.update_name(name)
        span.set_attributes(attributes)

    def carried(self, work: Callable[[], None]) -> Callable[[], None]:
        return partial(self._in_context, self._context.get_current(), work)

    def _in_context(self, known: Any, work: Callable[[], None]) -> None:
        token = self._context.attach(known)
        try:
            work()
        finally:
            self._context.detach(token)


QUIET: dict[str, Any] = {"record_exception": False, "set_status_on_exception": False}
tracer: OpenTelemetryTracer | None = None


def install(provider: Any) -> None:
    """Use this provider for all spans of the process; None: no spans."""
    global tracer
    tracer = None if provider is None else OpenTelemetryTracer(provider)
    tracing.install(tracer)


def install_if_configured() -> None:
    """Once per process. Spans are sent by a thread of the exporter, and dropped while the collector is away."""
    if tracer is not None or not any(os.environ.get(name) for name in ENDPOINTS):
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.instrumentation.celery import CeleryInstrumentor
        from opentelemetry.sdk.resources import SERVICE_NAME, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise CannotStart(MISSING) from error
    name = os.environ.get("OTEL_SERVICE_NAME") or "qwixx-service"
    provider = TracerProvider(resource=Resource.create({SERVICE_NAME: name}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    install(provider)
    instrumentor: Any = CeleryInstrumentor
    instrumentor().instrument(tracer_provider=provider)
