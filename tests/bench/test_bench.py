"""The runner of the bench, with parts that take no time; what the parts measure is not tested."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

from bench.__main__ import run
from bench.parts import PARTS, Part, measured

QUICK, FAILING = Part("tests.bench.quick_part", ""), Part("tests.bench.failing_part", "")


def test_a_part_that_fails_is_reported_and_no_result_is_lost(capsys: pytest.CaptureFixture[str]) -> None:
    assert not run({"first": QUICK, "broken": FAILING, "last": QUICK})
    printed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in printed if line][1:-1] == ["a"] * 4 + ["broken"] + ["a"] * 3
    assert "FAILED  RuntimeError: the server is not there" in printed[5]
    assert printed[-1] == "2 bars met, 2 missed, 1 parts failed"


def test_a_run_without_failures_succeeds(capsys: pytest.CaptureFixture[str]) -> None:
    assert run({"only": QUICK})
    assert "not a line of the report" not in capsys.readouterr().out


def test_lines_arrive_before_the_part_ends() -> None:
    lines = measured(FAILING)
    assert next(lines).what == "a number before the failure"
    lines.close()


def test_every_part_has_its_module() -> None:
    assert [part.module for part in PARTS.values() if not find_spec(part.module)] == []


def test_an_unknown_part_is_refused_with_the_names_of_the_parts() -> None:
    command = [sys.executable, "-m", "bench", "everything"]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "unknown part everything; known are rules, " in refused.stderr
