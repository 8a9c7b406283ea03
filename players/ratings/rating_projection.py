"""The projection of ratings: every change with its inputs, in one order (end of the game, then its id).

Ratings depend on the order of games, but games do not arrive in it. So when a game arrives late or is voided, all later
games of its ruleset are examined: a change whose inputs are the same is kept, any other is computed again. The same
games always give the same ratings.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import NamedTuple
from uuid import UUID

from django.db import connection

from players import extensions
from players.ratings.game_results import ALL_SHEETS, VOIDED, Effects, FinishedGame, ShownRatingChange, StaleStanding
from players.ratings.models import PlayedGame, RatingChange
from players.ratings.skill import INITIAL_SKILL, MODEL, Skill, rate

CHUNK = 2000  # games that are replayed in one query
LATEST = """
    SELECT known.player, change.mu, change.sigma, change.games
      FROM unnest(%s::uuid[]) AS known (player)
           CROSS JOIN LATERAL (
               SELECT mu, sigma, games FROM players_ratingchange AS change
                WHERE change.player = known.player AND ruleset = %s AND (ended_at, game) < (%s, %s)
                ORDER BY ended_at DESC, game DESC LIMIT 1) AS change
"""
NEXT_GAMES = """
    SELECT DISTINCT ended_at, game FROM players_played
     WHERE ruleset = %s AND counts AND (ended_at, game) >= (%s, %s)
     ORDER BY ended_at, game LIMIT %s
"""
SHOWN_FIELDS = ("player", "ruleset", "game", "mu_before", "sigma_before", "mu", "sigma", "games")
RECENT = f"""
    SELECT {", ".join(SHOWN_FIELDS)} FROM players_ratingchange
     WHERE player = ANY (%s) AND ruleset = ANY (%s) AND ended_at > %s
"""  # noqa: S608  (constant names)


class GameOrderKey(NamedTuple):
    """A game's position in the order of ratings."""

    ended_at: datetime
    game: UUID


LAST = GameOrderKey(datetime(9999, 12, 30, tzinfo=UTC), UUID(int=2**128 - 1))


def current(players: Iterable[UUID], ruleset: str) -> dict[UUID, Skill]:
    """The players' present skills; a player without rated games has the initial skill."""
    wanted = list(players)
    return dict.fromkeys(wanted, INITIAL_SKILL) | _latest(wanted, ruleset, LAST)


def recent(players: Collection[UUID], since: datetime) -> list[ShownRatingChange]:
    """How games that ended after `since` changed the ratings of these players."""
    with connection.cursor() as cursor:
        cursor.execute(RECENT, [list(players), list(extensions.current().rulesets), since])
        rows = cursor.fetchall()
    return [_shown(RatingChange(**dict(zip(SHOWN_FIELDS, row, strict=True)))) for row in rows]


def of_game(game: UUID) -> list[ShownRatingChange]:
    """How a game changed the ratings of its players."""
    return [_shown(change) for change in RatingChange.objects.filter(game=game).order_by("player")]


def project(news: Sequence[FinishedGame], effects: Effects) -> None:
    """Add these results, or remove voided ones; the table of games played already contains them."""
    _remove([result for result in news if result.status == VOIDED], effects)
    new_games = {result.game for result in news}
    for ruleset in sorted({result.ruleset for result in news if result.counts}):
        since = min(GameOrderKey(r.ended_at, r.game) for r in news if r.counts and r.ruleset == ruleset)
        _replay(ruleset, since, new_games, effects)


def _remove(voided: list[FinishedGame], effects: Effects) -> None:
    RatingChange.objects.filter(game__in=[result.game for result in voided]).delete()
    effects.add_stale(voided)


def _replay(ruleset: str, since: GameOrderKey, new_games: set[UUID], effects: Effects) -> None:
    """Replay all games from a position on; earlier ratings are read from the database."""
    skills: dict[UUID, Skill] = {}
    for games in _games(ruleset, since):
        unread = {place.player for places in games for place in places} - skills.keys()
        skills |= dict.fromkeys(unread, INITIAL_SKILL) | _latest(list(unread), ruleset, since)
        changes = list(_changes(games, skills))
        _store(changes)
        for change in changes:
            effects.stale.add(StaleStanding(ruleset, ALL_SHEETS, change.player, change.ended_at.astimezone(UTC).date()))
            if change.game in new_games:
                effects.rating_changes.append(_shown(change))


def _changes(games: list[list[PlayedGame]], skills: dict[UUID, Skill]) -> Iterator[RatingChange]:
    """The changes that have to be stored; `skills` is updated from game to game."""
    stored = {
        (change.game, change.player): change
        for change in RatingChange.objects.filter(game__in=[places[0].game for places in games])
    }
    for places in games:
        before = [skills[place.player] for place in places]
        known = [stored.get((place.game, place.player)) for place in places]
        if all(_is_unchanged(*each) for each in zip(known, places, before, strict=True)):
            skills |= {change.player: after(change) for change in known if change}
            continue
        for place, was, now in zip(places, before, rate(before, [place.rank for place in places]), strict=True):
            skills[place.player] = now
            yield RatingChange(
                game=place.game,
                player=place.player,
                ruleset=place.ruleset,
                ended_at=place.ended_at,
                rank=place.rank,
                mu_before=was.mu,
                sigma_before=was.sigma,
                mu=now.mu,
                sigma=now.sigma,
                games=now.games,
                shown=now.shown,
                model=MODEL,
            )


def _is_unchanged(change: RatingChange | None, place: PlayedGame, before: Skill) -> bool:
    if change is None:
        return False
    inputs = (change.rank, change.mu_before, change.sigma_before, change.games - 1, change.model)
    return inputs == (place.rank, *before, MODEL)


def before(change: RatingChange) -> Skill:
    return Skill(change.mu_before, change.sigma_before, change.games - 1)


def after(change: RatingChange) -> Skill:
    return Skill(change.mu, change.sigma, change.games)


def _shown(change: RatingChange) -> ShownRatingChange:
    skill = after(change)
    return ShownRatingChange(
        change.player, change.ruleset, change.game, before(change).shown, skill.shown, skill.is_provisional
    )


def _store(changes: list[RatingChange]) -> None:
    RatingChange.objects.filter(game__in={change.game for change in changes}).delete()
    RatingChange.objects.bulk_create(changes)


def _games(ruleset: str, since: GameOrderKey) -> Iterator[list[list[PlayedGame]]]:
    """The places of every game that counts, from a position on, in order; within a game by rank, then seat."""
    while True:
        with connection.cursor() as cursor:
            cursor.execute(NEXT_GAMES, [ruleset, *since, CHUNK + 1])
            keys = [GameOrderKey(*row) for row in cursor.fetchall()]
        games = [key.game for key in keys[:CHUNK]]
        rows = PlayedGame.objects.filter(game__in=games, counts=True).order_by("ended_at", "game", "rank", "seat")
        if games:
            yield [list(places) for _, places in groupby(rows, lambda place: place.game)]
        if len(keys) <= CHUNK:
            return
        since = keys[CHUNK]


def _latest(players: list[UUID], ruleset: str, bound: GameOrderKey) -> dict[UUID, Skill]:
    with connection.cursor() as cursor:
        cursor.execute(LATEST, [players, ruleset, *bound])
        return {player: Skill(mu, sigma, games) for player, mu, sigma, games in cursor.fetchall()}
