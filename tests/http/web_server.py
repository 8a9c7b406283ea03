"""A web process whose URLs include failing ones, and the file that it logs to."""

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.server import web_process

SECRET = "qx_not-for-you"  # in the exceptions of `tests.http.failing_application`
ORIGIN = "https://play.example.org"
FEW_CONNECTIONS = 40  # the limit of an address in `tests.http.impatient_application`


class WebServer(NamedTuple):
    address: str
    log: Path


@contextlib.contextmanager
def web_server() -> Iterator[WebServer]:
    environment = {"CORS_ORIGINS": ORIGIN, "OLDEST_APP": "0.0.9"}
    with (
        tempfile.NamedTemporaryFile() as log,
        web_process("tests.http.failing_application:application", log=log, **environment) as address,
    ):
        yield WebServer(address, Path(log.name))
