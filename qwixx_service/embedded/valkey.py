"""The embedded Valkey (or Redis): says how it is started, on a socket only; knows no key."""

import signal
from pathlib import Path
from urllib.parse import quote

import redis

from qwixx_service.embedded import binaries, data_folder
from qwixx_service.embedded.run_as import own
from qwixx_service.embedded.server_process import Server

# Some packagings install the server as a link to its checker: one program under several names.
PROGRAMS = frozenset({"valkey-server", "redis-server", "valkey-check-rdb", "redis-check-rdb"})
SETTINGS = {"port": "0", "unixsocketperm": "700", "save": "", "daemonize": "no", "loglevel": "notice"}
# At most a second is lost with the machine: nothing may be known to Valkey alone that matters.
LASTING = {"appendonly": "yes", "appendfsync": "everysec"}
THROWAWAY = {"appendonly": "no"}
FAREWELLS = ((signal.SIGTERM, 0.75), (signal.SIGKILL, 0.5))


def socket(data: Path) -> Path:
    return data_folder.sockets(data) / "valkey.sock"


def url(data: Path) -> str:
    return f"unix://{quote(str(socket(data)))}?db=0"


def prepared(data: Path, *, throwaway: bool) -> Server:
    folder = data / "valkey"
    folder.mkdir(mode=0o700, exist_ok=True)
    own(folder)
    settings = SETTINGS | (THROWAWAY if throwaway else LASTING)
    settings |= {"dir": str(folder), "unixsocket": str(socket(data))}
    given = [part for name, value in settings.items() for part in (f"--{name}", value)]
    argv: list[str | Path] = [binaries.valkey(data), *given]
    return Server("Valkey", argv, folder, data / "valkey.log", lambda: answers(data), FAREWELLS, PROGRAMS)


def answers(data: Path) -> bool:
    try:
        with redis.Redis(unix_socket_path=str(socket(data)), socket_timeout=5) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False
