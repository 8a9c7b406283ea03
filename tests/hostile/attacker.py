"""An attacker with an address, a token and a game of their own, and the table of what attackers do."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterable
from types import TracebackType
from typing import NamedTuple, Self

from tests.api.client import Json, Player
from tests.hostile.connections import HANDSHAKE, Connection, request

Codes = Iterable[int]  # statuses, close codes, ENDED or OPEN


class Attacker:
    """Every connection comes from one address, which no other client has, and is aborted at the end."""

    def __init__(self, address: str, source: str, players: list[Player], game: Json) -> None:
        self.address, self.source, self.players, self.game = address, source, players, game
        self._connections: list[Connection] = []

    @classmethod
    async def arrive(cls, address: str, number: int) -> Self:
        """Linux answers on all of 127.0.0.0/8; elsewhere attackers share the address of other clients."""
        source = f"127.0.{1 + number // 250}.{1 + number % 250}" if sys.platform == "linux" else "127.0.0.1"
        players = [await Player.arrive(address, name) for name in ("Mallory", "Trudy")]
        return cls(address, source, players, await players[0].create(seats=3, visibility="private"))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for connection in self._connections:
            connection.abort()
        for player in self.players:
            await player.http.aclose()

    @property
    def token(self) -> str:
        """The header with the first player's token."""
        return self.token_of(self.players[0])

    @staticmethod
    def token_of(player: Player) -> str:
        return f"Authorization: Bearer {player.token}"

    @property
    def game_path(self) -> str:
        return f"/api/v1/games/{self.game['id']}"

    @property
    def socket_path(self) -> str:
        return f"/ws/v1/games/{self.game['id']}"

    async def connect(self, receive_buffer: int = 0) -> Connection:
        connection = await Connection.open(self.address, self.source, receive_buffer)
        self._connections.append(connection)
        return connection

    async def sent(self, data: bytes, receive_buffer: int = 0) -> Connection:
        """A new connection on which this was sent, as far as the service took it."""
        connection = await self.connect(receive_buffer)
        await connection.send(data)
        return connection

    async def status(self, data: bytes) -> int:
        return await (await self.sent(data)).status()

    async def post(self, path: str, body: bytes, *headers: str) -> int:
        return await self.status(request("POST", path, *headers, body=body))

    async def get(self, path: str, *headers: str) -> int:
        return await self.status(request("GET", path, *headers))

    async def flood(self, requests: list[bytes], connections: int = 10, timeout_s: float = 2) -> list[int]:
        """All statuses of requests that are pipelined on several connections at once."""

        async def pipelined(mine: list[bytes]) -> list[int]:
            connection = await self.connect()
            sending = asyncio.create_task(connection.send(b"".join(mine)))
            found = await connection.statuses(len(mine), timeout_s)
            await sending
            return found

        parts = [requests[number::connections] for number in range(connections)]
        return [status for found in await asyncio.gather(*map(pipelined, filter(None, parts))) for status in found]

    async def socket(self, path: str = "", *headers: str, receive_buffer: int = 0) -> Connection:
        """A WebSocket after its handshake."""
        lines = (*HANDSHAKE, *(headers or (self.token,)))
        connection = await self.sent(request("GET", path or self.socket_path, *lines), receive_buffer)
        await connection.reader.readuntil(b"\r\n\r\n")
        return connection

    async def close_code(self, *frames: bytes, path: str = "") -> int:
        """The code with which a socket is closed that sends these frames."""
        connection = await self.socket(path)
        await connection.send(b"".join(frames))
        return await connection.close_code()


AttackFunction = Callable[[Attacker], Awaitable[Codes]]


class Attack(NamedTuple):
    """A row of the table. The name is a sentence about what the attacker meets."""

    name: str
    run: AttackFunction
    expected: set[int]  # no other code comes back
    among: Iterable[int] = ()  # each of these comes back at least once
    appends: int = 0  # events that the service may store on the way, within its limits
    hashes: bool = False  # argon2 uses 100 MB by design while it runs: the memory after the attack counts


def posts(path: str, body: bytes, *headers: str) -> AttackFunction:
    """A POST without a token."""

    async def run(attacker: Attacker) -> Codes:
        return [await attacker.post(path, body, *headers)]

    return run


def acts(body: bytes, *headers: str) -> AttackFunction:
    """A POST to the actions of the attacker's own game, with their token."""

    async def run(attacker: Attacker) -> Codes:
        return [await attacker.post(f"{attacker.game_path}/actions", body, attacker.token, *headers)]

    return run


def gets(path: str, *headers: str) -> AttackFunction:
    """A GET with a token; `{game}` is the path of the attacker's own game."""

    async def run(attacker: Attacker) -> Codes:
        return [await attacker.get(path.replace("{game}", attacker.game_path), attacker.token, *headers)]

    return run


def sends(data: bytes) -> AttackFunction:
    """These bytes on a new connection."""

    async def run(attacker: Attacker) -> Codes:
        return [await attacker.status(data)]

    return run


def frames(*sent: bytes) -> AttackFunction:
    """These frames on a socket of the attacker's own game."""

    async def run(attacker: Attacker) -> Codes:
        return [await attacker.close_code(*sent)]

    return run
