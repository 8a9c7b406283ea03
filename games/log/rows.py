"""Builds the rows of a command: the difference between a game before and after it."""

from uuid import UUID

from games.game.aggregate import PLAYING, GameState, fold
from games.game.events import Event, moment_of
from games.game.values import Value
from games.log import snapshots, store
from games.log.append_record import THE_SERVICE, Append, Birth, NewReceipt, SeatRow, Tip
from players.database.ids import uuid_of


class Caller(Value, frozen=True):
    """The player and session of a command. Its key makes it happen once; a revoked session appends nothing."""

    player: UUID | None = None
    session: UUID | None = None
    key: str | None = None
    fingerprint: bytes = b""

    def receipt(self) -> NewReceipt | None:
        if self.key is None:
            return None
        return NewReceipt(self.player or THE_SERVICE, self.key, self.fingerprint)


def game_of(loaded: store.Loaded) -> GameState | None:
    """The stored game; None: its snapshot cannot be used, and the whole log has to be read."""
    kept = snapshots.decode(loaded.snapshot) if loaded.snapshot else None
    if loaded.snapshot and (kept is None or kept.version != loaded.snapshot.version):
        return None
    if kept is None and (not loaded.since or loaded.since[0].version > 1):  # the log is archived
        return None
    game = fold(kept, loaded.since)
    return game if (game.version, game.head) == (loaded.version, loaded.head_hash) else None


def next_rows(
    before: GameState, after: GameState, events: tuple[Event, ...], caller: Caller, birth: Birth | None = None
) -> Append:
    """The rows of a command; `birth` for a new game."""
    return Append(
        uuid_of(before.id),
        before.version,
        events,
        tip_of(after),
        snapshots.snapshot_after(before.version, after),
        _changed_seats(before, after),
        birth,
        caller.player,
        caller.session,
        caller.receipt(),
    )


def tip_of(game: GameState) -> Tip:
    """The columns that lists and sweepers read without folding the game."""
    position = game.position if game.status == PLAYING else None
    bits, bots_at = 0, None
    for seat in game.waiting_for():
        bits |= 1 << seat
        if game.participants[seat].bot:
            bots_at = moment_of(game.at)
    return Tip(
        game.status,
        moment_of(game.deadline) if game.deadline else None,
        position.active if position else None,
        position.phase if position else None,
        bits,
        moment_of(game.at) if game.is_over else None,
        bots_at,
    )


def _changed_seats(before: GameState, after: GameState) -> tuple[SeatRow, ...] | None:
    if before.participants is after.participants:
        return None
    rows = _seat_rows(after)
    return None if rows == _seat_rows(before) else rows


def _seat_rows(game: GameState) -> tuple[SeatRow, ...]:
    return tuple(
        (participant.seat, uuid_of(participant.player) if participant.player else None, participant.bot or "")
        for participant in game.participants
    )
