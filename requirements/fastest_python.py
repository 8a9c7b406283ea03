"""Prints the path of the fastest Python of the running version: builds of one version differ by a third.

Make runs this before there is a .venv, so it uses the standard library only.
"""

import os
import subprocess
import sys
from pathlib import Path

BETTER = 0.9  # of the time of the running Python: a build that is only a little faster is not chosen
FOLDERS = ("/usr/local/bin", "/usr/bin", "/opt/homebrew/bin")
TRIAL = """
import ensurepip, sys, time, venv

class Pair:
    def __init__(self, first, second):
        self.first, self.second = first, second

    def sum(self, more):
        return self.first + self.second + more

def work():
    known, total = {}, 0
    for number in range(10000):
        total += Pair(number, 2).sum(total & 255)
        known[number & 255] = (number, f"{number}|{total}", [each for each in (1, 2, 3) if each > 1])

def timed():
    began = time.perf_counter()
    work()
    return time.perf_counter() - began

print(min(timed() for _ in range(20)), sys.version_info[:2] == VERSION, sys.executable)
"""


def candidates() -> list[Path]:
    """Every Python of the same version once, even if it has several names."""
    name = "python{}.{}".format(*sys.version_info[:2])
    paths = [Path(folder, name) for folder in (*os.environ.get("PATH", "").split(os.pathsep), *FOLDERS)]
    return list({path.resolve(): path for path in paths if os.access(path, os.X_OK)}.values())


def tried(python: Path) -> tuple[float, str]:
    """The time of the trial and the path; infinite for another version, or if it cannot create a .venv."""
    trial = TRIAL.replace("VERSION", repr(sys.version_info[:2]))
    ran = subprocess.run([python, "-c", trial], capture_output=True, text=True, check=False)  # noqa: S603
    seconds, _, rest = ran.stdout.partition(" ")
    is_alike, _, path = rest.strip().partition(" ")
    return (float(seconds), path) if is_alike == "True" else (float("inf"), "")


if __name__ == "__main__":
    here = tried(Path(sys.executable))
    best = min([here, *map(tried, candidates())])
    print(best[1] if best[0] < here[0] * BETTER else sys.executable)  # noqa: T201
