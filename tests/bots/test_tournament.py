"""The tournament command: alternating seats, divided ties, fixed seeds, invalid arguments."""

import pytest
from django.core.management import CommandError, call_command

from games.management.bot_tournament import BotScore, play
from games.rules.registry import RULESETS


def _results(seed: int) -> list[tuple[list[float], list[int]]]:
    return [(bot.wins, bot.points) for bot in play(RULESETS["qwixx"], "classic", ["easy", "random"], 4, seed)]


def test_the_same_seed_plays_the_same_games() -> None:
    assert _results(1) == _results(1)
    assert _results(1) != _results(2)


def test_wins_of_a_game_add_up_to_one() -> None:
    standings = play(RULESETS["qwinto"], "classic", ["random"] * 3, 8, seed=1)
    for wins in zip(*(standing.wins for standing in standings), strict=True):
        assert sum(wins) == pytest.approx(1)


def test_win_shares_have_a_confidence_interval() -> None:
    share, margin = BotScore("easy", [1.0, 0.0, 1.0, 0.0], [1, 2, 3, 4], []).share
    assert share == 0.5
    assert margin == pytest.approx(1.96 * (1 / 3) ** 0.5 / 2)


def test_decision_times_are_reported_as_percentile_and_mean() -> None:
    standing = BotScore("easy", [1.0], [1], [thousandth / 1000 for thousandth in range(1, 101)])
    assert standing.milliseconds(0.99) == pytest.approx(100)
    assert standing.mean_milliseconds == pytest.approx(50.5)


def test_the_command_shows_every_bot(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("tournament", ruleset="qwinto", bots="medium,easy,random", games=3)
    shown = capsys.readouterr().out
    assert "3 games of qwinto" in shown
    assert all(bot in shown for bot in ("medium", "easy", "random"))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"bots": "expert,master"}, "No bot is called 'master'"),
        ({"bots": "expert"}, "2 to 5 players"),
        ({"sheet": "no_such"}, "no sheet 'no_such'"),
        ({"games": 0}, "At least one game"),
    ],
)
def test_invalid_arguments_are_refused_with_a_message(options: dict[str, object], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("tournament", **options)
