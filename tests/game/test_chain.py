"""The hash chain of the log, compared with hashes computed from the contract."""

import hashlib
import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.game.aggregate import fold
from games.game.events import GENESIS, Event, canonical, first_bad_version, link, moment_of, stamp
from tests.builders import GameDriver, started
from tests.laws.game_laws import through_json


def _hash_by_hand(event: Event) -> str:
    body = {key: value for key, value in event.envelope().items() if key not in ("prev", "hash")}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(event.prev.encode() + text.encode("utf-8")).hexdigest()


def test_a_hash_covers_the_content_and_the_hash_before() -> None:
    event = link("ab" * 32, "g", 7, "seat_left", 1, "2026-01-02T03:04:05.000000Z", {"seat": 1, "host": 0, "ä": "ö"})
    assert event.hash == _hash_by_hand(event)
    assert (
        hashlib.sha256(
            ("ab" * 32 + '{"at":"2026-01-02T03:04:05.000000Z","data":{"host":0,"seat":1,"ä":"ö"},').encode()
            + b'"game":"g","type":"seat_left","v":1,"version":7}'
        ).hexdigest()
        == event.hash
    )


def test_prev_of_the_first_event_is_sixty_four_zeros() -> None:
    assert GENESIS == "0" * 64
    assert started().log[0].prev == GENESIS


def test_prev_of_every_event_is_the_hash_before_it() -> None:
    log = started(seats=4).log
    assert [event.prev for event in log[1:]] == [event.hash for event in log[:-1]]
    assert [event.hash for event in log] == [_hash_by_hand(event) for event in log]
    assert first_bad_version(through_json(log)) is None


@pytest.mark.parametrize(
    "change",
    [
        {"data": {}},
        {"at": "2026-01-02T12:00:00.000009Z"},
        {"type": "seat_left"},
        {"v": 2},
        {"version": 9},
        {"game": "another"},
        {"hash": "0" * 64},
        {"prev": "0" * 64},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_changed_event_is_found_at_its_version(change: dict[str, Any]) -> None:
    log = list(started(seats=3).log)
    log[2] = log[2]._replace(**change)
    assert first_bad_version(log) == 3


def test_a_missing_event_is_found_at_its_version() -> None:
    log = list(started(seats=3).log)
    del log[2]
    assert first_bad_version(log) == 3


def test_a_log_rewritten_from_some_event_on_is_found_by_its_last_hash_alone() -> None:
    driver = started(seats=2)
    changed = driver.log[1].data | {"client_seed": "mine"}
    prev, rewritten = driver.log[0].hash, [driver.log[0]]
    for event in [driver.log[1]._replace(data=changed), *driver.log[2:]]:
        rewritten.append(link(prev, event.game, event.version, event.type, event.v, event.at, event.data))
        prev = rewritten[-1].hash
    assert first_bad_version(rewritten) is None  # valid in itself
    assert rewritten[-1].hash != driver.game.head


def test_an_envelope_has_the_fields_of_the_contract() -> None:
    assert list(started().log[0].envelope()) == ["game", "version", "type", "v", "at", "data", "prev", "hash"]


@pytest.mark.parametrize("offset", [-11, 0, 2])
def test_a_stamp_is_utc_with_six_digits_in_every_time_zone(offset: int) -> None:
    here = timezone(timedelta(hours=offset))
    assert stamp(datetime(2026, 1, 2, 3, tzinfo=UTC).astimezone(here)) == "2026-01-02T03:00:00.000000Z"


def test_a_stamp_is_read_back_as_the_same_moment() -> None:
    moment = datetime(2026, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)
    assert moment_of(stamp(moment)) == moment


def test_stamps_sort_as_text() -> None:
    moments = [datetime(2026, 1, 2, 3, 4, 5, micro, tzinfo=UTC) for micro in (0, 9, 10, 999999)]
    assert sorted(map(stamp, moments)) == list(map(stamp, moments))


def test_fold_refuses_a_game_without_events() -> None:
    with pytest.raises(ValueError, match="a game has at least one event"):
        fold(None, [])


def test_folding_no_events_returns_the_same_game() -> None:
    game = GameDriver().game
    assert fold(game, []) == game


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(JSON_VALUES)
def test_canonical_json_equals_the_output_of_the_standard_library(value: Any) -> None:
    expected = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert canonical(value).decode() == expected
