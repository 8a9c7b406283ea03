"""A player's skill by openskill's Bradley-Terry model, and the one number that is shown; pure and deterministic."""

from collections.abc import Sequence
from typing import NamedTuple

from openskill.models import BradleyTerryPart

MODEL = "BradleyTerryPart/1"  # stored with every change; raise it when this module computes other values
PROVISIONAL_BELOW = 10
MAX_PLAYERS = 16

# The window covers all players of a game: each is compared with each, so the order of tied players does not matter.
_model = BradleyTerryPart(window_size=MAX_PLAYERS)


class Skill(NamedTuple):
    """The estimated strength (mu), its uncertainty (sigma), and the number of games it is based on."""

    mu: float = _model.mu
    sigma: float = _model.sigma
    games: int = 0

    @property
    def shown(self) -> int:
        """A lower bound of the strength: 1000 for a new player, 40 points for each unit of mu - 3 sigma.

        >>> Skill().shown, Skill(25.0, 1.5, 100).shown
        (1000, 1820)
        """
        return round(1000 + 40 * (self.mu - 3 * self.sigma))

    @property
    def is_provisional(self) -> bool:
        return self.games < PROVISIONAL_BELOW


INITIAL_SKILL = Skill()


def rate(before: Sequence[Skill], ranks: Sequence[int]) -> list[Skill]:
    """The skills of all players after a game, in the given order; equal ranks are a tie.

    >>> winner, loser = rate([INITIAL_SKILL, INITIAL_SKILL], [1, 2])
    >>> winner.mu > 25 > loser.mu, winner.games
    (True, 1)
    """
    teams = [[_model.rating(mu=skill.mu, sigma=skill.sigma)] for skill in before]
    after = _model.rate(teams, ranks=[float(rank) for rank in ranks])
    return [Skill(team[0].mu, team[0].sigma, skill.games + 1) for team, skill in zip(after, before, strict=True)]
