"""A part of the bench that fails after its first line."""

from collections.abc import Iterator

from bench.report import Line


def measure() -> Iterator[Line]:
    yield Line("a number before the failure", 4.0, "ms")
    raise RuntimeError("the server is not there")
