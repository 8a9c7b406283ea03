"""Quick phrases: every phrase that a player can send has a text."""

from typing import get_args

from games.api.request_bodies import Say
from games.live import phrases


def test_every_phrase_that_can_be_sent_has_a_text_and_no_other_exists() -> None:
    assert tuple(phrases.phrases("en")) == get_args(Say.__annotations__["key"])


def test_unknown_language_falls_back_to_english() -> None:
    assert phrases.phrases("fr") == phrases.phrases("en")
