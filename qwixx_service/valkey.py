"""The embedded Valkey (or Redis): starts it on a socket and stops it; knows no key."""

import signal
from pathlib import Path
from urllib.parse import quote

import redis

from qwixx_service import binaries, datafolder
from qwixx_service.processes import Server, end_leftovers, launch, own

TITLE = "Valkey"
# Every change is in the append-only file within a second; nothing that only Valkey knows may matter longer than that.
LASTING = {"appendonly": "yes", "appendfsync": "everysec"}
THROWAWAY = {"appendonly": "no"}


def socket(data: Path) -> Path:
    return datafolder.sockets(data) / "valkey.sock"


def url(data: Path) -> str:
    return f"unix://{quote(str(socket(data)))}?db=0"


def start(data: Path, *, throwaway: bool) -> Server:
    folder = data / "valkey"
    folder.mkdir(mode=0o700, exist_ok=True)
    end_leftovers(folder, {"valkey-server", "redis-server"}, signal.SIGTERM)
    program = binaries.valkey(data)
    own(folder)
    server = launch(TITLE, command(program, data, throwaway=throwaway), folder, data / "valkey.log", signal.SIGTERM)
    server.wait_until(lambda: answers(data), seconds=60)
    return server


def command(program: Path, data: Path, *, throwaway: bool) -> list[str | Path]:
    settings = {
        "port": "0",
        "unixsocket": str(socket(data)),
        "unixsocketperm": "700",
        "dir": str(data / "valkey"),
        "save": "",
        "daemonize": "no",
        "loglevel": "warning",
    }
    settings |= THROWAWAY if throwaway else LASTING
    return [program, *(part for name, value in settings.items() for part in (f"--{name}", value))]


def stop(server: Server) -> None:
    server.stop(signal.SIGTERM, signal.SIGKILL)


def answers(data: Path) -> bool:
    try:
        with redis.Redis(unix_socket_path=str(socket(data)), socket_timeout=5) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False
