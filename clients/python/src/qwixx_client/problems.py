"""What the service refuses, as errors with its codes, and which of them another attempt may mend."""

from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed, WebSocketException

from qwixx_client.models import Problem

OUTDATED = frozenset({"stale_roll", "wrong_phase", "not_your_turn", "too_late", "game_over"})
FINAL_STATUS = frozenset({400, 401, 403, 404})
FINAL_CLOSE = frozenset({4400, 4403, 4404})
NOT_AUTHENTICATED = 4401
GAME_NOT_OPEN = 409
LONGEST_WAIT_S = 30.0
TEMPORARY = frozenset({429, 502, 503, 504})


class ProblemError(Exception):
    """A request or an action was refused. `code` never changes; the text is in the language that was asked for."""

    def __init__(
        self, status: int, code: str, detail: str, problem: Problem | None = None, retry_after_s: float = 0.0
    ) -> None:
        super().__init__(f"{code}: {detail}")
        self.status, self.code, self.detail = status, code, detail
        self.problem, self.retry_after_s = problem, retry_after_s

    @property
    def is_outdated(self) -> bool:
        """The action came too late: the game went on meanwhile, and its next update says how."""
        return self.code in OUTDATED


class StreamClosedError(Exception):
    """A stream has ended for good, with the close code of its socket."""

    def __init__(self, close_code: int, reason: str = "") -> None:
        super().__init__(reason or f"the stream was closed with {close_code}")
        self.close_code = close_code


class LostError(Exception):
    """A connection is of no more use; another one repairs the stream."""


LOST = (LostError, OSError, EOFError, WebSocketException, httpx.TransportError, ProblemError)


def final_error(error: Exception) -> Exception | None:
    """What to raise if another attempt would end in the same way."""
    if isinstance(error, ProblemError):
        return error if error.status in FINAL_STATUS else None
    code = error.rcvd.code if isinstance(error, ConnectionClosed) and error.rcvd else 0
    if code == NOT_AUTHENTICATED:
        return ProblemError(401, "not_authenticated", "the token is not valid")
    return StreamClosedError(code) if code in FINAL_CLOSE else None


def checked(response: httpx.Response) -> Any:
    """The body of an answer; a refusal is raised."""
    if response.is_success:
        is_json = response.headers.get("Content-Type", "").startswith("application/json")
        return response.json() if is_json else response.text or None
    raise _problem(response)


def may_repeat(response: httpx.Response) -> bool:
    return response.status_code in TEMPORARY and wait_s(response) <= LONGEST_WAIT_S


def wait_s(response: httpx.Response) -> float:
    given = response.headers.get("Retry-After", "")
    return float(given) if given.isdecimal() else 0.0


def _problem(response: httpx.Response) -> ProblemError:
    status, wait = response.status_code, wait_s(response)
    try:
        problem: Problem = response.json()
        return ProblemError(status, problem["code"], problem["detail"], problem, wait)
    except (ValueError, KeyError, TypeError):  # not from the service: a proxy answered
        return ProblemError(status, f"http_{status}", f"status {status}", retry_after_s=wait)
