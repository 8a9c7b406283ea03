"""Log lines are written by a thread: a reader that has stopped holds no caller, and lost lines are counted."""

import io
import os
import threading

from prometheus_client import REGISTRY

from players.telemetry.line_writer import LineWriter


def dropped() -> float:
    return REGISTRY.get_sample_value("qwixx_log_lines_dropped_total") or 0.0


def test_lines_are_written_in_their_order_and_events_are_rendered() -> None:
    written = io.StringIO()
    writer = LineWriter(written)
    writer.render = lambda event: f"event {event['number']}"
    writer.put("first")
    writer.put({"number": 2})
    writer.put("third", is_urgent=True)
    writer.flush()
    assert written.getvalue().splitlines() == ["first", "event 2", "third"]


def test_a_reader_that_has_stopped_does_not_hold_the_caller_and_what_is_dropped_is_counted() -> None:
    reads, writes = os.pipe()
    reader = threading.Thread(target=drain, args=(reads,), daemon=True)
    with os.fdopen(reads):
        with os.fdopen(writes, "w") as stream:
            writer, before = LineWriter(stream, capacity=100), dropped()
            for number in range(1000):  # of a kilobyte each: a pipe holds 64, and the caller is not held
                writer.put(f"{number} " + "x" * 1024)
            assert dropped() - before >= 800
            reader.start()
            writer.flush()
        reader.join()


def drain(pipe: int) -> None:
    """Read until the writing end is closed."""
    while os.read(pipe, 65536):
        pass


def test_an_output_that_has_gone_is_counted_and_harms_nothing() -> None:
    stream, before = io.StringIO(), dropped()
    stream.close()
    writer = LineWriter(stream)
    writer.put("lost")
    writer.flush()
    assert dropped() - before == 1
