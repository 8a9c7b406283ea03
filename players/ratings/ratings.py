"""Ratings as a projection: every change with its inputs, in the one order (end of the game, then its id).

Ratings depend on order, and games do not arrive in it. So a game that arrives late, or is voided, is followed by all
later ones of its ruleset: a change whose inputs are still the same is kept, any other is worked out again. Hence the
same games give the same ratings, in whatever order they came.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import NamedTuple
from uuid import UUID

from django.db import connection

from players.models import Played, RatingChange
from players.ratings.results import RULESETS, VOIDED, Effects, Moved, Result, Touched
from players.ratings.skill import MODEL, NEWCOMER, Skill, rated

CHUNK = 2000  # games that are replayed at a time
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
FOR_SHOW = ("player", "ruleset", "game", "mu_before", "sigma_before", "mu", "sigma", "games")
RECENT = f"""
    SELECT {", ".join(FOR_SHOW)} FROM players_ratingchange
     WHERE player = ANY (%s) AND ruleset = ANY (%s) AND ended_at > %s
"""  # noqa: S608  (names of our own)


class Key(NamedTuple):
    """A game's place in the order."""

    ended_at: datetime
    game: UUID


FIRST = Key(datetime(1, 1, 2, tzinfo=UTC), UUID(int=0))
LAST = Key(datetime(9999, 12, 30, tzinfo=UTC), UUID(int=2**128 - 1))


def current(players: Iterable[UUID], ruleset: str) -> dict[UUID, Skill]:
    """How good they are now; who has played no rated game is a newcomer."""
    wanted = list(players)
    return dict.fromkeys(wanted, NEWCOMER) | _latest(wanted, ruleset, LAST)


def recent(players: Collection[UUID], since: datetime) -> list[Moved]:
    """What games that ended since then did to the ratings of these players."""
    with connection.cursor() as cursor:
        cursor.execute(RECENT, [list(players), RULESETS, since])
        rows = cursor.fetchall()
    return [_moved(RatingChange(**dict(zip(FOR_SHOW, row, strict=True)))) for row in rows]


def project(news: Sequence[Result], effects: Effects) -> None:
    """Takes these results in, or out; what counts of them is already in the table of games played."""
    _take_out([result for result in news if result.status == VOIDED], effects)
    fresh = {result.game for result in news}
    for ruleset in sorted({result.ruleset for result in news if result.counts}):
        since = min(Key(r.ended_at, r.game) for r in news if r.counts and r.ruleset == ruleset)
        _replay(ruleset, since, fresh, effects)


def _take_out(voided: list[Result], effects: Effects) -> None:
    RatingChange.objects.filter(game__in=[result.game for result in voided]).delete()
    for result in voided:
        effects.touched |= {Touched(result.ruleset, p.player, result.day) for p in result.places if p.player}


def _replay(ruleset: str, since: Key, fresh: set[UUID], effects: Effects) -> None:
    """Goes through all games from there on; ratings before it are as they are stored."""
    skills: dict[UUID, Skill] = {}
    for games in _games(ruleset, since):
        strangers = {place.player for places in games for place in places} - skills.keys()
        skills |= dict.fromkeys(strangers, NEWCOMER) | _latest(list(strangers), ruleset, since)
        changes = list(_changes(games, skills))
        _store(changes)
        for change in changes:
            effects.touched.add(Touched(ruleset, change.player, change.ended_at.astimezone(UTC).date()))
            if change.game in fresh:
                effects.moved.append(_moved(change))


def _changes(games: list[list[Played]], skills: dict[UUID, Skill]) -> Iterator[RatingChange]:
    """What has to be stored anew; `skills` go along from game to game."""
    stored = {
        (change.game, change.player): change
        for change in RatingChange.objects.filter(game__in=[places[0].game for places in games])
    }
    for places in games:
        before = [skills[place.player] for place in places]
        known = [stored.get((place.game, place.player)) for place in places]
        if all(_still_holds(*each) for each in zip(known, places, before, strict=True)):
            skills |= {change.player: after(change) for change in known if change}
            continue
        for place, was, now in zip(places, before, rated(before, [place.rank for place in places]), strict=True):
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


def _still_holds(change: RatingChange | None, place: Played, before: Skill) -> bool:
    if change is None:
        return False
    inputs = (change.rank, change.mu_before, change.sigma_before, change.games - 1, change.model)
    return inputs == (place.rank, *before, MODEL)


def before(change: RatingChange) -> Skill:
    return Skill(change.mu_before, change.sigma_before, change.games - 1)


def after(change: RatingChange) -> Skill:
    return Skill(change.mu, change.sigma, change.games)


def _moved(change: RatingChange) -> Moved:
    skill = after(change)
    return Moved(change.player, change.ruleset, change.game, before(change).shown, skill.shown, skill.is_provisional)


def _store(changes: list[RatingChange]) -> None:
    RatingChange.objects.filter(game__in={change.game for change in changes}).delete()
    RatingChange.objects.bulk_create(changes)


def _games(ruleset: str, since: Key) -> Iterator[list[list[Played]]]:
    """The places of every game that counts, from there on, in order; within a game by rank, then seat."""
    while True:
        with connection.cursor() as cursor:
            cursor.execute(NEXT_GAMES, [ruleset, *since, CHUNK + 1])
            keys = [Key(*row) for row in cursor.fetchall()]
        games = [key.game for key in keys[:CHUNK]]
        rows = Played.objects.filter(game__in=games, counts=True).order_by("ended_at", "game", "rank", "seat")
        if games:
            yield [list(places) for _, places in groupby(rows, lambda place: place.game)]
        if len(keys) <= CHUNK:
            return
        since = keys[CHUNK]


def _latest(players: list[UUID], ruleset: str, bound: Key) -> dict[UUID, Skill]:
    with connection.cursor() as cursor:
        cursor.execute(LATEST, [players, ruleset, *bound])
        return {player: Skill(mu, sigma, games) for player, mu, sigma, games in cursor.fetchall()}
