"""`make bench`: measures all parts, or those named in ARGS, on temporary durable servers; prints lines as they come."""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from bench.baselines import boardgame
from bench.parts import PARTS, Part, PartFailed, measured
from bench.report import HEADER, Line
from qwixx_service.embedded import data_folder, services
from tests.browser import chromium

ROOT = Path(__file__).resolve().parent.parent


def arguments() -> dict[str, Part]:
    described = "\n".join(f"  {name:<14} {part.measures}" for name, part in PARTS.items())
    parser = argparse.ArgumentParser(
        prog="make bench",
        usage='make bench [ARGS="part …"]',
        epilog=f"parts:\n{described}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("part", nargs="*", help="what to measure; without it, everything")
    named = parser.parse_args().part
    if unknown := [name for name in named if name not in PARTS]:
        parser.error(f"unknown part {', '.join(unknown)}; known are {', '.join(PARTS)}")
    return {name: part for name, part in PARTS.items() if not named or name in named}


def install(parts: dict[str, Part]) -> dict[str, Part]:
    """Install what the parts need, and print what is left out; the parts that can be measured."""
    if "moves" in parts and (failure := boardgame.install()):
        print(f"Left out: the comparison of moves with boardgame.io, because npm cannot install it: {failure}")
    if "page" in parts and not (chromium.found() or chromium.install()):
        print(f"Left out: page. {chromium.MISSING}")
        return {name: part for name, part in parts.items() if name != "page"}
    return parts


@contextmanager
def temporary_servers() -> Iterator[None]:
    """PostgreSQL and Valkey with durable settings, named in the environment, with an empty migrated database."""
    with tempfile.TemporaryDirectory(prefix="qwixx-bench-") as folder:
        data = Path(folder).resolve()
        data.chmod(0o711)  # the servers may run as another user and must be able to enter their own folders
        urls = {"DATABASE_URL": services.superuser_url(data), "REDIS_URL": services.redis_url(data)}
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qwixx_service.settings")
        os.environ.update(DATA_DIR=str(data), SECRET_KEY="only-for-the-bench", **urls)
        with data_folder.locked(data), services.running(data):
            subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity=0"], cwd=ROOT, check=True)
            yield


def run(parts: Mapping[str, Part]) -> bool:
    """Print every line as soon as it is measured; a part that fails gets a line, and the others follow."""
    lines: list[Line] = []
    failures: dict[str, str] = {}
    print(HEADER, flush=True)
    for name, part in parts.items():
        try:
            for line in measured(part):
                lines.append(line)
                print(line, flush=True)
        except PartFailed as failure:
            failures[name] = str(failure)
            print(f"{name:<58} {'':>10}  FAILED  {failures[name].splitlines()[-1]}", flush=True)
    results = [line.verdict for line in lines]
    print(f"\n{results.count('met')} bars met, {results.count('MISSED')} missed, {len(failures)} parts failed")
    for name, output in failures.items():
        print(f"\n{name} failed:\n{output}", file=sys.stderr)
    return not failures


def main() -> int:
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    parts = install(arguments())
    with temporary_servers():
        return 0 if run(parts) else 1


if __name__ == "__main__":
    sys.exit(main())
