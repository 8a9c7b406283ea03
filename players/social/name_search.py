"""Searches players by their names, without accents, case and alphabet (decision 31)."""

from functools import cache

from django.db import connection
from django.db.models import F, Func, QuerySet

from players.accounts.models import Player

TRIGRAM_LENGTH = 3  # shorter texts have no trigram that an index could find
PARTS_INDEX = "players_player_name_parts"


def search(term: str) -> QuerySet[Player]:
    """The players whose name contains the term; without an index for that, those whose name starts with it."""
    folded = searchable(term)
    match = "contains" if len(folded) >= TRIGRAM_LENGTH and finds_parts() else "startswith"
    names = Func(F("name"), function="players_searchable")
    return Player.objects.alias(folded_name=names).filter(**{f"folded_name__{match}": folded})


def searchable(term: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT players_searchable(%s)", [term])
        return str(cursor.fetchone()[0])


@cache
def finds_parts() -> bool:
    """Whether the server has pg_trgm, so that `migrate` could build the index of parts of names."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s) IS NOT NULL", [PARTS_INDEX])
        return bool(cursor.fetchone()[0])
