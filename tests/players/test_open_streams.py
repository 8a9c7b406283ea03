"""The budget of open streams: what a session and an address may hold, and that every end of a stream is counted."""

import contextlib

import pytest

from players.database.refusal import RequestRefused
from players.limits.addresses import client_address
from players.limits.budgets import STREAMS_PER_ADDRESS, STREAMS_PER_SESSION
from players.limits.open_streams import OpenStreams


def test_a_session_holds_twenty_streams_and_an_address_two_hundred() -> None:
    streams = OpenStreams()
    with contextlib.ExitStack() as stack:
        for number in range(STREAMS_PER_ADDRESS):
            stack.enter_context(streams.counted(number // STREAMS_PER_SESSION, "192.0.2.1"))
        with pytest.raises(RequestRefused) as refused, streams.counted("another session", "192.0.2.1"):
            pass
        assert (refused.value.code, refused.value.data) == ("too_many_requests", {"retry_after": 5})
        with pytest.raises(RequestRefused), streams.counted(0, "192.0.2.2"):
            pass
        with streams.counted("another session", "192.0.2.2"):
            pass
    assert (STREAMS_PER_SESSION, STREAMS_PER_ADDRESS, len(streams)) == (20, 200, 0)


def test_a_stream_that_fails_is_not_counted_any_more() -> None:
    streams = OpenStreams(per_session=1)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), streams.counted("session", "192.0.2.1"):
            raise ZeroDivisionError
    assert len(streams) == 0


@pytest.mark.parametrize(
    ("peer", "forwarded_for", "proxies", "expected"),
    [
        (("192.0.2.1", 5), "6.6.6.6", 0, "192.0.2.1"),
        (("10.0.0.1", 5), "6.6.6.6, 192.0.2.7", 1, "192.0.2.7"),
        (("10.0.0.1", 5), "2001:db8:0:1:2:3:4:5", 1, "2001:db8:0:1::/64"),
        (("2001:db8::1", 5, 0, 0), "", 0, "2001:db8::/64"),
        (("fe80::1%eth0", 5), "", 0, "fe80::/64"),
        (None, "", 0, ""),
    ],
)
def test_a_client_is_counted_by_the_address_that_our_proxies_report(
    settings: object, peer: object, forwarded_for: str, proxies: int, expected: str
) -> None:
    settings.NUM_PROXIES = proxies  # type: ignore[attr-defined]
    headers = [(b"x-forwarded-for", forwarded_for.encode())] if forwarded_for else []
    assert client_address({"client": peer, "headers": headers}) == expected
