"""The ranking: points, shared ranks, and seats that left or are away."""

from games.game.aggregate import AWAY, PRESENT, RESIGNED, GameState
from games.game.decisions.draft import ranking
from games.rules.actions import Pass, Roll
from tests.builders import loaded, started


def _ended(points: list[int], states: list[str]) -> GameState:
    """A game whose seats have that many yellow marks (worth 1, 3, 6, …) and are there, away or gone."""
    game = started(seats=len(points)).game
    marks = {0: 0, 1: 0b1, 3: 0b11, 6: 0b111, 10: 0b1111}
    sheets = tuple(game.position.seat_sheets[0]._replace(marks=(0, marks[total], 0, 0)) for total in points)
    participants = tuple(
        participant._replace(state=state) for participant, state in zip(game.participants, states, strict=True)
    )
    return game._replace(position=game.position._replace(seat_sheets=sheets), participants=participants)


def _ranks(points: list[int], states: list[str] | None = None) -> list[tuple[int, int, int]]:
    game = _ended(points, states or [PRESENT] * len(points))
    return [(entry["rank"], entry["seat"], entry["points"]) for entry in ranking(game)]


def test_the_highest_total_wins() -> None:
    assert _ranks([3, 10, 6]) == [(1, 1, 10), (2, 2, 6), (3, 0, 3)]


def test_equal_totals_share_a_rank_and_the_next_rank_is_skipped() -> None:
    assert _ranks([6, 10, 6, 1]) == [(1, 1, 10), (2, 0, 6), (2, 2, 6), (4, 3, 1)]


def test_a_tie_at_the_top_has_two_winners() -> None:
    assert _ranks([6, 6]) == [(1, 0, 6), (1, 1, 6)]


def test_a_resigned_seat_ranks_below_every_present_seat() -> None:
    assert _ranks([10, 1, 3], [RESIGNED, PRESENT, PRESENT]) == [(1, 2, 3), (2, 1, 1), (3, 0, 10)]


def test_an_away_seat_ranks_below_every_present_seat() -> None:
    assert _ranks([10, 1], [AWAY, PRESENT]) == [(1, 1, 1), (2, 0, 10)]


def test_away_and_resigned_seats_rank_among_themselves_by_points() -> None:
    states = [AWAY, RESIGNED, PRESENT, AWAY]
    assert _ranks([6, 10, 1, 6], states) == [(1, 2, 1), (2, 1, 10), (3, 0, 6), (3, 3, 6)]


def test_an_absent_seat_does_not_share_a_rank_with_a_present_seat() -> None:
    assert _ranks([6, 6], [RESIGNED, PRESENT]) == [(1, 1, 6), (2, 0, 6)]


def test_game_ended_holds_the_final_ranking() -> None:
    driver = started(seats=2, dice_source=loaded())
    while not driver.game.is_over:
        driver.act(driver.game.waiting_for()[0], Roll() if driver.phase == "roll" else Pass())
    ended = driver.log[-1].data
    assert (ended["reason"], ended["server_seed"]) == ("four_penalties", driver.secret.hex())
    assert ended["ranking"] == [{"seat": 1, "rank": 1, "points": -15}, {"seat": 0, "rank": 2, "points": -20}]
    assert driver.game.result is not None
    assert list(driver.game.result.ranking) == ended["ranking"]
