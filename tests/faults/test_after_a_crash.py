"""A web process after a crash of PostgreSQL: the routes of Django serve again as soon as the server does."""

import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import httpx

from qwixx_service.embedded import orphaned_processes
from qwixx_service.embedded.server_process import Server
from tests.server import web_process

CLIENTS = 8
AWAY_S = 1.3
SERVED_WITHIN_S = 3.0  # of the server's return
WATCHED_S = 6.0


class RepeatedCall:
    """Calls one route again and again, and notes when it failed last."""

    def __init__(self, address: str) -> None:
        self.http = httpx.Client(base_url=f"{address}/api/v1", timeout=30)
        self.http.headers["Authorization"] = f"Bearer {self.http.post('/players/guests', json={}).json()['token']}"
        self.failed_at, self.calls = 0.0, 0

    def run(self, ending: threading.Event) -> None:
        while not ending.wait(0.02):
            if self.http.get("/games?mine=true").status_code != 200:
                self.failed_at = time.monotonic()
            self.calls += 1


def test_routes_of_django_serve_soon_after_a_crash_of_the_database(postgres: tuple[str, Server]) -> None:
    url, server = postgres
    ending = threading.Event()
    with web_process(DATABASE_URL=url) as address, ThreadPoolExecutor(CLIENTS) as threads:
        callers = [RepeatedCall(address) for _ in range(CLIENTS)]
        running = [threads.submit(caller.run, ending) for caller in callers]
        try:
            while not all(caller.calls for caller in callers):
                time.sleep(0.02)
            assert server.process
            orphaned_processes.end(server.folder, server.programs, signal.SIGKILL)
            server.process.wait()
            time.sleep(AWAY_S)
            server.begin()
            while not server.answers():
                time.sleep(0.02)
            back_at = time.monotonic()
            time.sleep(WATCHED_S)
        finally:
            ending.set()
        for call, caller in zip(running, callers, strict=True):
            call.result()
            caller.http.close()
    assert max(caller.failed_at for caller in callers) - back_at < SERVED_WITHIN_S
    assert min(caller.calls for caller in callers) > 1
