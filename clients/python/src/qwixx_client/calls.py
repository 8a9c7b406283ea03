"""The operations of docs/openapi.json. Generated: run `make clients`."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Literal, Unpack

from qwixx_client import models


class Calls(ABC):
    """Every operation of the API as a method."""

    @abstractmethod
    def call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: object = None,
        key: str | None = None,
    ) -> Any:
        """Sends a request and returns the body of its answer; a refusal is raised as `ProblemError`."""

    def read_index(self) -> models.Index:
        """List the addresses with their methods, the streams and the documents."""
        answer: models.Index = self.call("GET", "/api/v1")
        return answer

    def list_games(
        self,
        *,
        cursor: str | None = None,
        ended_after: str | None = None,
        ended_before: str | None = None,
        limit: int | None = None,
        mine: bool | None = None,
        player: str | None = None,
        rated: bool | None = None,
        ruleset: Literal["qwinto", "qwixx"] | None = None,
        sheet: Literal[
            "big_points",
            "bonus_a",
            "bonus_b",
            "classic",
            "connected_a_steps",
            "connected_b_chain",
            "double_a",
            "double_b",
            "mixx_a",
            "mixx_b",
            "x_change",
        ]
        | None = None,
        status: list[Literal["aborted", "finished", "open", "playing", "voided"]] | None = None,
        waiting: Literal["me"] | None = None,
    ) -> models.Games:
        """List games that the caller may see, newest first."""
        answer: models.Games = self.call(
            "GET",
            "/api/v1/games",
            query={
                "cursor": cursor,
                "ended_after": ended_after,
                "ended_before": ended_before,
                "limit": limit,
                "mine": mine,
                "player": player,
                "rated": rated,
                "ruleset": ruleset,
                "sheet": sheet,
                "status": status,
                "waiting": waiting,
            },
        )
        return answer

    def create_game(self, *, idempotency_key: str | None = None, **body: Unpack[models.CreateGame]) -> models.Game:
        """Create a game; the caller gets seat 0."""
        answer: models.Game = self.call("POST", "/api/v1/games", body=body, key=idempotency_key)
        return answer

    def read_game(self, game_id: str, /, *, share: str | None = None, version: int | None = None) -> models.Game:
        """Read a game as the caller may see it."""
        answer: models.Game = self.call("GET", f"/api/v1/games/{game_id}", query={"share": share, "version": version})
        return answer

    def play_action(self, game_id: str, body: models.Action, /, *, idempotency_key: str | None = None) -> models.Acted:
        """Play an action; every entry of `options` is one."""
        answer: models.Acted = self.call("POST", f"/api/v1/games/{game_id}/actions", body=body, key=idempotency_key)
        return answer

    def preview_action(self, game_id: str, body: models.Action, /, *, version: int | None = None) -> models.Preview:
        """Preview what an action would do to the caller's own sheet."""
        answer: models.Preview = self.call(
            "POST", f"/api/v1/games/{game_id}/actions/preview", query={"version": version}, body=body
        )
        return answer

    def seat_bot(
        self, game_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[models.SeatBot]
    ) -> models.Game:
        """Seat a bot; only the host may do this."""
        answer: models.Game = self.call("POST", f"/api/v1/games/{game_id}/bots", body=body, key=idempotency_key)
        return answer

    def list_events(
        self, game_id: str, /, *, after: int | None = None, limit: int | None = None, wait: int | None = None
    ) -> models.Events:
        """List the events after a version; with `wait`, wait for one."""
        answer: models.Events = self.call(
            "GET", f"/api/v1/games/{game_id}/events", query={"after": after, "limit": limit, "wait": wait}
        )
        return answer

    def export_game(self, game_id: str, /, *, share: str | None = None) -> str:
        """Export the whole log as NDJSON, or with `Accept: text/x-qwixx-notation` as text."""
        answer: str = self.call("GET", f"/api/v1/games/{game_id}/export", query={"share": share})
        return answer

    def invite_player(
        self, game_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[models.Invite]
    ) -> models.Invitation:
        """Invite a player to an open game in which the caller has a seat."""
        answer: models.Invitation = self.call(
            "POST", f"/api/v1/games/{game_id}/invitations", body=body, key=idempotency_key
        )
        return answer

    def join_game(
        self, game_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[models.JoinGame]
    ) -> models.Game:
        """Take the next free seat."""
        answer: models.Game = self.call("POST", f"/api/v1/games/{game_id}/join", body=body, key=idempotency_key)
        return answer

    def leave_game(self, game_id: str, /, *, idempotency_key: str | None = None) -> models.Game:
        """Leave a game: free the seat before the start, resign during play."""
        answer: models.Game = self.call("POST", f"/api/v1/games/{game_id}/leave", key=idempotency_key)
        return answer

    def say_phrase(
        self, game_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[models.Say]
    ) -> models.Said:
        """Send a quick phrase to the other players; it is not stored."""
        answer: models.Said = self.call("POST", f"/api/v1/games/{game_id}/phrases", body=body, key=idempotency_key)
        return answer

    def read_proof(self, game_id: str, /, *, share: str | None = None) -> models.Proof:
        """Read the seed, the entropy and every roll, once the game is over."""
        answer: models.Proof = self.call("GET", f"/api/v1/games/{game_id}/proof", query={"share": share})
        return answer

    def request_rematch(
        self, game_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[models.SeatSeed]
    ) -> models.Game:
        """Join the one next game of the same players."""
        answer: models.Game = self.call("POST", f"/api/v1/games/{game_id}/rematch", body=body, key=idempotency_key)
        return answer

    def free_seat(self, game_id: str, seat: int, /, *, idempotency_key: str | None = None) -> models.Game:
        """Free a seat before the start; only the host may do this."""
        answer: models.Game = self.call("DELETE", f"/api/v1/games/{game_id}/seats/{seat}", key=idempotency_key)
        return answer

    def give_seed(
        self, game_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[models.GiveSeed]
    ) -> models.Game:
        """Set or replace the caller's client seed before the start."""
        answer: models.Game = self.call("POST", f"/api/v1/games/{game_id}/seed", body=body, key=idempotency_key)
        return answer

    def read_share_link(self, game_id: str, /) -> models.ShareLink:
        """Read a link with which any player may see this game, once it is over."""
        answer: models.ShareLink = self.call("GET", f"/api/v1/games/{game_id}/share-link")
        return answer

    def start_game(self, game_id: str, /, *, idempotency_key: str | None = None) -> models.Game:
        """Start a game with two or more seats taken; only the host may do this."""
        answer: models.Game = self.call("POST", f"/api/v1/games/{game_id}/start", key=idempotency_key)
        return answer

    def join_game_by_code(
        self, *, idempotency_key: str | None = None, **body: Unpack[models.JoinByCode]
    ) -> models.Game:
        """Take the next free seat of the game with this code."""
        answer: models.Game = self.call("POST", "/api/v1/games/join", body=body, key=idempotency_key)
        return answer

    def read_home(self) -> models.Home:
        """Read all that the first screen of an app shows."""
        answer: models.Home = self.call("GET", "/api/v1/home")
        return answer

    def list_invitations(self, *, cursor: str | None = None, limit: int | None = None) -> models.Invitations:
        """List the open games to which the caller is invited, newest first."""
        answer: models.Invitations = self.call("GET", "/api/v1/invitations", query={"cursor": cursor, "limit": limit})
        return answer

    def accept_invitation(
        self, invitation_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[models.SeatSeed]
    ) -> models.Game:
        """Accept an invitation; a private game needs no code."""
        answer: models.Game = self.call(
            "POST", f"/api/v1/invitations/{invitation_id}/accept", body=body, key=idempotency_key
        )
        return answer

    def decline_invitation(self, invitation_id: str, /, *, idempotency_key: str | None = None) -> models.Invitation:
        """Decline an invitation; the player who sent it is notified."""
        answer: models.Invitation = self.call(
            "POST", f"/api/v1/invitations/{invitation_id}/decline", key=idempotency_key
        )
        return answer

    def read_leaderboard(
        self,
        ruleset: str,
        metric: Literal["best_score", "points", "rating", "wins"],
        /,
        *,
        around: Literal["me"] | None = None,
        at: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        period: Literal["all", "day", "month", "week"] | None = None,
        sheet: str | None = None,
    ) -> models.Leaderboard:
        """Read a leaderboard of rated games by rating, wins, best score or points."""
        answer: models.Leaderboard = self.call(
            "GET",
            f"/api/v1/leaderboards/{ruleset}/{metric}",
            query={"around": around, "at": at, "cursor": cursor, "limit": limit, "period": period, "sheet": sheet},
        )
        return answer

    def enter_queue(
        self, *, idempotency_key: str | None = None, **body: Unpack[models.EnterQueue]
    ) -> models.QueueTicket:
        """Enter the queue for opponents of similar strength."""
        answer: models.QueueTicket = self.call("POST", "/api/v1/matchmaking", body=body, key=idempotency_key)
        return answer

    def read_queue_ticket(self, ticket_id: str, /) -> models.QueueTicket:
        """Read a ticket of the queue; reading it keeps it alive."""
        answer: models.QueueTicket = self.call("GET", f"/api/v1/matchmaking/{ticket_id}")
        return answer

    def leave_queue(self, ticket_id: str, /) -> models.QueueTicket:
        """Leave the queue; `matched` if the game has been created already."""
        answer: models.QueueTicket = self.call("DELETE", f"/api/v1/matchmaking/{ticket_id}")
        return answer

    def list_phrases(self) -> models.Phrases:
        """List the quick phrases, in the caller's language."""
        answer: models.Phrases = self.call("GET", "/api/v1/phrases")
        return answer

    def create_account(
        self, *, idempotency_key: str | None = None, **body: Unpack[models.RegisterBody]
    ) -> models.NewSession:
        """Create an account and a token; a guest who sends their token becomes the account and keeps everything."""
        answer: models.NewSession = self.call("POST", "/api/v1/players", body=body, key=idempotency_key)
        return answer

    def read_player(self, player_id: str, /) -> models.Profile:
        """Read a player's public profile."""
        answer: models.Profile = self.call("GET", f"/api/v1/players/{player_id}")
        return answer

    def list_player_games(
        self,
        player_id: str,
        /,
        *,
        cursor: str | None = None,
        ended_after: str | None = None,
        ended_before: str | None = None,
        limit: int | None = None,
        rated: bool | None = None,
        ruleset: Literal["qwinto", "qwixx"] | None = None,
        sheet: Literal[
            "big_points",
            "bonus_a",
            "bonus_b",
            "classic",
            "connected_a_steps",
            "connected_b_chain",
            "double_a",
            "double_b",
            "mixx_a",
            "mixx_b",
            "x_change",
        ]
        | None = None,
        status: list[Literal["aborted", "finished", "open", "playing", "voided"]] | None = None,
    ) -> models.Games:
        """List a player's games that the caller may see, newest first."""
        answer: models.Games = self.call(
            "GET",
            f"/api/v1/players/{player_id}/games",
            query={
                "cursor": cursor,
                "ended_after": ended_after,
                "ended_before": ended_before,
                "limit": limit,
                "rated": rated,
                "ruleset": ruleset,
                "sheet": sheet,
                "status": status,
            },
        )
        return answer

    def list_rating_changes(
        self, player_id: str, ruleset: str, /, *, cursor: str | None = None, limit: int | None = None
    ) -> models.Changes:
        """List the changes of a player's rating with their inputs, newest first."""
        answer: models.Changes = self.call(
            "GET", f"/api/v1/players/{player_id}/ratings/{ruleset}", query={"cursor": cursor, "limit": limit}
        )
        return answer

    def report_player(
        self, player_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[models.ReportBody]
    ) -> models.Report:
        """Report a player to the staff."""
        answer: models.Report = self.call(
            "POST", f"/api/v1/players/{player_id}/reports", body=body, key=idempotency_key
        )
        return answer

    def read_stats(self, player_id: str, /) -> models.Stats:
        """Read a player's statistics per ruleset: played, won, average, best, rating with history."""
        answer: models.Stats = self.call("GET", f"/api/v1/players/{player_id}/stats")
        return answer

    def confirm_address(self, **body: Unpack[models.TokenBody]) -> None:
        """Confirm an address with the mailed token."""
        self.call("POST", "/api/v1/players/confirmations", body=body)

    def create_guest(
        self, *, idempotency_key: str | None = None, **body: Unpack[models.GuestBody]
    ) -> models.NewSession:
        """Create a guest and a token."""
        answer: models.NewSession = self.call("POST", "/api/v1/players/guests", body=body, key=idempotency_key)
        return answer

    def read_me(self) -> models.Me:
        """Read my profile."""
        answer: models.Me = self.call("GET", "/api/v1/players/me")
        return answer

    def change_me(self, **body: Unpack[models.ChangeBody]) -> models.Me:
        """Change my name or language."""
        answer: models.Me = self.call("PATCH", "/api/v1/players/me", body=body)
        return answer

    def delete_me(self) -> None:
        """Delete my account; my games and their logs stay, and my seats show `Player`."""
        self.call("DELETE", "/api/v1/players/me")

    def list_blocks(self, *, cursor: str | None = None, limit: int | None = None) -> models.Profiles:
        """List the players whom I block, newest first."""
        answer: models.Profiles = self.call(
            "GET", "/api/v1/players/me/blocks", query={"cursor": cursor, "limit": limit}
        )
        return answer

    def block_player(self, player_id: str, /) -> None:
        """Block a player: no pairing, invitations or phrases between us."""
        self.call("PUT", f"/api/v1/players/me/blocks/{player_id}")

    def unblock_player(self, player_id: str, /) -> None:
        """Lift a block."""
        self.call("DELETE", f"/api/v1/players/me/blocks/{player_id}")

    def list_bots(self) -> models.BotAccountsList:
        """List my bot accounts, newest first."""
        answer: models.BotAccountsList = self.call("GET", "/api/v1/players/me/bots")
        return answer

    def create_bot(self, *, idempotency_key: str | None = None, **body: Unpack[models.NewBotBody]) -> models.BotAccount:
        """Make a bot account of mine: a player that a program plays as."""
        answer: models.BotAccount = self.call("POST", "/api/v1/players/me/bots", body=body, key=idempotency_key)
        return answer

    def delete_bot(self, player_id: str, /) -> None:
        """Delete a bot account of mine; its games and their logs stay."""
        self.call("DELETE", f"/api/v1/players/me/bots/{player_id}")

    def request_confirmation(self, *, idempotency_key: str | None = None) -> models.Accepted:
        """Send me another mail with a link that confirms my address."""
        answer: models.Accepted = self.call("POST", "/api/v1/players/me/confirmation", key=idempotency_key)
        return answer

    def export_me(self) -> models.DataExport:
        """Download all data that is stored about me."""
        answer: models.DataExport = self.call("GET", "/api/v1/players/me/export")
        return answer

    def stream_my_games(
        self,
        *,
        after: str | None = None,
        opponent: str | None = None,
        rated: bool | None = None,
        ruleset: Literal["qwinto", "qwixx"] | None = None,
        sheet: Literal[
            "big_points",
            "bonus_a",
            "bonus_b",
            "classic",
            "connected_a_steps",
            "connected_b_chain",
            "double_a",
            "double_b",
            "mixx_a",
            "mixx_b",
            "x_change",
        ]
        | None = None,
        since: str | None = None,
        until: str | None = None,
    ) -> str:
        """Stream my finished games as NDJSON, in the order of their ends."""
        answer: str = self.call(
            "GET",
            "/api/v1/players/me/games/stream",
            query={
                "after": after,
                "opponent": opponent,
                "rated": rated,
                "ruleset": ruleset,
                "sheet": sheet,
                "since": since,
                "until": until,
            },
        )
        return answer

    def list_mutes(self, *, cursor: str | None = None, limit: int | None = None) -> models.Profiles:
        """List the players whom I mute, newest first."""
        answer: models.Profiles = self.call("GET", "/api/v1/players/me/mutes", query={"cursor": cursor, "limit": limit})
        return answer

    def mute_player(self, player_id: str, /) -> None:
        """Mute a player: I receive none of their phrases."""
        self.call("PUT", f"/api/v1/players/me/mutes/{player_id}")

    def unmute_player(self, player_id: str, /) -> None:
        """Lift a mute."""
        self.call("DELETE", f"/api/v1/players/me/mutes/{player_id}")

    def change_password(self, *, idempotency_key: str | None = None, **body: Unpack[models.PasswordBody]) -> None:
        """Change my password and log all my other devices out."""
        self.call("POST", "/api/v1/players/me/password", body=body, key=idempotency_key)

    def list_access_tokens(self) -> models.AccessTokens:
        """List my personal access tokens, newest first."""
        answer: models.AccessTokens = self.call("GET", "/api/v1/players/me/tokens")
        return answer

    def create_access_token(self, **body: Unpack[models.NewTokenBody]) -> models.NewAccessToken:
        """Make a personal access token with scopes; its text is shown once."""
        answer: models.NewAccessToken = self.call("POST", "/api/v1/players/me/tokens", body=body)
        return answer

    def revoke_access_token(self, token_id: str, /) -> None:
        """Revoke a personal access token."""
        self.call("DELETE", f"/api/v1/players/me/tokens/{token_id}")

    def request_password_reset(self, **body: Unpack[models.EmailBody]) -> models.Accepted:
        """Mail a link for a new password, if the address is a confirmed address of an account."""
        answer: models.Accepted = self.call("POST", "/api/v1/players/passwords/forgotten", body=body)
        return answer

    def reset_password(self, **body: Unpack[models.ResetBody]) -> None:
        """Set a new password with the mailed token and log all devices out."""
        self.call("POST", "/api/v1/players/passwords/reset", body=body)

    def list_rulesets(self) -> models.Rulesets:
        """List all rulesets and sheets, with all that is needed to draw them."""
        answer: models.Rulesets = self.call("GET", "/api/v1/rulesets")
        return answer

    def list_sessions(self) -> models.Sessions:
        """List my devices."""
        answer: models.Sessions = self.call("GET", "/api/v1/sessions")
        return answer

    def create_session(self, **body: Unpack[models.SignInBody]) -> models.NewSession:
        """Sign in and get a token; 5 wrong passwords in a minute lock the account for the rest of it."""
        answer: models.NewSession = self.call("POST", "/api/v1/sessions", body=body)
        return answer

    def revoke_all_sessions(self) -> None:
        """Log all my devices out."""
        self.call("DELETE", "/api/v1/sessions")

    def revoke_session(self, session_id: str, /) -> None:
        """Log one of my devices out."""
        self.call("DELETE", f"/api/v1/sessions/{session_id}")

    def revoke_current_session(self) -> None:
        """Log this device out."""
        self.call("DELETE", "/api/v1/sessions/current")

    def create_stream_ticket(self) -> models.StreamTicket:
        """Get a ticket for one stream connection, valid for 30 seconds."""
        answer: models.StreamTicket = self.call("POST", "/api/v1/stream-tickets")
        return answer

    def read_version(self) -> models.Version:
        """Read the version of the service, and the oldest app that it still serves."""
        answer: models.Version = self.call("GET", "/api/v1/version")
        return answer

    def list_webhooks(self) -> models.Webhooks:
        """List my webhooks."""
        answer: models.Webhooks = self.call("GET", "/api/v1/webhooks")
        return answer

    def create_webhook(self, **body: Unpack[models.RegisterWebhook]) -> models.WebhookWithSecret:
        """Register a URL for events of my games; the secret is shown once."""
        answer: models.WebhookWithSecret = self.call("POST", "/api/v1/webhooks", body=body)
        return answer

    def read_webhook(self, webhook_id: str, /) -> models.Webhook:
        """Read a webhook."""
        answer: models.Webhook = self.call("GET", f"/api/v1/webhooks/{webhook_id}")
        return answer

    def change_webhook(self, webhook_id: str, /, **body: Unpack[models.ChangeWebhook]) -> models.Webhook:
        """Change, disable or enable a webhook."""
        answer: models.Webhook = self.call("PATCH", f"/api/v1/webhooks/{webhook_id}", body=body)
        return answer

    def delete_webhook(self, webhook_id: str, /) -> None:
        """Remove a webhook and its log of deliveries."""
        self.call("DELETE", f"/api/v1/webhooks/{webhook_id}")

    def list_webhook_deliveries(
        self,
        webhook_id: str,
        /,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        status: Literal["delivered", "failed", "pending"] | None = None,
    ) -> models.Deliveries:
        """List the messages of a webhook with their attempts, newest first."""
        answer: models.Deliveries = self.call(
            "GET",
            f"/api/v1/webhooks/{webhook_id}/deliveries",
            query={"cursor": cursor, "limit": limit, "status": status},
        )
        return answer

    def redeliver_webhook_message(
        self, webhook_id: str, delivery_id: str, /, *, idempotency_key: str | None = None
    ) -> models.Delivery:
        """Send a message again, with the same id."""
        answer: models.Delivery = self.call(
            "POST", f"/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver", key=idempotency_key
        )
        return answer

    def rotate_webhook_secret(
        self, webhook_id: str, /, **body: Unpack[models.RotateSecret]
    ) -> models.WebhookWithSecret:
        """Replace the secret of a webhook; the new one is shown once."""
        answer: models.WebhookWithSecret = self.call("POST", f"/api/v1/webhooks/{webhook_id}/secret", body=body)
        return answer


class AsyncCalls(ABC):
    """Every operation of the API as a method."""

    @abstractmethod
    async def call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: object = None,
        key: str | None = None,
    ) -> Any:
        """Sends a request and returns the body of its answer; a refusal is raised as `ProblemError`."""

    async def read_index(self) -> models.Index:
        """List the addresses with their methods, the streams and the documents."""
        answer: models.Index = await self.call("GET", "/api/v1")
        return answer

    async def list_games(
        self,
        *,
        cursor: str | None = None,
        ended_after: str | None = None,
        ended_before: str | None = None,
        limit: int | None = None,
        mine: bool | None = None,
        player: str | None = None,
        rated: bool | None = None,
        ruleset: Literal["qwinto", "qwixx"] | None = None,
        sheet: Literal[
            "big_points",
            "bonus_a",
            "bonus_b",
            "classic",
            "connected_a_steps",
            "connected_b_chain",
            "double_a",
            "double_b",
            "mixx_a",
            "mixx_b",
            "x_change",
        ]
        | None = None,
        status: list[Literal["aborted", "finished", "open", "playing", "voided"]] | None = None,
        waiting: Literal["me"] | None = None,
    ) -> models.Games:
        """List games that the caller may see, newest first."""
        answer: models.Games = await self.call(
            "GET",
            "/api/v1/games",
            query={
                "cursor": cursor,
                "ended_after": ended_after,
                "ended_before": ended_before,
                "limit": limit,
                "mine": mine,
                "player": player,
                "rated": rated,
                "ruleset": ruleset,
                "sheet": sheet,
                "status": status,
                "waiting": waiting,
            },
        )
        return answer

    async def create_game(
        self, *, idempotency_key: str | None = None, **body: Unpack[models.CreateGame]
    ) -> models.Game:
        """Create a game; the caller gets seat 0."""
        answer: models.Game = await self.call("POST", "/api/v1/games", body=body, key=idempotency_key)
        return answer

    async def read_game(self, game_id: str, /, *, share: str | None = None, version: int | None = None) -> models.Game:
        """Read a game as the caller may see it."""
        answer: models.Game = await self.call(
            "GET", f"/api/v1/games/{game_id}", query={"share": share, "version": version}
        )
        return answer

    async def play_action(
        self, game_id: str, body: models.Action, /, *, idempotency_key: str | None = None
    ) -> models.Acted:
        """Play an action; every entry of `options` is one."""
        answer: models.Acted = await self.call(
            "POST", f"/api/v1/games/{game_id}/actions", body=body, key=idempotency_key
        )
        return answer

    async def preview_action(
        self, game_id: str, body: models.Action, /, *, version: int | None = None
    ) -> models.Preview:
        """Preview what an action would do to the caller's own sheet."""
        answer: models.Preview = await self.call(
            "POST", f"/api/v1/games/{game_id}/actions/preview", query={"version": version}, body=body
        )
        return answer

    async def seat_bot(
        self, game_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[models.SeatBot]
    ) -> models.Game:
        """Seat a bot; only the host may do this."""
        answer: models.Game = await self.call("POST", f"/api/v1/games/{game_id}/bots", body=body, key=idempotency_key)
        return answer

    async def list_events(
        self, game_id: str, /, *, after: int | None = None, limit: int | None = None, wait: int | None = None
    ) -> models.Events:
        """List the events after a version; with `wait`, wait for one."""
        answer: models.Events = await self.call(
            "GET", f"/api/v1/games/{game_id}/events", query={"after": after, "limit": limit, "wait": wait}
        )
        return answer

    async def export_game(self, game_id: str, /, *, share: str | None = None) -> str:
        """Export the whole log as NDJSON, or with `Accept: text/x-qwixx-notation` as text."""
        answer: str = await self.call("GET", f"/api/v1/games/{game_id}/export", query={"share": share})
        return answer

    async def invite_player(
        self, game_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[models.Invite]
    ) -> models.Invitation:
        """Invite a player to an open game in which the caller has a seat."""
        answer: models.Invitation = await self.call(
            "POST", f"/api/v1/games/{game_id}/invitations", body=body, key=idempotency_key
        )
        return answer

    async def join_game(
        self, game_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[models.JoinGame]
    ) -> models.Game:
        """Take the next free seat."""
        answer: models.Game = await self.call("POST", f"/api/v1/games/{game_id}/join", body=body, key=idempotency_key)
        return answer

    async def leave_game(self, game_id: str, /, *, idempotency_key: str | None = None) -> models.Game:
        """Leave a game: free the seat before the start, resign during play."""
        answer: models.Game = await self.call("POST", f"/api/v1/games/{game_id}/leave", key=idempotency_key)
        return answer

    async def say_phrase(
        self, game_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[models.Say]
    ) -> models.Said:
        """Send a quick phrase to the other players; it is not stored."""
        answer: models.Said = await self.call(
            "POST", f"/api/v1/games/{game_id}/phrases", body=body, key=idempotency_key
        )
        return answer

    async def read_proof(self, game_id: str, /, *, share: str | None = None) -> models.Proof:
        """Read the seed, the entropy and every roll, once the game is over."""
        answer: models.Proof = await self.call("GET", f"/api/v1/games/{game_id}/proof", query={"share": share})
        return answer

    async def request_rematch(
        self, game_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[models.SeatSeed]
    ) -> models.Game:
        """Join the one next game of the same players."""
        answer: models.Game = await self.call(
            "POST", f"/api/v1/games/{game_id}/rematch", body=body, key=idempotency_key
        )
        return answer

    async def free_seat(self, game_id: str, seat: int, /, *, idempotency_key: str | None = None) -> models.Game:
        """Free a seat before the start; only the host may do this."""
        answer: models.Game = await self.call("DELETE", f"/api/v1/games/{game_id}/seats/{seat}", key=idempotency_key)
        return answer

    async def give_seed(
        self, game_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[models.GiveSeed]
    ) -> models.Game:
        """Set or replace the caller's client seed before the start."""
        answer: models.Game = await self.call("POST", f"/api/v1/games/{game_id}/seed", body=body, key=idempotency_key)
        return answer

    async def read_share_link(self, game_id: str, /) -> models.ShareLink:
        """Read a link with which any player may see this game, once it is over."""
        answer: models.ShareLink = await self.call("GET", f"/api/v1/games/{game_id}/share-link")
        return answer

    async def start_game(self, game_id: str, /, *, idempotency_key: str | None = None) -> models.Game:
        """Start a game with two or more seats taken; only the host may do this."""
        answer: models.Game = await self.call("POST", f"/api/v1/games/{game_id}/start", key=idempotency_key)
        return answer

    async def join_game_by_code(
        self, *, idempotency_key: str | None = None, **body: Unpack[models.JoinByCode]
    ) -> models.Game:
        """Take the next free seat of the game with this code."""
        answer: models.Game = await self.call("POST", "/api/v1/games/join", body=body, key=idempotency_key)
        return answer

    async def read_home(self) -> models.Home:
        """Read all that the first screen of an app shows."""
        answer: models.Home = await self.call("GET", "/api/v1/home")
        return answer

    async def list_invitations(self, *, cursor: str | None = None, limit: int | None = None) -> models.Invitations:
        """List the open games to which the caller is invited, newest first."""
        answer: models.Invitations = await self.call(
            "GET", "/api/v1/invitations", query={"cursor": cursor, "limit": limit}
        )
        return answer

    async def accept_invitation(
        self, invitation_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[models.SeatSeed]
    ) -> models.Game:
        """Accept an invitation; a private game needs no code."""
        answer: models.Game = await self.call(
            "POST", f"/api/v1/invitations/{invitation_id}/accept", body=body, key=idempotency_key
        )
        return answer

    async def decline_invitation(
        self, invitation_id: str, /, *, idempotency_key: str | None = None
    ) -> models.Invitation:
        """Decline an invitation; the player who sent it is notified."""
        answer: models.Invitation = await self.call(
            "POST", f"/api/v1/invitations/{invitation_id}/decline", key=idempotency_key
        )
        return answer

    async def read_leaderboard(
        self,
        ruleset: str,
        metric: Literal["best_score", "points", "rating", "wins"],
        /,
        *,
        around: Literal["me"] | None = None,
        at: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        period: Literal["all", "day", "month", "week"] | None = None,
        sheet: str | None = None,
    ) -> models.Leaderboard:
        """Read a leaderboard of rated games by rating, wins, best score or points."""
        answer: models.Leaderboard = await self.call(
            "GET",
            f"/api/v1/leaderboards/{ruleset}/{metric}",
            query={"around": around, "at": at, "cursor": cursor, "limit": limit, "period": period, "sheet": sheet},
        )
        return answer

    async def enter_queue(
        self, *, idempotency_key: str | None = None, **body: Unpack[models.EnterQueue]
    ) -> models.QueueTicket:
        """Enter the queue for opponents of similar strength."""
        answer: models.QueueTicket = await self.call("POST", "/api/v1/matchmaking", body=body, key=idempotency_key)
        return answer

    async def read_queue_ticket(self, ticket_id: str, /) -> models.QueueTicket:
        """Read a ticket of the queue; reading it keeps it alive."""
        answer: models.QueueTicket = await self.call("GET", f"/api/v1/matchmaking/{ticket_id}")
        return answer

    async def leave_queue(self, ticket_id: str, /) -> models.QueueTicket:
        """Leave the queue; `matched` if the game has been created already."""
        answer: models.QueueTicket = await self.call("DELETE", f"/api/v1/matchmaking/{ticket_id}")
        return answer

    async def list_phrases(self) -> models.Phrases:
        """List the quick phrases, in the caller's language."""
        answer: models.Phrases = await self.call("GET", "/api/v1/phrases")
        return answer

    async def create_account(
        self, *, idempotency_key: str | None = None, **body: Unpack[models.RegisterBody]
    ) -> models.NewSession:
        """Create an account and a token; a guest who sends their token becomes the account and keeps everything."""
        answer: models.NewSession = await self.call("POST", "/api/v1/players", body=body, key=idempotency_key)
        return answer

    async def read_player(self, player_id: str, /) -> models.Profile:
        """Read a player's public profile."""
        answer: models.Profile = await self.call("GET", f"/api/v1/players/{player_id}")
        return answer

    async def list_player_games(
        self,
        player_id: str,
        /,
        *,
        cursor: str | None = None,
        ended_after: str | None = None,
        ended_before: str | None = None,
        limit: int | None = None,
        rated: bool | None = None,
        ruleset: Literal["qwinto", "qwixx"] | None = None,
        sheet: Literal[
            "big_points",
            "bonus_a",
            "bonus_b",
            "classic",
            "connected_a_steps",
            "connected_b_chain",
            "double_a",
            "double_b",
            "mixx_a",
            "mixx_b",
            "x_change",
        ]
        | None = None,
        status: list[Literal["aborted", "finished", "open", "playing", "voided"]] | None = None,
    ) -> models.Games:
        """List a player's games that the caller may see, newest first."""
        answer: models.Games = await self.call(
            "GET",
            f"/api/v1/players/{player_id}/games",
            query={
                "cursor": cursor,
                "ended_after": ended_after,
                "ended_before": ended_before,
                "limit": limit,
                "rated": rated,
                "ruleset": ruleset,
                "sheet": sheet,
                "status": status,
            },
        )
        return answer

    async def list_rating_changes(
        self, player_id: str, ruleset: str, /, *, cursor: str | None = None, limit: int | None = None
    ) -> models.Changes:
        """List the changes of a player's rating with their inputs, newest first."""
        answer: models.Changes = await self.call(
            "GET", f"/api/v1/players/{player_id}/ratings/{ruleset}", query={"cursor": cursor, "limit": limit}
        )
        return answer

    async def report_player(
        self, player_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[models.ReportBody]
    ) -> models.Report:
        """Report a player to the staff."""
        answer: models.Report = await self.call(
            "POST", f"/api/v1/players/{player_id}/reports", body=body, key=idempotency_key
        )
        return answer

    async def read_stats(self, player_id: str, /) -> models.Stats:
        """Read a player's statistics per ruleset: played, won, average, best, rating with history."""
        answer: models.Stats = await self.call("GET", f"/api/v1/players/{player_id}/stats")
        return answer

    async def confirm_address(self, **body: Unpack[models.TokenBody]) -> None:
        """Confirm an address with the mailed token."""
        await self.call("POST", "/api/v1/players/confirmations", body=body)

    async def create_guest(
        self, *, idempotency_key: str | None = None, **body: Unpack[models.GuestBody]
    ) -> models.NewSession:
        """Create a guest and a token."""
        answer: models.NewSession = await self.call("POST", "/api/v1/players/guests", body=body, key=idempotency_key)
        return answer

    async def read_me(self) -> models.Me:
        """Read my profile."""
        answer: models.Me = await self.call("GET", "/api/v1/players/me")
        return answer

    async def change_me(self, **body: Unpack[models.ChangeBody]) -> models.Me:
        """Change my name or language."""
        answer: models.Me = await self.call("PATCH", "/api/v1/players/me", body=body)
        return answer

    async def delete_me(self) -> None:
        """Delete my account; my games and their logs stay, and my seats show `Player`."""
        await self.call("DELETE", "/api/v1/players/me")

    async def list_blocks(self, *, cursor: str | None = None, limit: int | None = None) -> models.Profiles:
        """List the players whom I block, newest first."""
        answer: models.Profiles = await self.call(
            "GET", "/api/v1/players/me/blocks", query={"cursor": cursor, "limit": limit}
        )
        return answer

    async def block_player(self, player_id: str, /) -> None:
        """Block a player: no pairing, invitations or phrases between us."""
        await self.call("PUT", f"/api/v1/players/me/blocks/{player_id}")

    async def unblock_player(self, player_id: str, /) -> None:
        """Lift a block."""
        await self.call("DELETE", f"/api/v1/players/me/blocks/{player_id}")

    async def list_bots(self) -> models.BotAccountsList:
        """List my bot accounts, newest first."""
        answer: models.BotAccountsList = await self.call("GET", "/api/v1/players/me/bots")
        return answer

    async def create_bot(
        self, *, idempotency_key: str | None = None, **body: Unpack[models.NewBotBody]
    ) -> models.BotAccount:
        """Make a bot account of mine: a player that a program plays as."""
        answer: models.BotAccount = await self.call("POST", "/api/v1/players/me/bots", body=body, key=idempotency_key)
        return answer

    async def delete_bot(self, player_id: str, /) -> None:
        """Delete a bot account of mine; its games and their logs stay."""
        await self.call("DELETE", f"/api/v1/players/me/bots/{player_id}")

    async def request_confirmation(self, *, idempotency_key: str | None = None) -> models.Accepted:
        """Send me another mail with a link that confirms my address."""
        answer: models.Accepted = await self.call("POST", "/api/v1/players/me/confirmation", key=idempotency_key)
        return answer

    async def export_me(self) -> models.DataExport:
        """Download all data that is stored about me."""
        answer: models.DataExport = await self.call("GET", "/api/v1/players/me/export")
        return answer

    async def stream_my_games(
        self,
        *,
        after: str | None = None,
        opponent: str | None = None,
        rated: bool | None = None,
        ruleset: Literal["qwinto", "qwixx"] | None = None,
        sheet: Literal[
            "big_points",
            "bonus_a",
            "bonus_b",
            "classic",
            "connected_a_steps",
            "connected_b_chain",
            "double_a",
            "double_b",
            "mixx_a",
            "mixx_b",
            "x_change",
        ]
        | None = None,
        since: str | None = None,
        until: str | None = None,
    ) -> str:
        """Stream my finished games as NDJSON, in the order of their ends."""
        answer: str = await self.call(
            "GET",
            "/api/v1/players/me/games/stream",
            query={
                "after": after,
                "opponent": opponent,
                "rated": rated,
                "ruleset": ruleset,
                "sheet": sheet,
                "since": since,
                "until": until,
            },
        )
        return answer

    async def list_mutes(self, *, cursor: str | None = None, limit: int | None = None) -> models.Profiles:
        """List the players whom I mute, newest first."""
        answer: models.Profiles = await self.call(
            "GET", "/api/v1/players/me/mutes", query={"cursor": cursor, "limit": limit}
        )
        return answer

    async def mute_player(self, player_id: str, /) -> None:
        """Mute a player: I receive none of their phrases."""
        await self.call("PUT", f"/api/v1/players/me/mutes/{player_id}")

    async def unmute_player(self, player_id: str, /) -> None:
        """Lift a mute."""
        await self.call("DELETE", f"/api/v1/players/me/mutes/{player_id}")

    async def change_password(self, *, idempotency_key: str | None = None, **body: Unpack[models.PasswordBody]) -> None:
        """Change my password and log all my other devices out."""
        await self.call("POST", "/api/v1/players/me/password", body=body, key=idempotency_key)

    async def list_access_tokens(self) -> models.AccessTokens:
        """List my personal access tokens, newest first."""
        answer: models.AccessTokens = await self.call("GET", "/api/v1/players/me/tokens")
        return answer

    async def create_access_token(self, **body: Unpack[models.NewTokenBody]) -> models.NewAccessToken:
        """Make a personal access token with scopes; its text is shown once."""
        answer: models.NewAccessToken = await self.call("POST", "/api/v1/players/me/tokens", body=body)
        return answer

    async def revoke_access_token(self, token_id: str, /) -> None:
        """Revoke a personal access token."""
        await self.call("DELETE", f"/api/v1/players/me/tokens/{token_id}")

    async def request_password_reset(self, **body: Unpack[models.EmailBody]) -> models.Accepted:
        """Mail a link for a new password, if the address is a confirmed address of an account."""
        answer: models.Accepted = await self.call("POST", "/api/v1/players/passwords/forgotten", body=body)
        return answer

    async def reset_password(self, **body: Unpack[models.ResetBody]) -> None:
        """Set a new password with the mailed token and log all devices out."""
        await self.call("POST", "/api/v1/players/passwords/reset", body=body)

    async def list_rulesets(self) -> models.Rulesets:
        """List all rulesets and sheets, with all that is needed to draw them."""
        answer: models.Rulesets = await self.call("GET", "/api/v1/rulesets")
        return answer

    async def list_sessions(self) -> models.Sessions:
        """List my devices."""
        answer: models.Sessions = await self.call("GET", "/api/v1/sessions")
        return answer

    async def create_session(self, **body: Unpack[models.SignInBody]) -> models.NewSession:
        """Sign in and get a token; 5 wrong passwords in a minute lock the account for the rest of it."""
        answer: models.NewSession = await self.call("POST", "/api/v1/sessions", body=body)
        return answer

    async def revoke_all_sessions(self) -> None:
        """Log all my devices out."""
        await self.call("DELETE", "/api/v1/sessions")

    async def revoke_session(self, session_id: str, /) -> None:
        """Log one of my devices out."""
        await self.call("DELETE", f"/api/v1/sessions/{session_id}")

    async def revoke_current_session(self) -> None:
        """Log this device out."""
        await self.call("DELETE", "/api/v1/sessions/current")

    async def create_stream_ticket(self) -> models.StreamTicket:
        """Get a ticket for one stream connection, valid for 30 seconds."""
        answer: models.StreamTicket = await self.call("POST", "/api/v1/stream-tickets")
        return answer

    async def read_version(self) -> models.Version:
        """Read the version of the service, and the oldest app that it still serves."""
        answer: models.Version = await self.call("GET", "/api/v1/version")
        return answer

    async def list_webhooks(self) -> models.Webhooks:
        """List my webhooks."""
        answer: models.Webhooks = await self.call("GET", "/api/v1/webhooks")
        return answer

    async def create_webhook(self, **body: Unpack[models.RegisterWebhook]) -> models.WebhookWithSecret:
        """Register a URL for events of my games; the secret is shown once."""
        answer: models.WebhookWithSecret = await self.call("POST", "/api/v1/webhooks", body=body)
        return answer

    async def read_webhook(self, webhook_id: str, /) -> models.Webhook:
        """Read a webhook."""
        answer: models.Webhook = await self.call("GET", f"/api/v1/webhooks/{webhook_id}")
        return answer

    async def change_webhook(self, webhook_id: str, /, **body: Unpack[models.ChangeWebhook]) -> models.Webhook:
        """Change, disable or enable a webhook."""
        answer: models.Webhook = await self.call("PATCH", f"/api/v1/webhooks/{webhook_id}", body=body)
        return answer

    async def delete_webhook(self, webhook_id: str, /) -> None:
        """Remove a webhook and its log of deliveries."""
        await self.call("DELETE", f"/api/v1/webhooks/{webhook_id}")

    async def list_webhook_deliveries(
        self,
        webhook_id: str,
        /,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        status: Literal["delivered", "failed", "pending"] | None = None,
    ) -> models.Deliveries:
        """List the messages of a webhook with their attempts, newest first."""
        answer: models.Deliveries = await self.call(
            "GET",
            f"/api/v1/webhooks/{webhook_id}/deliveries",
            query={"cursor": cursor, "limit": limit, "status": status},
        )
        return answer

    async def redeliver_webhook_message(
        self, webhook_id: str, delivery_id: str, /, *, idempotency_key: str | None = None
    ) -> models.Delivery:
        """Send a message again, with the same id."""
        answer: models.Delivery = await self.call(
            "POST", f"/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver", key=idempotency_key
        )
        return answer

    async def rotate_webhook_secret(
        self, webhook_id: str, /, **body: Unpack[models.RotateSecret]
    ) -> models.WebhookWithSecret:
        """Replace the secret of a webhook; the new one is shown once."""
        answer: models.WebhookWithSecret = await self.call("POST", f"/api/v1/webhooks/{webhook_id}/secret", body=body)
        return answer
