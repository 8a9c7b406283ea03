"""The tables of games and their log. Only `games.log` imports them, and only `append_v2.sql` writes to them."""

from datetime import UTC, datetime
from typing import ClassVar

from django.db import models
from django.db.models import Q

from players.database.ids import uuid7

OPEN_AND_PUBLIC = Q(status="open", visibility="public")
UNFINISHED_AND_PUBLIC = Q(status__in=("open", "playing"), visibility="public")
PLAYED_OUT = Q(status__in=("finished", "voided"))
OVER_AND_PUBLIC = Q(status__in=("finished", "aborted", "voided"), visibility="public")

LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


class Game(models.Model):
    """One game: the last version and hash of its log, and the columns that lists and sweepers read."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    ruleset = models.CharField(max_length=16)
    sheet = models.CharField(max_length=32)
    status = models.CharField(max_length=8)  # open, playing, finished, aborted or voided
    visibility = models.CharField(max_length=7)  # public or private
    rated = models.BooleanField()
    clock = models.JSONField(null=True)
    seats = models.SmallIntegerField()  # how many it is for
    code = models.CharField(max_length=6)
    version = models.IntegerField()
    head_hash = models.BinaryField(max_length=32)
    deadline_at = models.DateTimeField(null=True)
    active = models.SmallIntegerField(null=True)
    phase = models.CharField(max_length=8, null=True)  # noqa: DJ001  (NULL: no turn is in progress)
    waiting = models.SmallIntegerField(default=0)  # bit n: the game waits for seat n
    bots_at = models.DateTimeField(null=True)  # since when it waits for bots; NULL: it does not
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        # Ids sort by time, so "newest first" is "by id". Every phase changes the deadline of a game, which rewrites its
        # entry in every index that contains it: hence each list has its own partial index.
        permissions: ClassVar = [
            ("control_game", "Can pause and resume a clock, and abort a game"),
            ("void_game", "Can take a game out of the count"),
        ]
        constraints: ClassVar = [models.UniqueConstraint(fields=["code"], name="games_game_code")]
        indexes: ClassVar = [
            models.Index(fields=["deadline_at"], name="games_game_due", condition=Q(deadline_at__isnull=False)),
            models.Index(fields=["bots_at"], name="games_game_bots", condition=Q(bots_at__isnull=False)),
            models.Index(fields=["id"], name="games_game_unstarted", condition=Q(status="open")),
            models.Index(fields=["id"], name="games_game_open", condition=OPEN_AND_PUBLIC),
            models.Index(fields=["ruleset", "id"], name="games_game_open_by_ruleset", condition=OPEN_AND_PUBLIC),
            models.Index(fields=["id"], name="games_game_unfinished", condition=UNFINISHED_AND_PUBLIC),
            models.Index(fields=["status", "id"], name="games_game_over", condition=OVER_AND_PUBLIC),
            models.Index(
                fields=["status", "ruleset", "id"], name="games_game_over_by_ruleset", condition=OVER_AND_PUBLIC
            ),
            models.Index(fields=["status", "sheet", "id"], name="games_game_over_by_sheet", condition=OVER_AND_PUBLIC),
            models.Index(
                fields=["status", "id"], name="games_game_over_rated", condition=OVER_AND_PUBLIC & Q(rated=True)
            ),
            models.Index(fields=["ended_at", "id"], name="games_game_over_by_end", condition=OVER_AND_PUBLIC),
            models.Index(fields=["ended_at", "id"], name="games_game_played_out", condition=PLAYED_OUT),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset} {self.id} at {self.version}"


class OfGame(models.Model):
    """A row of a game, without a foreign key constraint: `games_append` has checked that the game exists, and the
    deletion of a game must not cascade into its log."""

    game = models.ForeignKey(Game, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False)

    class Meta:
        abstract = True


class StoredEvent(OfGame):
    """One fact. Never changed and never deleted: triggers refuse both."""

    pk = models.CompositePrimaryKey("game_id", "version")
    version = models.IntegerField()
    type = models.CharField(max_length=32)
    v = models.SmallIntegerField()
    data = models.JSONField(null=True)  # of types that queries look into, and of events of the first release
    body = models.TextField(null=True)  # noqa: DJ001  (the same as text, for all other events)
    actor = models.UUIDField(null=True)  # in the first event of a command
    command = models.CharField(max_length=64, null=True)  # noqa: DJ001  (the same; NULL: no key was given)
    hash = models.BinaryField(max_length=32)
    at = models.DateTimeField()

    class Meta:
        db_table = "games_event"
        # For the dashboard: time-outs per day. For lists: results. The indexes contain no other events.
        indexes: ClassVar = [
            models.Index(fields=["at"], name="games_event_time_outs", condition=Q(type="time_ran_out")),
            models.Index(fields=["game"], name="games_event_ends", condition=Q(type="game_ended")),
        ]

    def __str__(self) -> str:
        return f"{self.version}. {self.type}"


class Seat(OfGame):
    """The player or bot that has this seat now."""

    pk = models.CompositePrimaryKey("game_id", "seat")
    seat = models.SmallIntegerField()
    player = models.UUIDField(null=True)
    bot = models.CharField(max_length=16, default="")

    class Meta:
        indexes: ClassVar = [models.Index(fields=["player", "game"], name="games_seat_player")]

    def __str__(self) -> str:
        return f"{self.seat}: {self.player or self.bot}"


class Seed(models.Model):
    """The secrets from which dice and bots' choices are drawn, separate from the log until the game is over (contract,
    section 9)."""

    game = models.OneToOneField(Game, on_delete=models.DO_NOTHING, db_constraint=False, primary_key=True)
    secret = models.BinaryField(max_length=32)
    bot_secret = models.BinaryField(max_length=32)
    # Until when a sweeper has claimed the game. Here, because no append touches this row.
    deadline_claimed_until = models.DateTimeField(null=True)
    bots_claimed_until = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"seed of {self.game_id}"


class Snapshot(models.Model):
    """The folded state of a game at a version (decision 5). Without it the whole log is read."""

    game = models.OneToOneField(Game, on_delete=models.DO_NOTHING, db_constraint=False, primary_key=True)
    version = models.IntegerField()
    schema = models.SmallIntegerField()
    state = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.game_id} at {self.version}"


class Receipt(OfGame):
    """What one command appended, by the idempotency key of its player: the same key appends once."""

    pk = models.CompositePrimaryKey("player", "key")
    player = models.UUIDField()  # the nil UUID: the service itself
    key = models.CharField(max_length=64)
    fingerprint = models.BinaryField(max_length=32)
    first_version = models.IntegerField()
    last_version = models.IntegerField()

    def __str__(self) -> str:
        return f"{self.key}: {self.first_version} to {self.last_version}"


class Volume(models.Model):
    """A file of archived logs, complete and verified."""

    name = models.CharField(max_length=64, primary_key=True)
    store = models.CharField(max_length=512)  # the address of the folder or bucket, without keys
    digest = models.BinaryField(max_length=32)
    size = models.BigIntegerField()
    games = models.IntegerField()
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class ArchivedGame(models.Model):
    """The place of a game's log in a volume, up to a version, and what lists show of its end."""

    game = models.OneToOneField(Game, on_delete=models.DO_NOTHING, db_constraint=False, primary_key=True)
    volume = models.CharField(max_length=64)
    offset = models.BigIntegerField()
    length = models.IntegerField()
    version = models.IntegerField()
    hash = models.BinaryField(max_length=32)
    end_version = models.IntegerField(null=True)  # of `game_ended`; NULL: the game was aborted or voided before
    end_at = models.DateTimeField(null=True)
    end_v = models.SmallIntegerField(null=True)
    end_data = models.JSONField(null=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["end_at"], name="games_archivedgame_end", condition=Q(end_at__isnull=False))
        ]

    def __str__(self) -> str:
        return f"{self.game_id} in {self.volume}"


class Pulse(models.Model):
    """One row: the last heartbeat of any process of the service, the last proof that the log can grow, and the last
    sweep of deadlines."""

    id = models.SmallIntegerField(primary_key=True, default=1)
    at = models.DateTimeField()
    swept_at = models.DateTimeField()
    proved_at = models.DateTimeField(db_default=LONG_AGO)

    class Meta:
        constraints: ClassVar = [models.CheckConstraint(condition=Q(id=1), name="games_pulse_is_one")]

    def __str__(self) -> str:
        return f"last at {self.at}"


class Outage(models.Model):
    """A gap between heartbeats: no process of the service was running. Every deadline during it is extended once."""

    began = models.DateTimeField(primary_key=True)
    ended = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"from {self.began} to {self.ended}"
