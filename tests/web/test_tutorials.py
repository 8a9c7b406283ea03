"""The tutorials: what the rules make of the scripted moves, with a text for every step; tips of the coach."""

import pytest

from tests.web.modules import results
from tests.web.test_texts import LANGUAGES, catalogue
from tests.web.tutorial_scripts import FILE, LESSONS, text

ROLLING = {"phase": "roll", "active": 0, "waiting_for": [0]}
CHOOSING = {"phase": "white", "active": 1, "waiting_for": [0, 1]}


def test_every_step_is_what_the_rules_make_of_the_moves_before() -> None:
    assert FILE.read_text() == text()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_and_the_end_of_a_lesson_have_a_text(language: str) -> None:
    texts = catalogue(language)
    wanted = {
        f"learn.{key}.{place}" for key, (_, steps) in LESSONS.items() for place in [*range(1, len(steps) + 1), "end"]
    }
    assert wanted - set(texts) == set()
    assert {name for name in texts if name.count(".") == 2 and name.startswith("learn.")} == wanted


def test_tips_come_at_their_moment_until_they_are_dismissed() -> None:
    def view(turn: object, **more: object) -> dict[str, object]:
        sheets = [{"seat": 0, "rows": {"red": [2, 3, 4]}}]
        return {"ruleset": "qwixx", "you": 0, "turn": turn, "sheets": sheets, "your_answer": None, **more}

    answered = view(CHOOSING, your_answer={"type": "pass"})
    rolling, choosing, answered_now, watching = results(
        "coach.js",
        ("momentsOf", view(ROLLING)),
        ("momentsOf", view(CHOOSING)),
        ("momentsOf", answered),
        ("momentsOf", view(CHOOSING, you=None)),
    )
    assert rolling == ["qwixx.roll.active", "qwixx.row"]
    assert choosing == ["qwixx.white.other", "qwixx.row"]
    assert answered_now == watching == []
