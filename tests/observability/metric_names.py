"""The names of all time series that a web process exposes, and those that queries name."""

import re
from collections.abc import Iterable

import httpx

SUFFIXES = {"histogram": ("_bucket", "_sum", "_count")}
# Of Prometheus itself.
OTHERS = frozenset({"up", "ALERTS"})
# What is no metric: functions come before a bracket, labels stand in braces and after `by` or `on`.
NOT_METRICS = re.compile(
    r'"[^"]*"|\{[^}]*\}|\[[^\]]*\]|\b(?:by|on)\s*\([^)]*\)|\b\w+(?=\s*\()|\b(?:or|unless|sum|max|count)\b'
)


def exposed(server: str) -> frozenset[str]:
    """A family without a sample has its type in the exposition, too."""
    families = re.findall(r"^# TYPE (\w+) (\w+)$", httpx.get(f"{server}/metrics", timeout=20).text, re.MULTILINE)
    return frozenset(
        f"{name}{suffix}"
        for name, kind in families
        for suffix in SUFFIXES.get(kind, ("",))
        if not name.endswith("_created")
    )


def named(query: str) -> frozenset[str]:
    return frozenset(re.findall(r"\b[a-zA-Z_]\w*", NOT_METRICS.sub(" ", query)))


def unknown(server: str, queries: Iterable[str]) -> set[str]:
    known = exposed(server) | OTHERS
    return {f"{name} in {query}" for query in queries for name in named(query) - known}
