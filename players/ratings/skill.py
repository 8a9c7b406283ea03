"""How good somebody is, as far as games tell: openskill's Bradley-Terry model, and the one number that is shown.

Pure: the same places and ratings always give the same ratings, to the last bit.
"""

from collections.abc import Sequence
from typing import NamedTuple

from openskill.models import BradleyTerryPart

MODEL = "BradleyTerryPart/1"  # kept with every change; raised when anything here changes what comes out
PROVISIONAL_BELOW = 10
LARGEST_TABLE = 16

# Everybody is compared with everybody at the table, so that the order of those who share a rank cannot matter.
_model = BradleyTerryPart(window_size=LARGEST_TABLE)


class Skill(NamedTuple):
    """What is believed of a player: his strength, how unsure that is, and from how many games."""

    mu: float = _model.mu
    sigma: float = _model.sigma
    games: int = 0

    @property
    def shown(self) -> int:
        """What the player has at least shown: 1000 for a newcomer, 40 points for each step of mu less three sigma.

        >>> Skill().shown, Skill(25.0, 1.5, 100).shown
        (1000, 1820)
        """
        return round(1000 + 40 * (self.mu - 3 * self.sigma))

    @property
    def is_provisional(self) -> bool:
        return self.games < PROVISIONAL_BELOW


NEWCOMER = Skill()


def rated(before: Sequence[Skill], ranks: Sequence[int]) -> list[Skill]:
    """Everybody after a game, in the order given; equal ranks are a tie.

    >>> winner, loser = rated([NEWCOMER, NEWCOMER], [1, 2])
    >>> winner.mu > 25 > loser.mu, winner.games
    (True, 1)
    """
    teams = [[_model.rating(mu=skill.mu, sigma=skill.sigma)] for skill in before]
    after = _model.rate(teams, ranks=[float(rank) for rank in ranks])
    return [Skill(team[0].mu, team[0].sigma, skill.games + 1) for team, skill in zip(after, before, strict=True)]
