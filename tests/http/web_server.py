"""A web process whose URLs include failing ones, and the file that it logs to."""

import contextlib
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.server import web_process

SECRET = "qx_not-for-you"  # in the exceptions of `tests.http.failing_application`
ORIGIN = "https://play.example.org"
LOGGED_WITHIN_S = 20
FEW_CONNECTIONS = 40  # the limit of an address in `tests.http.impatient_application`


class WebServer(NamedTuple):
    address: str
    log: Path

    def lines(self) -> list[dict[str, Any]]:
        """What it has logged."""
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def line(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first line of this kind; lines are written a moment later than the response."""
        give_up = time.monotonic() + LOGGED_WITHIN_S
        while time.monotonic() < give_up:
            for line in self.lines():
                if wanted(line):
                    return line
            time.sleep(0.02)
        raise AssertionError("no such line was logged")


@contextlib.contextmanager
def web_server() -> Iterator[WebServer]:
    environment = {"CORS_ORIGINS": ORIGIN, "OLDEST_APP": "0.0.9", "LOG_FORMAT": "json", "LOG_LEVEL": "INFO"}
    with (
        tempfile.NamedTemporaryFile() as log,
        web_process("tests.http.failing_application:application", log=log, **environment) as address,
    ):
        yield WebServer(address, Path(log.name))
