"""The schemas of the messages that webhooks receive, told apart by `type`."""

import msgspec

from games.game.json import schema_types as t
from games.game.json.event_schemas import Visibility
from games.game.json.view_schemas import NewRating, OutcomeSchema, Status, Turn


class AboutGame(msgspec.Struct, kw_only=True):
    """The game, its version when it happened, and the player whom the webhook belongs to."""

    game: t.Id
    version: t.Version
    player: t.Id
    seat: t.SeatNumber | None


class GameStartedContent(AboutGame, kw_only=True):
    """The settings of the game that starts."""

    ruleset: t.RulesetKey
    sheet: t.SheetKey
    seats: t.SeatCount
    visibility: Visibility
    rated: bool


class YourTurnContent(AboutGame, kw_only=True):
    """The turn in which the game waits for the player."""

    turn: Turn


class GameFinishedContent(AboutGame, kw_only=True):
    """How the game ended."""

    status: Status
    result: OutcomeSchema | None


class RatingChangedContent(AboutGame, kw_only=True):
    """The new rating of the player."""

    ruleset: t.RulesetKey
    rating: NewRating


class AnyWebhookMessage(msgspec.Struct, kw_only=True, tag_field="type"):
    timestamp: t.Time


class GameStartedMessage(AnyWebhookMessage, kw_only=True, tag="game.started"):
    """A game of the player has started."""

    data: GameStartedContent


class YourTurnMessage(AnyWebhookMessage, kw_only=True, tag="game.your_turn"):
    """A game waits for the player."""

    data: YourTurnContent


class GameFinishedMessage(AnyWebhookMessage, kw_only=True, tag="game.finished"):
    """A game of the player is over."""

    data: GameFinishedContent


class RatingChangedMessage(AnyWebhookMessage, kw_only=True, tag="rating.changed"):
    """A rated game has been counted."""

    data: RatingChangedContent


WebhookMessageUnion = GameStartedMessage | YourTurnMessage | GameFinishedMessage | RatingChangedMessage
