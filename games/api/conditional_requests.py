"""ETags of games, and the conditional requests that use them."""

from games.engine.engine import CommandResult
from games.game.aggregate import GameState


def expected_version(if_match: str | None) -> int | None:
    """The version that `If-Match` names, or None for any; a tag that is not a version of ours matches no version.

    >>> expected_version('"42"'), expected_version("*"), expected_version("rubbish")
    (42, None, -1)
    """
    if if_match is None or if_match.strip() == "*":
        return None
    tag = if_match.strip().strip('"')
    return int(tag) if tag.isascii() and tag.isdigit() and len(tag) < 12 else -1


def is_not_modified(if_none_match: str | None, etag: str) -> bool:
    """Whether the client has this version already, by weak comparison (RFC 9110, 13.1.2).

    >>> is_not_modified('W/"41", "42"', '"42"'), is_not_modified(None, '"42"')
    (True, False)
    """
    if if_none_match is None:
        return False
    tags = {tag.strip().removeprefix("W/") for tag in if_none_match.split(",")}
    return etag in tags or "*" in tags


def game_headers(game: GameState) -> dict[str, str]:
    """The tag of a game is its version; it does not cover the names of its players."""
    return {"ETag": f'"{game.version}"', "Cache-Control": "private, no-cache"}


def command_headers(done: CommandResult) -> dict[str, str]:
    return {**game_headers(done.game), **replay_headers(is_replay=done.is_replay)}


def replay_headers(*, is_replay: bool) -> dict[str, str]:
    return {"Idempotent-Replayed": "true"} if is_replay else {}
