"""The context of a command (its caller, its time, the version that the caller expects), and its way into the engine."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from games.engine.engine import CommandResult, Engine
from games.game.aggregate import GameState
from games.game.decisions import play
from games.game.decisions.draft import Draft, Moment
from games.game.events import stamp
from games.game.values import Value
from games.game.views import may_look
from games.log.rows import Caller
from games.rules.refused import Refused
from games.timekeeping import deadlines
from players.database.ids import text_of

DecideFor = Callable[[GameState, str, Moment], Draft]  # the game, the player or the reason of staff, and the moment


class SeedChoice(Value, frozen=True):
    """What a player says of their client seed when they take a seat: the seed, and whether another will follow."""

    client_seed: str | None = None
    late_seed: bool = False


NO_SEED = SeedChoice()


class CommandContext(Value, frozen=True):
    """The caller of a command, its time, and the version that the caller expects, if any."""

    caller: Caller
    now: datetime
    if_match: int | None = None
    is_bot: bool = False  # the caller is a bot account

    @property
    def player(self) -> str:
        return text_of(self.caller.player) if self.caller.player else "None"

    def check_rated(self, *, is_rated: bool) -> None:
        """Rated games are between people (contract, section 11)."""
        if is_rated and self.is_bot:
            raise Refused("rated_needs_people")

    def match(self, game: GameState) -> None:
        if self.if_match is not None and self.if_match != game.version:
            raise Refused("version_mismatch")

    def check(self, game: GameState) -> None:
        """For a player who may not see the game, it does not exist."""
        if not may_look(game, self.player):
            raise Refused("not_found")
        self.match(game)


async def submit(engine: Engine, game_id: UUID, decide: DecideFor, context: CommandContext) -> CommandResult:
    """Submit a command of a player: `Engine.submit` calls `decide_if_visible`, which calls `decide`.

    A refusal as too late is decided once more, after outages have been credited to the deadline.
    """
    answered = None

    def decide_if_visible(game: GameState, moment: Moment) -> Draft:
        nonlocal answered
        context.check(game)
        answered = game.position
        return decide(game, context.player, moment)

    try:
        return await engine.submit(game_id, decide_if_visible, context.now, context.caller)
    except Refused as refused:
        if refused.code != "too_late":
            raise
        game = (await deadlines.expire(engine, game_id, context.now)).game
        if game.position != answered or play.is_due(game, stamp(context.now)):
            raise
    return await engine.submit(game_id, decide_if_visible, context.now, context.caller)
