"""Traces: a command is one trace through engine, append and publish, and no span holds what was sent."""

from collections.abc import Iterator
from uuid import UUID

import httpx
import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from games.engine.engine import Engine
from qwixx_service.http.middleware.request_ids import RequestIds
from qwixx_service.http.middleware.request_metrics import RequestMetrics
from qwixx_service.observability import open_telemetry
from tests.engine.conftest import engine, make_engine
from tests.engine.games import NOW, next_step, started

__all__ = ["engine", "make_engine"]
TRACE = "0af7651916cd43dd8448eb211c80319c"


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    open_telemetry.install(provider)
    yield exporter
    open_telemetry.install(None)
    provider.shutdown()


async def test_append_and_publish_belong_to_the_span_of_their_command(
    spans: InMemorySpanExporter, engine: Engine
) -> None:
    game = await started(engine)
    spans.clear()
    await engine.submit(UUID(game.id), next_step(game), NOW)
    by_name = {span.name: span for span in spans.get_finished_spans()}
    assert set(by_name) == {"engine.submit", "log.append", "publish"}
    assert by_name["publish"].parent == by_name["log.append"].context
    assert by_name["log.append"].parent == by_name["engine.submit"].context


async def test_a_request_continues_the_trace_of_its_caller(
    spans: InMemorySpanExporter,
) -> None:
    async def answer(_: Request) -> Response:
        return PlainTextResponse("")

    app = RequestIds(RequestMetrics(Starlette(routes=[Route("/games/{game}", answer)])))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
        await client.get("/games/1?ticket=secret", headers={"traceparent": f"00-{TRACE}-b7ad6b7169203331-01"})
    (span,) = spans.get_finished_spans()
    assert (span.name, f"{span.context.trace_id:032x}") == ("GET /games/{game}", TRACE)
    assert "secret" not in str(span.to_json())
