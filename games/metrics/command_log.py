"""One log line for each command that the engine carried out or refused: its player, its game, its duration.

Refusals beyond a budget get none, so that no client can fill the log.
"""

from time import perf_counter
from types import TracebackType
from typing import Any
from uuid import UUID

import structlog

from games.rules.refused import Refused
from players.database.refusal import RequestRefused
from players.limits import log_lines
from players.telemetry import log_context

logger: Any = structlog.get_logger("games.commands")


class NotedCommand:
    """A context manager around one command. Neither the action nor its effects are logged: an answer may be sealed."""

    __slots__ = ("_began", "_game", "_key", "_player", "outcome", "version")

    def __init__(self, game: UUID, player: UUID | None, key: str | None) -> None:
        self._game, self._player, self._key = game, player, key
        self.outcome: str = "ok"
        self.version: int | None = None

    def __enter__(self) -> "NotedCommand":
        self._began = perf_counter()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        outcome = self.outcome if kind is None else getattr(error, "code", kind.__name__)
        fields: dict[str, Any] = {"game": self._game, "outcome": outcome}
        if self.version is not None:
            fields["version"] = self.version
        if self._player is not None:
            fields["player"] = self._player
        if self._key:  # the id of the command, which its client has chosen
            fields["command"] = self._key
        write = logger.debug if self._is_refusal(error) and not log_lines.is_logged(self._player) else logger.info
        write("command", **fields, ms=round((perf_counter() - self._began) * 1000, 2))
        log_context.add(**{log_context.LOGGED: True})

    @staticmethod
    def _is_refusal(error: BaseException | None) -> bool:
        return isinstance(error, Refused | RequestRefused)

    def stored(self, version: int, *, is_replay: bool) -> None:
        self.version, self.outcome = version, "repeated" if is_replay else "ok"
