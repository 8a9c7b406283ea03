"""How long players took for their answers in games that ended lately."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db import connection

from games.game.event_types import FACTS

OPENING_TYPES = [name for name, kind in FACTS.items() if kind.opens_phase]
ANSWER = "answer_sealed"
MAX_GAMES = 20_000  # the newest ones
MIN_ANSWERS = 100
MAX_VARIATION = 0.15  # the standard deviation as a part of the mean; of people it is half of the mean and more

REGULAR = """
WITH recent AS MATERIALIZED (
    SELECT id FROM games_game WHERE status IN ('finished', 'voided') AND ended_at >= %(since)s
     ORDER BY ended_at DESC, id DESC LIMIT %(most)s
), timed AS (
    SELECT event.game_id, event.type, coalesce(event.data, event.body::jsonb) AS data,
           extract(epoch FROM event.at - max(event.at) FILTER (WHERE event.type = ANY (%(opening)s))
                                             OVER (PARTITION BY event.game_id ORDER BY event.version)) AS took
      FROM recent JOIN games_event AS event ON event.game_id = recent.id
     WHERE event.type = ANY (%(opening)s) OR event.type = %(answer)s
)
SELECT seat.player, count(*), avg(timed.took)::float, stddev_samp(timed.took)::float
  FROM timed JOIN games_seat AS seat ON seat.game_id = timed.game_id AND seat.seat = (timed.data ->> 'seat')::int
 WHERE timed.type = %(answer)s AND timed.took IS NOT NULL AND seat.player IS NOT NULL
 GROUP BY seat.player HAVING count(*) >= %(least)s AND stddev_samp(timed.took) <= %(variation)s * avg(timed.took)
"""


class AnswerTimes(NamedTuple):
    """The answers of one player, in seconds since the phase opened."""

    player: UUID
    answers: int
    mean_s: float
    deviation_s: float


def regular(since: datetime) -> list[AnswerTimes]:
    """Players whose answers took nearly the same time each, in games that ended since then."""
    limits = {"most": MAX_GAMES, "least": MIN_ANSWERS, "variation": MAX_VARIATION}
    with connection.cursor() as cursor:
        cursor.execute(REGULAR, {"since": since, "opening": OPENING_TYPES, "answer": ANSWER, **limits})
        return [AnswerTimes(*row) for row in cursor.fetchall()]
