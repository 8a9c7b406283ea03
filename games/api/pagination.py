"""Cursor pagination of games, newest first."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request

from games.rules.refused import Refused
from players.api.pagination import number_code

LARGEST = 100
SIZES = f"a whole number from 1 to {LARGEST}"


def size_error(given: str) -> str | None:
    """The code of the error if this is no number of entries on a page.

    >>> size_error("20"), size_error("0"), size_error("all")
    (None, 'out_of_range', 'wrong_type')
    """
    is_size = given.isascii() and given.isdigit() and len(given) <= 3 and 1 <= int(given) <= LARGEST
    return None if is_size else number_code(given)


class Pages(CursorPagination):
    ordering: str | tuple[str, ...] = "-id"  # ids sort by the time they were made
    page_size = 20
    max_page_size = LARGEST

    def get_page_size(self, request: Request) -> int:
        given = request.query_params.get("limit", str(self.page_size))
        if code := size_error(given):
            raise Refused("malformed", errors=[("?limit", code, SIZES)])
        return int(given)

    def decode_cursor(self, request: Request) -> Any:
        """An invented cursor is refused before it reaches the database."""
        try:
            cursor = super().decode_cursor(request)
            if cursor is not None and cursor.position is not None:
                self.check_position(str(cursor.position))
        except (NotFound, ValueError):
            raise Refused("malformed", errors=[("?cursor", "wrong_format", "a cursor of this list")]) from None
        return cursor

    def check_position(self, position: str) -> None:
        """Raises a ValueError for text that is no position in this list."""
        UUID(position)


class PagesOfSeats(Pages):
    """Pages of one player's seats, the newest game first."""

    ordering = "-game_id"


class PagesByEnd(Pages):
    """Pages of games, the game that ended last first."""

    ordering = ("-ended_at", "-id")

    def check_position(self, position: str) -> None:
        if datetime.fromisoformat(position).utcoffset() != timedelta(0):
            raise ValueError("a time in another zone than UTC")


class PagesOfSeatsByEnd(PagesByEnd):
    ordering = ("-ended_at", "-game_id")


# By whether the rows are seats, and whether they are sorted by end.
PAGES_OF: dict[tuple[bool, bool], type[Pages]] = {
    (False, False): Pages,
    (False, True): PagesByEnd,
    (True, False): PagesOfSeats,
    (True, True): PagesOfSeatsByEnd,
}
