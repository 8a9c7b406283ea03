"""The embedded Valkey or Redis: how it is started, on a Unix socket only, and why a start failed."""

import re
import signal
from pathlib import Path
from urllib.parse import quote

import redis

from qwixx_service.embedded import binaries, data_folder
from qwixx_service.embedded.run_as import own
from qwixx_service.embedded.server_process import Server

# Some packages install the server as a link to its checker: one program under several names.
PROGRAMS = frozenset({"valkey-server", "redis-server", "valkey-check-rdb", "redis-check-rdb"})
SETTINGS = {"port": "0", "unixsocketperm": "700", "save": "", "daemonize": "no", "loglevel": "notice"}
# A power cut loses at most one second: nothing that matters may be stored in Valkey alone.
DURABLE = {"appendonly": "yes", "appendfsync": "everysec"}
THROWAWAY = {"appendonly": "no"}
STOP_SIGNALS = ((signal.SIGTERM, 0.75), (signal.SIGKILL, 0.5))
# Process id and role, date and time, then the level: # for warnings and errors.
LOG_LINE = re.compile(r"\d+:\w \d+ \w+ \d+ [\d:.]+ (?P<level>\S) (?P<message>.+)")


def socket(data: Path) -> Path:
    return data_folder.sockets(data) / "valkey.sock"


def url(data: Path) -> str:
    return f"unix://{quote(str(socket(data)))}?db=0"


def prepared(data: Path, *, throwaway: bool) -> Server:
    """The server for the data in the folder, by the program that made the data where it is still installed."""
    folder = data / "valkey"
    folder.mkdir(mode=0o700, exist_ok=True)
    made_by = folder / "made_by"
    program = binaries.valkey(made_by.read_text() if made_by.exists() else "", data)
    made_by.write_text(program.version)
    own(folder)
    settings = SETTINGS | (THROWAWAY if throwaway else DURABLE)
    settings |= {"dir": str(folder), "unixsocket": str(socket(data))}
    options = [part for name, value in settings.items() for part in (f"--{name}", value)]
    return Server(
        title=program.version.partition(" ")[0],
        argv=[program.path, *options],
        folder=folder,
        log=data / "valkey.log",
        answers=lambda: answers(data),
        reason=reason,
        stop_signals=STOP_SIGNALS,
        programs=PROGRAMS,
        # A file of a newer server, or of another kind of server, cannot be read.
        disposable=folder / "appendonlydir",
    )


def answers(data: Path) -> bool:
    try:
        with redis.Redis(unix_socket_path=str(socket(data)), socket_timeout=5) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def reason(output: str) -> str:
    """The last error in the log; of a setting that the server rejects, which it does not log, the last line.

    >>> reason("1:C 8 Nov 2026 08:08:14.1 # Redis is starting\\n1:M 8 Nov 2026 08:08:14.2 # Bad file format")
    'Bad file format'
    >>> reason("*** FATAL CONFIG FILE ERROR ***\\n>>> 'save x'\\nInvalid save parameters\\n")
    'Invalid save parameters'
    """
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    if lines and not LOG_LINE.match(lines[-1]):
        return lines[-1]
    logged = [match for line in lines if (match := LOG_LINE.match(line))]
    errors = [match for match in logged if match["level"] == "#"]
    return (errors or logged)[-1]["message"] if logged else ""
