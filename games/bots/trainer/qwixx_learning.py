"""Learns the Qwixx weights by seeded self-play: TD(λ) on the logit of winning, starting from `qwixx_rows`."""

from collections.abc import Callable
from math import exp
from typing import Any

from games.bots import qwixx_codes as codes
from games.bots import qwixx_weights as w
from games.bots.qwixx_rows import LAST_TURNS, TURNS, chances, programme
from games.bots.trainer.compiled import compiled, fractions, numbers
from games.bots.trainer.qwixx_selfplay import FEATURES, Dice, Side, Workspace, features, is_over, lead_of, summed, turn
from games.rules.layouts.qwixx_layouts import CLASSIC

GAMES, SEED = 2_600_000, 20_260_101
CHUNK = 20_000  # games between two changes of the step size
PIECE = 500  # games between two calls of `each`
FIRST_STEP, LAST_STEP = 0.006, 0.0003
LAMBDA = 0.8
LONGEST = 150  # turns of a game: each fills a cell or a penalty box
SLOPES = (0.05, 0.1)  # logit a point, at the beginning and at the end of a game


def train(games: int = GAMES, seed: int = SEED, each: Callable[[int], None] = lambda _games: None) -> list[float]:
    """The learned weights. `each` is called with the number of games played since its last call."""
    places, signs = numbers([0] * FEATURES * LONGEST), numbers([0] * FEATURES * LONGEST)
    workspace = Workspace(fractions(first_weights()), places, signs)
    values = fractions([0.0] * LONGEST)
    rng_state = numbers([seed % 2147483562 + 1, seed % 2147483398 + 1])
    for done in range(0, games, PIECE):
        size = FIRST_STEP * (LAST_STEP / FIRST_STEP) ** (done // CHUNK * CHUNK / games)
        learn(workspace, values, rng_state, min(PIECE, games - done), size)
        each(min(PIECE, games - done))
    return [float(weight) for weight in workspace.weights]


def first_weights() -> list[float]:
    """The values of `qwixx_rows`, as logits."""
    weights = [0.0] * w.SIZE
    rows = programme(chances(CLASSIC.rows[0]), codes.BEFORE_LAST, 12)
    for step in range(w.STEPS):
        done = step / (w.STEPS - 1)
        slope = SLOPES[0] + (SLOPES[1] - SLOPES[0]) * done
        turns = max(LAST_TURNS, round(TURNS * (1 - done)))
        for code, (end, marks, is_closed) in enumerate(codes.ROWS):
            points = codes.FACE[code] if is_closed else rows[turns][end][marks]
            weights[w.BY_STEP + step * codes.CODES + code] = slope * points
        for penalties in range(w.PENALTIES):
            weights[w.PENALTY + step * w.PENALTIES + penalties] = -7 * slope * penalties
    return weights


@compiled
def die(rng_state: Any) -> int:
    """The difference of two small generators: the same dice, compiled or not."""
    rng_state[0] = rng_state[0] * 40014 % 2147483563
    rng_state[1] = rng_state[1] * 40692 % 2147483399
    return 1 + (rng_state[0] - rng_state[1]) % 2147483562 * 6 // 2147483562  # type: ignore[no-any-return]


@compiled
def roll(rng_state: Any) -> Dice:
    return die(rng_state), die(rng_state), die(rng_state), die(rng_state), die(rng_state), die(rng_state)


@compiled
def logistic(logit: float) -> float:
    return 1.0 / (1.0 + exp(-logit))


@compiled
def play(workspace: Workspace, values: Any, rng_state: Any) -> tuple[int, float]:
    """Plays a game; stores seat 0's probability after each turn in `values`, returns their number and the result."""
    mine, theirs = Side((0, 0, 0, 0), 0), Side((0, 0, 0, 0), 0)
    is_mine = die(rng_state) <= 3
    count = 0
    while not is_over(mine, theirs):
        start = FEATURES * count
        here = Workspace(
            workspace.weights, workspace.places[start:], workspace.signs[start:]
        )  # features of earlier positions stay
        if is_mine:
            mine, theirs = turn(here, mine, theirs, roll(rng_state))
        else:
            theirs, mine = turn(here, theirs, mine, roll(rng_state))
        is_mine = not is_mine
        if not is_over(mine, theirs):
            features(workspace, start, mine, theirs, 1 if is_mine else -1)
            values[count] = logistic(summed(workspace, start))
            count += 1
    lead = lead_of(mine, theirs)
    return count, 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5


@compiled
def learn(workspace: Workspace, values: Any, rng_state: Any, games: int, size: float) -> None:
    """Plays games and moves the weights of each position towards the result, from the end of each game backwards."""
    for _ in range(games):
        count, target = play(workspace, values, rng_state)
        for position in range(count - 1, -1, -1):
            step = size * (target - values[position])
            for at in range(FEATURES * position, FEATURES * (position + 1)):
                workspace.weights[workspace.places[at]] += step * workspace.signs[at]
            target = (1 - LAMBDA) * values[position] + LAMBDA * target
