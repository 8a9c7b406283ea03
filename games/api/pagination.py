"""Cursor pagination of games, newest first."""

from typing import Any
from uuid import UUID

from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request

from games.rules.refused import Refused

LARGEST = 100


class Pages(CursorPagination):
    ordering = "-id"  # ids sort by the time they were made
    page_size = 20
    max_page_size = LARGEST

    def get_page_size(self, request: Request) -> int:
        given = request.query_params.get("limit")
        if given is None:
            return self.page_size
        if not given.isascii() or not given.isdigit() or len(given) > 3 or not 1 <= int(given) <= LARGEST:
            raise Refused("malformed", errors=[("?limit", f"a whole number from 1 to {LARGEST}")])
        return int(given)

    def decode_cursor(self, request: Request) -> Any:
        """An invented cursor is refused before it reaches the database."""
        try:
            cursor = super().decode_cursor(request)
            if cursor is not None and cursor.position is not None:
                UUID(str(cursor.position))
        except (NotFound, ValueError):
            raise Refused("malformed", errors=[("?cursor", "a cursor of this list")]) from None
        return cursor


class PagesOfSeats(Pages):
    """Pages of one player's seats, the newest game first."""

    ordering = "-game_id"
