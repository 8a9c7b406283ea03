"""What a stream knows between two frames, without I/O: every event once and in order, every action once."""

from collections.abc import Callable

from qwixx_client.models import Action, Event, Game
from qwixx_client.problems import LostError, ProblemError
from qwixx_client.streams.frames import (
    ActionCommand,
    Command,
    GameFrame,
    Hello,
    Refusal,
    ResumeCommand,
    Spoken,
    Update,
    UpdateFrame,
)

OVER = frozenset({"finished", "aborted", "voided"})
SILENCE = 2  # heartbeats may stay away before a connection counts as dead
TO_OPEN_S = 15.0


OnPhrase = Callable[[Spoken], None]


class StreamState:
    def __init__(self, game_id: str, after: int | None, *, until_end: bool, on_phrase: OnPhrase | None) -> None:
        self.game_id, self.version, self.until_end = game_id, after, until_end
        self.game: Game | None = None
        self.silence_s = TO_OPEN_S
        self.needs_view = False  # nothing was missed, so nothing is sent: the view is read over REST
        self._on_phrase = on_phrase or _ignore
        self._events: list[Event] = []  # received, and not yet taken
        self._has_news = False
        self._pending: dict[str, ActionCommand] = {}
        self._answers: dict[str, int | ProblemError] = {}

    @property
    def address(self) -> str:
        resumed = "" if self.version is None else f"&after={self.version}"
        return f"/ws/v1/games/{self.game_id}?view=full{resumed}"

    @property
    def has_news(self) -> bool:
        return self._has_news

    @property
    def is_over(self) -> bool:
        """The last update was taken, and no other is awaited."""
        return self.until_end and self.game is not None and self.game["status"] in OVER and not self._has_news

    def command(self, key: str, action: Action) -> ActionCommand:
        """An action to send now, and again on each new connection until it is answered."""
        self._pending[key] = {"type": "action", "id": key, "action": action}
        return self._pending[key]

    def is_answered(self, key: str) -> bool:
        return key in self._answers

    def answer(self, key: str) -> int:
        """The version of an action that is stored; a refusal is raised."""
        answer = self._answers.pop(key)
        if isinstance(answer, ProblemError):
            raise answer
        return answer

    def take(self) -> Update:
        """All that was received since the last time, as one update."""
        if self.version is None or self.game is None:
            raise LookupError("nothing was received")
        update = Update(self.version, self._events, self.game)
        self._events, self._has_news = [], False
        return update

    def show(self, game: Game) -> None:
        """A view that was read. An older one is not shown, and before a newer one its events must come."""
        self.needs_view = False
        if self.version in (None, game["version"]):
            self.game, self.version, self._has_news = game, game["version"], True

    def receive(self, frame: GameFrame) -> list[Command]:
        """Takes in a frame; returns what to send."""
        match frame["type"]:
            case "hello":
                return self._greet(frame)
            case "state":
                self.show(frame["game"])
            case "update":
                self._update(frame)
            case "heartbeat":
                return self._compare(frame["version"] or 0)
            case "ack":
                self._answered(frame["id"], frame["version"])
            case "error":
                self._refused(frame)
            case "phrase":
                self._on_phrase(frame)
        return []

    def _greet(self, hello: Hello) -> list[Command]:
        self.silence_s = SILENCE * float(hello["heartbeat_s"])
        version = self.version or 0
        has_view = self.game is not None and self.game["version"] >= version
        self.needs_view = self.version is not None and not has_view and (hello["version"] or 0) <= version
        return list(self._pending.values())

    def _compare(self, head: int) -> list[Command]:
        behind: ResumeCommand = {"type": "resume", "after": self.version or 0}
        return [behind] if head > (self.version or 0) else []

    def _update(self, frame: UpdateFrame) -> None:
        for event in frame["events"]:
            self._keep(event)
        game = frame["game"]
        if game is not None and game["version"] == self.version:
            self.game, self._has_news = game, True

    def _keep(self, event: Event) -> None:
        """Versions are 1, 2, 3, …: a known one is dropped, and a missing one is fetched by connecting again."""
        version = self.version or 0
        if event["version"] > version + 1:
            raise LostError(f"version {version + 1} is missing")
        if event["version"] == version + 1:
            self._events.append(event)
            self.version = version + 1

    def _answered(self, key: str, answer: int | ProblemError) -> None:
        if self._pending.pop(key, None):
            self._answers[key] = answer

    def _refused(self, refusal: Refusal) -> None:
        if refusal["code"] == "unavailable":
            raise LostError("the service is busy")  # asked again on the next connection
        self._answered(refusal["id"], ProblemError(0, refusal["code"], refusal["detail"]))


def is_waiting(game: Game) -> bool:
    """Whether the game waits for this player."""
    return bool(game["options"]) and game["your_answer"] is None


def _ignore(phrase: Spoken) -> None:
    """For programs without phrases."""
