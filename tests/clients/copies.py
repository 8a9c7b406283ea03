"""A copy of a game that is made of updates alone, the actions that were acknowledged, and what must be true of both."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

from qwixx_client import Client, ProblemError, Update, is_waiting
from qwixx_client.models import Action, Event, Events


class Copy:
    def __init__(self) -> None:
        self.events: list[Event] = []
        self.stored: list[Action] = []
        self.losses = 0

    def take(self, update: Update) -> None:
        self.events += update.events
        assert len(self.events) == update.version == update.game["version"]

    @contextmanager
    def acting(self, action: Action) -> Iterator[None]:
        """An action that came too late is not stored."""
        try:
            yield
            self.stored.append(action)
        except ProblemError as refused:
            if not refused.is_outdated:
                raise


def play_in_thread(client: Client, game_id: str, copy: Copy) -> None:
    """To the end, with the synchronous client."""
    with client, client.stream(game_id, after=0) as stream:
        for update in stream:
            copy.take(update)
            if is_waiting(update.game):
                action = random.choice(update.game["options"])
                with copy.acting(action):
                    stream.act(action)
        copy.losses = stream.losses


def is_whole(copy: Copy, log: Events) -> None:
    assert log["version"] == len(log["results"])
    assert [event["hash"] for event in copy.events] == [event["hash"] for event in log["results"]]


def is_stored_once(copy: Copy, seat: int | None) -> None:
    """The log has as many rolls and sealed answers of this seat as it was told."""
    rolls = [event for event in copy.events if event["type"] == "dice_rolled" and event["data"]["seat"] == seat]
    assert len(rolls) == len([action for action in copy.stored if action["type"] in ("roll", "reroll")])
    closed = [event["data"]["answers"] or [] for event in copy.events if event["type"] == "phase_closed"]
    answers = [answer for answers in closed for answer in answers if answer["seat"] == seat]
    assert len(answers) == len([action for action in copy.stored if action.get("phase") in ("white", "write")])
