"""CSV files of what a page shows."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.http import StreamingHttpResponse

MAX_ROWS = 50_000
FORMULAS = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would run what begins so


class Echo:
    """A file that gives each row back instead of writing it."""

    def write(self, row: str) -> str:
        return row


def response(name: str, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> StreamingHttpResponse:
    answer = StreamingHttpResponse(lines(header, rows), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return answer


def lines(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """
    >>> list(lines(["Name"], [["=1+1"], [-3]]))
    ['Name\\r\\n', "'=1+1\\r\\n", '-3\\r\\n']
    """
    writer = csv.writer(Echo())
    yield writer.writerow(header)
    for row in rows:
        yield writer.writerow([cell(value) for value in row])


def cell(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULAS) else value
