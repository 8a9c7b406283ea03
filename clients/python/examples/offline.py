"""Keeps a copy of a game in a file and plays it to its end, however often it is stopped and started again.

`QWIXX_TOKEN=… QWIXX_GAME=… python examples/offline.py FILE`. QWIXX_URL is where the service is.
"""

import json
import os
import sys
from pathlib import Path
from typing import TypedDict

from qwixx_client import Client, GameStream, ProblemError, is_waiting, random_key
from qwixx_client.models import Action, Event


class Copy(TypedDict):
    events: list[Event]
    pending: tuple[str, Action] | None  # a key and what was sent under it, until it is answered


def load(file: Path) -> Copy:
    copy: Copy = json.loads(file.read_text()) if file.exists() else {"events": [], "pending": None}
    return copy


def save(file: Path, copy: Copy) -> None:
    """A file that is written beside and renamed is never half a file."""
    file.with_suffix(".new").write_text(json.dumps(copy))
    file.with_suffix(".new").rename(file)


def send(stream: GameStream, file: Path, copy: Copy, pending: tuple[str, Action]) -> None:
    """The key is saved before the action is sent: sent again after a restart, the action counts once."""
    copy["pending"] = pending
    save(file, copy)
    try:
        stream.act(pending[1], pending[0])
    except ProblemError as refused:
        if not refused.is_outdated:
            raise
    copy["pending"] = None


def main(file: Path) -> None:
    copy = load(file)
    client = Client(os.environ.get("QWIXX_URL", "http://127.0.0.1:8000"), os.environ["QWIXX_TOKEN"])
    with client, client.stream(os.environ["QWIXX_GAME"], after=len(copy["events"])) as stream:
        if copy["pending"]:
            send(stream, file, copy, copy["pending"])
        for update in stream:
            copy["events"] += update.events
            save(file, copy)
            print("has", update.version, flush=True)
            if is_waiting(update.game):
                send(stream, file, copy, (random_key(), update.game["options"][0]))


main(Path(*sys.argv[1:2] or ["game.json"]))
