"""A part of the bench that takes no time and prints, as a library might."""

from collections.abc import Iterator

from bench.report import Line


def measure() -> Iterator[Line]:
    print("not a line of the report")  # noqa: T201
    yield Line("a number without a bar", 1.0, "ms")
    yield Line("a number that meets its bar", 2.0, "times", 1.5)
    yield Line("a number that misses its bar", 3.0, "kB", 2.5, is_ceiling=True)
