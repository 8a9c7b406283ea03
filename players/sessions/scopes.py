"""Scopes of personal access tokens: the one table that says which scope each operation and stream needs."""

from collections.abc import Iterable, Mapping

from players.database.refusal import RequestRefused

READ, PLAY, BOTS, ACCOUNT = "read", "play", "bots", "account"
SESSION = "session"  # what only a device that is signed in may do; no token has it
NO_OPERATION = "OPTIONS"  # a request for the methods that there are, or with one that there is not
GRANTED: Mapping[str, frozenset[str]] = {
    READ: frozenset({READ}),
    PLAY: frozenset({PLAY, READ}),
    BOTS: frozenset({PLAY, READ}),  # the token plays as a bot account
    ACCOUNT: frozenset({ACCOUNT}),
}
BY_SCOPE: Mapping[str, str] = {
    READ: """
        GET /home
        GET /games
        GET /games/{game_id}
        POST /games/{game_id}/actions/preview
        GET /games/{game_id}/events
        GET /games/{game_id}/stream
        GET /games/{game_id}/export
        GET /games/{game_id}/proof
        GET /games/{game_id}/share-link
        GET /invitations
        GET /leaderboards/{ruleset}/{metric}
        GET /matchmaking/{ticket_id}
        GET /phrases
        GET /players/me
        GET /players/me/games/stream
        GET /players/{player_id}
        GET /players/{player_id}/games
        GET /players/{player_id}/ratings/{ruleset}
        GET /players/{player_id}/stats
        POST /stream-tickets
        WS /ws/v1/games/{game_id}
        WS /ws/v1/lobby
        WS /ws/v1/me
    """,
    PLAY: """
        POST /games
        POST /games/join
        POST /games/{game_id}/actions
        POST /games/{game_id}/bots
        POST /games/{game_id}/invitations
        POST /games/{game_id}/join
        POST /games/{game_id}/leave
        POST /games/{game_id}/phrases
        POST /games/{game_id}/rematch
        POST /games/{game_id}/seed
        DELETE /games/{game_id}/seats/{seat}
        POST /games/{game_id}/start
        POST /invitations/{invitation_id}/accept
        POST /invitations/{invitation_id}/decline
        POST /matchmaking
        DELETE /matchmaking/{ticket_id}
    """,
    ACCOUNT: """
        PATCH /players/me
        GET /players/me/export
        GET /players/me/blocks
        PUT /players/me/blocks/{player_id}
        DELETE /players/me/blocks/{player_id}
        GET /players/me/mutes
        PUT /players/me/mutes/{player_id}
        DELETE /players/me/mutes/{player_id}
        GET /players/me/bots
        GET /players/me/tokens
        DELETE /players/me/tokens/{token_id}
        POST /players/{player_id}/reports
        GET /sessions
        DELETE /sessions/current
        GET /webhooks
        POST /webhooks
        GET /webhooks/{webhook_id}
        PATCH /webhooks/{webhook_id}
        DELETE /webhooks/{webhook_id}
        GET /webhooks/{webhook_id}/deliveries
        POST /webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver
        POST /webhooks/{webhook_id}/secret
    """,
    SESSION: """
        POST /players
        DELETE /players/me
        POST /players/me/bots
        DELETE /players/me/bots/{player_id}
        POST /players/me/confirmation
        POST /players/me/password
        POST /players/me/tokens
        DELETE /sessions
        DELETE /sessions/{session_id}
    """,
}
NEEDED: Mapping[str, str] = {
    operation.strip(): scope for scope, lines in BY_SCOPE.items() for operation in lines.strip().splitlines()
}


def check(held: Iterable[str] | None, operation: str) -> None:
    """Refuse a token without the scope of the operation; the token of a signed-in device has no scopes and may do all.

    An operation that is not in the table is refused to tokens.

    >>> check(None, "DELETE /players/me"), check(["play"], "GET /games")
    (None, None)
    """
    if held is None or operation == NO_OPERATION:
        return
    needed = NEEDED.get(operation, SESSION)
    if not any(needed in GRANTED[scope] for scope in held):
        raise RequestRefused("not_allowed", scope=needed)
