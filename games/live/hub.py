"""After a commit: tells whoever follows a game, in this process at once and in the others through Redis.

One subscription per process. What travels is a hint that saves a read: the log is the source, and whatever was missed
is read from it. Messages wait in a bounded outbox while Redis is away; those that come too late are known already.
"""

import asyncio
import contextlib
import logging
import secrets
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

import msgspec
import redis.asyncio
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from games.game.aggregate import Game
from games.game.events import Event
from games.game.values import Value
from games.live.notifications import notices, shows_in_lobby
from games.metrics import counters

CHANNEL = "games"
PATIENCE_S = 1.0  # with Redis, and before it is tried again
SILENCE_S = 5.0
FAREWELL_S = 1.0  # how long the last words of a process may take
OUTBOX = 10_000
LARGEST_WAVE = 256
BETWEEN_WAVES_S = 0.01  # a message through Redis costs as much as a move
BETWEEN_ASKING_S = 0.05  # whether anybody listens by now

logger = logging.getLogger(__name__)


class Follower(Protocol):
    """Somebody here who wants the events of one game."""

    def told(self, game: Game, events: tuple[Event, ...]) -> None:
        """Committed by this process just now."""

    def heard(self, events: tuple[Event, ...]) -> None:
        """Committed by another one; some may be known, some may be missing."""

    def spoken(self, spoken: "Spoken") -> None:
        """Somebody at the table has said something."""


class Spoken(msgspec.Struct, array_like=True):
    """A phrase said at a table, and who does not want to hear it. It is in no log: who is not there misses it."""

    game: str
    seat: int
    key: str
    deaf: list[str]


ChangeListener = Callable[[bytes], None]  # gets a message to a player, encoded


class Told(Value, frozen=True):
    """What one commit, or one word to a player, means to other processes."""

    game: str = ""
    events: tuple[Event, ...] = ()
    words: tuple[tuple[list[str], bytes], ...] = ()
    shows: bool = False
    at: float = 0.0  # when, by the clock on the wall
    spoken: Spoken | None = None


class Wave(msgspec.Struct, array_like=True):
    """One message through Redis: all that was told while the one before was under way.

    Who has found nobody else listening leaves out what stands in the log; whoever has come since looks there.
    """

    origin: str
    moves: list[tuple[str, float, msgspec.Raw]]
    words: list[tuple[list[str], bytes]]
    shown: list[str]
    spoken: list[Spoken]
    is_alone: bool = False


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Wave).decode
_events = msgspec.msgpack.Decoder(tuple[Event, ...]).decode


class Hub:
    def __init__(self, redis_url: str) -> None:
        # Tried again here, every second: redis-py by itself would wait longer after every failure.
        # Nothing is waited for without end, not even the first word of a line that was taken.
        once = Retry(NoBackoff(), 0)
        self._redis: Any = redis.asyncio.from_url(redis_url, socket_timeout=PATIENCE_S, retry=once)
        self._origin = secrets.token_hex(8)
        self._waiting: dict[str, set[asyncio.Event]] = defaultdict(set)
        self.tables: dict[str, Follower] = {}
        self.players: dict[str, set[ChangeListener]] = defaultdict(set)
        self.lobbies: list[Callable[[str], None]] = []  # told the id of a public game whose line has changed
        self.returns: list[Callable[[], None]] = []  # told when Redis is back: something may have been missed
        self._outbox: deque[Told] = deque(maxlen=OUTBOX)
        self._publishing: asyncio.Task[None] | None = None
        self._listening: asyncio.Task[None] | None = None
        self._is_away = False
        self._is_subscribed = False
        self._listeners = 2  # who got the last wave, ourselves among them

    def start(self) -> None:
        self._listening = asyncio.create_task(self._listen())

    async def stop(self) -> None:
        if self._publishing is not None:
            await asyncio.wait([self._publishing], timeout=FAREWELL_S)
        tasks = [task for task in (self._publishing, self._listening) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._redis.aclose()

    @contextlib.contextmanager
    def watching(self, game: str) -> Iterator[asyncio.Event]:
        """Set at every news of the game, from here on; whoever waits clears it before he reads."""
        news = asyncio.Event()
        self._waiting[game].add(news)
        try:
            yield news
        finally:
            self._waiting[game].discard(news)
            if not self._waiting[game]:
                del self._waiting[game]

    def told(self, game: Game, events: tuple[Event, ...]) -> None:
        """The engine's listener: called after the commit, never waits."""
        began = time.perf_counter()
        self._wake(game.id)
        if (table := self.tables.get(game.id)) is not None:
            table.told(game, events)
            counters.SENT_FROM_HERE.observe(time.perf_counter() - began)
        words: tuple[tuple[list[str], bytes], ...] = ()
        if self.players or not self._is_alone():
            words = tuple([(players, msgspec.json.encode(message)) for players, message in notices(game, events)])
            for players, message in words:
                self._say(players, message)
        if shows := shows_in_lobby(game, events):
            self._show(game.id)
        if words or shows or not (self._outbox and self._is_alone()):  # else the next wave says all there is to say
            self._put(Told(game.id, events, words, shows, time.time()))

    def tell_players(self, players: list[str], message: dict[str, Any]) -> None:
        """To wherever these players have a stream open; on the loop of the hub, after the commit of what it says."""
        encoded = msgspec.json.encode(message)
        self._say(players, encoded)
        self._put(Told(words=((players, encoded),)))

    def speak(self, spoken: Spoken) -> None:
        """To every socket on a game but those of who does not want to hear it; on the loop of the hub."""
        self._pass_on_word(spoken)
        self._put(Told(spoken=spoken))

    def _pass_on_word(self, spoken: Spoken) -> None:
        if (table := self.tables.get(spoken.game)) is not None:
            table.spoken(spoken)

    def _wake(self, game: str) -> None:
        for news in self._waiting.get(game, ()):
            news.set()

    def _say(self, players: Iterable[str], message: bytes) -> None:
        for player in players:
            for ear in tuple(self.players.get(player, ())):
                ear(message)

    def _show(self, game: str) -> None:
        for lobby in self.lobbies:
            lobby(game)

    def _put(self, told: Told) -> None:
        self._outbox.append(told)
        if self._publishing is None:
            self._publishing = asyncio.create_task(self._publish())

    async def _publish(self) -> None:
        """The first goes at once; under load a wave takes all of the next few milliseconds along."""
        while self._outbox:
            batch = [self._outbox.popleft() for _ in range(min(len(self._outbox), LARGEST_WAVE))]
            try:
                self._listeners = await self._redis.publish(CHANNEL, self._wave(batch))
            except (RedisError, OSError) as error:
                self._outbox.extendleft(reversed(batch))
                self._note_trouble(error)
                await asyncio.sleep(PATIENCE_S)
            else:
                await asyncio.sleep(BETWEEN_ASKING_S if self._is_alone() else BETWEEN_WAVES_S)
        self._publishing = None

    def _is_alone(self) -> bool:
        """Did nobody but this process itself hear the last wave?"""
        return self._listeners <= self._is_subscribed

    def _wave(self, batch: list[Told]) -> bytes:
        is_alone = self._is_alone()
        known = [] if is_alone else batch
        moves = [(told.game, told.at, msgspec.Raw(_encode(told.events))) for told in known if told.events]
        words = [word for told in batch for word in told.words]
        shown = [told.game for told in batch if told.shows]
        spoken = [told.spoken for told in batch if told.spoken]
        return _encode(Wave(self._origin, moves, words, shown, spoken, is_alone))

    async def _listen(self) -> None:
        while True:
            try:
                async with self._redis.pubsub() as pubsub:
                    await pubsub.subscribe(CHANNEL)
                    while True:
                        await self._hear(pubsub)
            except (RedisError, OSError, TimeoutError) as error:
                self._is_subscribed = False
                self._note_trouble(error)
                await asyncio.sleep(PATIENCE_S)

    def _note_trouble(self, error: Exception) -> None:
        if not self._is_away:
            self._is_away = True
            logger.warning("Redis is away, until it is back every process reads the log by itself: %s", error)

    async def _hear(self, pubsub: Any) -> None:
        """One message. A line that is silent is asked for a sign of life: it may be dead, and nobody has said so."""
        message = await pubsub.get_message(timeout=SILENCE_S)
        if message is None:
            await pubsub.ping()
            message = await pubsub.get_message(timeout=PATIENCE_S)
            if message is None:
                raise TimeoutError("no sign of life")
        if message["type"] == "subscribe":  # at first, and whenever the line was lost and found again
            self._is_away, self._is_subscribed = False, True
            self._look_everywhere()
        elif message["type"] == "message":
            self._heard(message["data"])

    def _heard(self, data: bytes) -> None:
        """What this process itself has told its own do not wait for."""
        try:
            wave = _decode(data)
            if wave.origin != self._origin:
                self._pass_on(wave)
        except msgspec.MsgspecError:  # of another version of the service, perhaps
            self._look_everywhere()

    def _pass_on(self, wave: Wave) -> None:
        if wave.is_alone:
            self._look_everywhere()
        for game, at, events in wave.moves:
            self._wake(game)
            if (table := self.tables.get(game)) is not None:
                table.heard(_events(events))
                counters.SENT_FROM_ELSEWHERE.observe(max(0.0, time.time() - at))
        for players, message in wave.words:
            self._say(players, message)
        for game in wave.shown:
            self._show(game)
        for spoken in wave.spoken:
            self._pass_on_word(spoken)

    def _look_everywhere(self) -> None:
        """Whatever was missed while nobody listened is read now."""
        for game in self._waiting:
            self._wake(game)
        for returned in self.returns:
            returned()
