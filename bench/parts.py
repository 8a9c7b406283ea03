"""The parts of the bench; `python -m bench.parts MODULE` measures one of them and writes its lines as JSON.

A part is a module with a function `measure` that returns or yields lines. Each part runs in its own process, so that a
part that fails, hangs or crashes takes nothing from the others.
"""

import faulthandler
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Generator
from importlib import import_module
from typing import NamedTuple

import django
import msgspec

from bench.report import Line
from qwixx_service.embedded.run_as import ends_with_parent

LONGEST_PART_S = 1200


class Part(NamedTuple):
    module: str
    measures: str


PARTS = {
    "rules": Part("bench.engine.rules", "random games by the pure rules, folding of events"),
    "appends": Part("bench.engine.appends", "the append beside a raw INSERT"),
    "commands": Part("bench.engine.commands", "commands through the engine beside raw INSERTs"),
    "round_trips": Part("bench.network.round_trips", "SQL round trips of a warm action"),
    "http": Part("bench.network.http_actions", "actions and views over HTTP beside bare DRF views and an ASGI handler"),
    "limits": Part("bench.network.limits", "what the limits of clients cost an action"),
    "streams": Part("bench.network.streams", "commit to sockets beside stock Channels, memory of a socket"),
    "foreign_moves": Part("bench.network.foreign_moves", "moves made elsewhere, in processes with and without sockets"),
    "moves": Part("bench.network.moves", "whole moves over sockets beside boardgame.io"),
    "growth": Part(
        "bench.engine.growth",
        "an action, a list, a cold load beside many finished games; bytes of a game; 1, 2 and 4 web processes",
    ),
    "deadlines": Part("bench.engine.deadlines", "lateness of deadlines, recovery after every worker died"),
    "bots": Part("bench.engine.bot_strength", "strength of the bots, time of a decision"),
    "leaderboards": Part("bench.engine.leaderboards", "a rank among 200,000 players"),
    "page": Part("bench.network.page", "first load, drawing and memory of the browser page"),
}


class PartFailed(Exception):
    """What a failed part wrote to its error output."""


def measured(part: Part) -> Generator[Line, None, None]:
    """The lines of a part as soon as they are measured."""
    command = [sys.executable, "-m", "bench.parts", part.module]
    ending = ends_with_parent(signal.SIGTERM)
    with tempfile.TemporaryFile() as errors:
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, preexec_fn=ending) as process:
            for encoded in process.stdout or ():
                yield msgspec.json.decode(encoded, type=Line)
        if process.returncode:
            errors.seek(0)
            output = errors.read().decode(errors="replace").strip()
            raise PartFailed(output or f"it ended with status {process.returncode}")


def main(module: str) -> None:
    """What the part itself prints goes to the error output; standard output is for its lines."""
    faulthandler.dump_traceback_later(LONGEST_PART_S, exit=True)
    with os.fdopen(os.dup(1), "wb", buffering=0) as lines:
        os.dup2(2, 1)
        django.setup()
        for line in import_module(module).measure():
            lines.write(msgspec.json.encode(line) + b"\n")


if __name__ == "__main__":
    main(sys.argv[1])
