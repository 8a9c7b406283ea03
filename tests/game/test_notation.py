"""The text notation: events are written and read back to the same events, in every game that there is."""

import json
import re
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given, settings
from hypothesis import strategies as st

from games.game.decisions import play
from games.game.events import Event, first_bad_version, link
from games.game.notation import document as notation
from games.game.notation.event_lines import SHORT
from games.game.notation.notation_values import NotationError
from games.game.views import event_views, sealed_versions
from tests.builders import GameDriver, started
from tests.golden.make import GAMES
from tests.rules.sheet_cases import SHEET_CASES, Chooser, SheetCase

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = sorted((ROOT / "tests" / "golden").rglob("*.ndjson"))
DOCUMENT = (ROOT / "docs" / "notation.md").read_text()


def round_trip(header: dict[str, Any], events: list[dict[str, Any]]) -> str:
    text = notation.write(header, events)
    assert notation.read(text) == (header, events)
    return text


def header_of(log: list[Event], *, is_complete: bool) -> dict[str, Any]:
    created = log[0].data
    return {
        "format": "qwixx-log",
        "format_version": 1,
        "game": log[0].game,
        "ruleset": created["ruleset"],
        "sheet": created["sheet"],
        "events": len(log),
        "complete": is_complete,
    }


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_golden_game_is_read_back_to_the_same_events_and_hashes(path: Path) -> None:
    header, *events = map(json.loads, path.read_text().splitlines())
    text = round_trip(header, events)
    assert text.isascii()
    assert " hash=" not in text  # every hash was computed again
    assert first_bad_version([Event(**event) for event in notation.read(text)[1]]) is None
    assert len(text) < path.stat().st_size / 3
    assert not re.search(r"^[a-z_/0-9]+ \{", text, re.MULTILINE)  # no event needs the form with JSON


def test_there_are_golden_games_of_all_versions() -> None:
    assert {path.parent.name for path in GOLDEN} == {"golden", "v1", "earlier"}
    assert len(GOLDEN) > len(GAMES)


@pytest.mark.parametrize("sheet_case", SHEET_CASES, ids=str)
@settings(max_examples=5)
@given(seed=st.integers(0, 2**32))
def test_a_game_on_any_sheet_is_read_back_as_each_viewer_sees_it(sheet_case: SheetCase, seed: int) -> None:
    random = Random(seed)
    driver = started(sheet_case.ruleset.key, sheet_case.ruleset.seats[0], sheet=sheet_case.sheet)
    stop = random.randrange(10, 300)
    play_until(driver, Chooser(sheet_case.ruleset, random), random, stop)
    header = header_of(driver.log, is_complete=driver.game.is_over)
    round_trip(header, [event.envelope() for event in driver.log])
    for viewer in (None, 0):
        round_trip(header, event_views(driver.log, viewer, sealed_versions(driver.game)))


def play_until(driver: GameDriver, choose: Chooser, random: Random, version: int) -> None:
    while not driver.game.is_over and driver.game.version < version:
        seat = random.choice(driver.game.waiting_for())
        if random.random() < 0.02:
            driver.time_out()
        elif random.random() < 0.01:
            driver.resign(seat)
        else:
            driver.act(seat, choose(driver.game.position, seat, play.options(driver.game, seat)))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.sampled_from(["seat", "row", "deadline", "dice", "action", "answers", "nonce", "reason", "phase"])


@given(
    facts=st.lists(
        st.tuples(
            st.sampled_from(
                ["answer_sealed", "phase_closed", "dice_rolled", "cell_marked", "clock_paused", "unheard_of"]
            ),
            st.integers(1, 3),
            st.dictionaries(FIELDS, JSON, max_size=4),
            st.integers(0, 2**40),
        ),
        max_size=6,
    )
)
def test_any_data_of_an_event_is_read_back(facts: list[tuple[str, int, dict[str, Any], int]]) -> None:
    """Also of events that the notation has no short form for, and with texts that look like notation."""
    log: list[Event] = []
    for version, (name, v, data, at) in enumerate(facts, 1):
        time = f"{2000 + at % 50}-01-02T03:04:05.{at % 1_000_000:06}Z"
        log.append(link(log[-1].hash if log else "0" * 64, "g", version, name, v, time, data))
    header = {**dict.fromkeys(("ruleset", "sheet"), "x"), "format": "qwixx-log", "format_version": 1}
    round_trip({**header, "game": "g", "events": len(log), "complete": False}, [event.envelope() for event in log])


@given(st.text(max_size=200) | st.from_regex(r"\[Notation 1\]\n(\[Game g\]\n)?@ .{0,30}\n.{0,60}", fullmatch=True))
def test_a_text_that_is_no_notation_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(NotationError):
        notation.read(text)


def test_a_changed_event_does_not_lead_to_the_head() -> None:
    header, *events = map(json.loads, GOLDEN[-1].read_text().splitlines())
    text = notation.write(header, events)
    with pytest.raises(NotationError, match="Head"):
        notation.read(text.replace("pass", "mark red 12", 1))
    with pytest.raises(NotationError, match="line 9: "):
        notation.read(text.replace("\nsit ", "\nsit x=,", 1))


def test_the_document_lists_the_words_and_its_example_is_the_golden_game() -> None:
    rows = re.findall(r"^\| `([a-z]+)` \| `([a-z_]+)` \|(.*)\|$", DOCUMENT, re.MULTILINE)
    listed = {name: (word, tuple(fields.replace(",", " ").split())) for word, name, fields in rows}
    assert listed == SHORT
    header, *events = map(json.loads, (ROOT / "tests" / "golden" / "two-play-qwixx.ndjson").read_text().splitlines())
    lines = notation.write(header, events).splitlines()
    (example,) = re.findall(r"```\n(\[Notation 1\].*?)```", DOCUMENT, re.DOTALL)
    for shown, line in zip(example.splitlines(), lines, strict=False):
        assert re.fullmatch(re.escape(shown).replace("…", r"[0-9a-f-]*").replace("0192[0-9a-f-]*", "[a-z]+"), line), (
            shown
        )


def test_the_command_prints_the_export_that_the_verifiers_check(tmp_path: Path) -> None:
    export = (ROOT / "tests" / "golden" / "two-play-qwinto.ndjson").read_text()
    header, *events = map(json.loads, export.splitlines())
    path, output = tmp_path / "game.qwixx", StringIO()
    path.write_text(notation.write(header, events))
    call_command("read_notation", str(path), stdout=output)
    assert list(map(json.loads, output.getvalue().splitlines())) == [header, *events]
    path.write_text("[Notation 2]\n")
    with pytest.raises(CommandError, match="notation 1"):
        call_command("read_notation", str(path))
