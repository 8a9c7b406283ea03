"""Actions that are read at one glance mean what they would mean to whoever reads them whole."""

import asyncio
import json
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from games import calls
from games.game import strict_json
from games.game.events import canonical
from games.rules import actions
from games.rules.refused import Refused
from games.streams import authentication
from games.streams.game_consumer import GameConsumer

SCALARS = st.none() | st.booleans() | st.integers(-(10**16), 10**16) | st.text(max_size=8)
TYPES = st.sampled_from([*actions.ACTIONS, "", "dance"])
ACTIONS = st.dictionaries(st.sampled_from(["row", "number", "roll", "phase", "dice", "column", "x"]), SCALARS).flatmap(
    lambda members: TYPES.map(lambda kind: {"type": kind, **members})
)
KEYS = st.text(max_size=66) | st.from_regex("[a-z0-9-]{1,64}", fullmatch=True)


def whole(text: str) -> tuple[Any, Any, Any] | None:
    """What the longer way makes of a frame."""
    try:
        said = authentication.read(text)
        if said.get("type") != "action" or not isinstance(said.get("id"), str):
            return None
        return said["id"], actions.read(said.get("action")), canonical(said.get("action"))
    except Refused:
        return None


def glance(text: str) -> tuple[Any, Any, Any] | None:
    try:
        found = authentication.action_in(text)
    except Refused:
        return None
    return (found[0], found[1].request, found[1].canonical) if found else None


@given(key=KEYS, action=ACTIONS, is_compact=st.booleans(), is_ascii=st.booleans())
def test_what_is_read_at_one_glance_is_what_stands_there(
    key: str, action: dict[str, Any], is_compact: bool, is_ascii: bool
) -> None:
    frame = {"type": "action", "id": key, "action": action}
    text = json.dumps(frame, separators=(",", ":") if is_compact else None, ensure_ascii=is_ascii)
    assert glance(text) in (None, whole(text))


@given(st.text('{}[]":, \\\n\x00\ud800typeactionidpass1é', max_size=60))
@example('{"type":"action","id":"a","action":{"type":"pass","type":"roll"}}')
@example('{"type":"action","id":"a","action":{"type":"pass"},"action":{"type":"roll"}}')
@example('{"type":"action","id":"a","action":{"type":"pass","row":"}"}}')
@example('{"type":"action","id":"a\\u0000","action":{"type":"pass"}}')
@example('{"type":"action","id":"a","action":{"type":"pass","number":NaN}}')
@example('{"type":"action","id":"a","action":{"type":"pass","number":1e999}}')
@example('{"type":"action","id":"a","action":{"type":"pass"}} ')
def test_nothing_is_read_at_one_glance_that_the_longer_way_reads_differently(text: str) -> None:
    for candidate in (text, '{"type":"action","id":"' + text + '","action":{"type":"pass"}}'):
        assert glance(candidate) in (None, whole(candidate))
    inner = '{"type":"action","id":"a","action":{"type":"pass"' + text + "}}"
    assert glance(inner) in (None, whole(inner))


def test_what_most_clients_write_is_read_at_one_glance() -> None:
    for action in ({"type": "pass"}, {"type": "roll", "dice": ["yellow"]}, {"type": "mark", "row": "red", "number": 5}):
        frame = {"type": "action", "id": "0192f0c0-0000-7000-8000-000000000000", "action": action}
        for separators in ((",", ":"), None):
            text = json.dumps(frame, separators=separators)
            assert glance(text) is not None
            assert glance(text) == whole(text)


def test_short_and_long_texts_of_an_action_are_read_alike() -> None:
    for size in (calls.CACHED_LENGTH, calls.CACHED_LENGTH + 1):
        text = '{"type":"pass"' + " " * (size - 15) + "}"
        assert calls.action_in(text).request.action == actions.PASS
        assert calls.action_in(text).canonical == canonical(strict_json.object_in(text))


def test_what_is_longer_than_usual_is_not_glanced_at() -> None:
    """On a frame of 64 KiB the expression would work for ten milliseconds, before anybody has counted it."""
    for size in (authentication.USUAL_LENGTH, authentication.USUAL_LENGTH + 1):
        text = '{"type":"action","id":"a","action":{"type":"pass","x":"' + "x" * (size - 58) + '"}}'
        assert len(text) == size
        assert (glance(text) is None) == (size > authentication.USUAL_LENGTH)
        assert whole(text) is not None


async def test_whoever_waits_is_next_before_anything_that_comes_now() -> None:
    """A second frame waits for the first; when that is done, a third that comes at that very moment is no faster."""
    seen: list[str] = []

    async def note(_consumer: object, said: authentication.Said) -> None:
        seen.append(said["type"])
        assert not consumer._take_at_once('{"type":"action","id":"3","action":{"type":"pass"}}')

    consumer = GameConsumer(lambda _error, _language: ("", "", []))
    consumer.handlers = {"note": note}  # type: ignore[misc]
    consumer.counted_as = "a session"
    consumer._is_busy = True  # with the first
    second = asyncio.create_task(consumer._received({"text": '{"type":"note"}'}))
    await asyncio.sleep(0)
    assert not seen
    consumer._next()
    assert not consumer._take_at_once('{"type":"action","id":"3","action":{"type":"pass"}}')
    await second
    assert seen == ["note"]
    assert not consumer._is_busy
