"""What a game in memory looks like as rows of the database, and who asks for them to be written."""

from datetime import datetime
from uuid import UUID

from games.game.aggregate import PLAYING, Game, fold
from games.game.dice import DiceSource
from games.game.draft import Moment
from games.game.events import Event, moment_of
from games.game.values import Value
from games.log import append, snapshots, store
from games.log.nonces import nonce
from players.database.ids import uuid_of


class Caller(Value, frozen=True):
    """On whose behalf a command is given. Its key makes it happen once; its session must not have been revoked."""

    player: UUID | None = None
    session: UUID | None = None
    key: str | None = None
    fingerprint: bytes = b""

    def receipt(self) -> append.Receipt | None:
        if self.key is None:
            return None
        return append.Receipt(self.player or append.THE_SERVICE, self.key, self.fingerprint)


class CachedGame(Value, frozen=True):
    """A game as this process last saw it, with the secrets of its dice and its bots."""

    game: Game
    secret: bytes
    bot_secret: bytes
    code: str

    def after(self, game: Game) -> "CachedGame":
        return CachedGame(game, self.secret, self.bot_secret, self.code)

    def moment(self, now: datetime) -> Moment:
        return Moment(now, DiceSource(self.secret, self.game.id, self.game.entropy), nonce())

    def __repr__(self) -> str:
        return f"CachedGame({self.game.id} at {self.game.version})"  # a log line must not give the secrets away


def game_of(tip: store.Loaded) -> Game | None:
    """The game that was loaded; None: its snapshot cannot be used, the whole log has to be read."""
    kept = snapshots.thaw(tip.snapshot) if tip.snapshot else None
    if tip.snapshot and (kept is None or kept.version != tip.snapshot.version):
        return None
    game = fold(kept, tip.since)
    return game if (game.version, game.head) == (tip.version, tip.head_hash) else None


def next_rows(known: CachedGame, after: CachedGame, events: tuple[Event, ...], caller: Caller) -> append.Append:
    """What has to be stored for a game to go from one state to the next."""
    before = known.game
    return append.Append(
        uuid_of(before.id),
        before.version,
        events,
        tip_of(after.game),
        snapshots.taken(before.version, after.game),
        _changed_seats(before, after.game),
        None if before.version else _birth(known),
        caller.player,
        caller.session,
        caller.receipt(),
    )


def _birth(known: CachedGame) -> append.Birth:
    setup = known.game.setup
    return append.Birth(
        setup.ruleset,
        setup.sheet,
        setup.visibility,
        setup.rated,
        setup.clock._asdict() if setup.clock else None,
        setup.seats,
        known.code,
        known.secret,
        known.bot_secret,
    )


def tip_of(game: Game) -> append.Tip:
    """What lists and sweepers have to know of a game without opening it."""
    position = game.position if game.status == PLAYING else None
    bits, bots_at = 0, None
    for seat in game.waiting_for():
        bits |= 1 << seat
        if game.participants[seat].bot:
            bots_at = moment_of(game.at)
    return append.Tip(
        game.status,
        moment_of(game.deadline) if game.deadline else None,
        position.active if position else None,
        position.phase if position else None,
        bits,
        moment_of(game.at) if game.is_over else None,
        bots_at,
    )


def _changed_seats(before: Game, after: Game) -> tuple[append.SeatRow, ...] | None:
    if before.participants is after.participants:
        return None
    rows = _seat_rows(after)
    return None if rows == _seat_rows(before) else rows


def _seat_rows(game: Game) -> tuple[append.SeatRow, ...]:
    return tuple(
        (participant.seat, uuid_of(participant.player) if participant.player else None, participant.bot or "")
        for participant in game.participants
    )
