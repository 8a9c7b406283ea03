"""The web process of the platform's tests: some addresses go wrong on purpose, and what it wrote to its log is kept."""

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.server import web_process

SECRET = "qx_not-for-you"  # said by what goes wrong at the addresses of `tests.http.broken`
ORIGIN = "https://play.example.org"


class Served(NamedTuple):
    address: str
    log: Path


@contextlib.contextmanager
def served() -> Iterator[Served]:
    environment = {"CORS_ORIGINS": ORIGIN, "OLDEST_APP": "0.0.9"}
    with (
        tempfile.NamedTemporaryFile() as log,
        web_process("tests.http.broken:application", log=log, **environment) as address,
    ):
        yield Served(address, Path(log.name))
