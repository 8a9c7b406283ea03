"""Limits are never tighter than the contract, hold beyond it, and keep no more than they must."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.limits.rate_limits import LIMITS, Limit, Limits, address

# Contract, section 2: so many within so many seconds, at once or evenly.
PROMISED = {"reads": (100, 1), "actions": (50, 1), "games": (60, 60), "guests": (120, 60)}


@pytest.mark.parametrize("scope", PROMISED)
def test_what_the_contract_promises_passes_at_once_again_and_again(scope: str) -> None:
    count, seconds = PROMISED[scope]
    limits = Limits()
    for burst in range(20):
        assert all(limits.take(scope, "ann", burst * seconds) is None for _ in range(count))


@pytest.mark.parametrize("scope", LIMITS)
def test_beyond_a_limit_one_is_told_when_to_come_back_and_then_may(scope: str) -> None:
    limits, now = Limits(), 1000.0
    assert all(limits.take(scope, "ann", now) is None for _ in range(LIMITS[scope].burst))
    retry_after = limits.take(scope, "ann", now)
    assert retry_after is not None
    assert retry_after >= 1
    assert limits.take(scope, "ann", now + retry_after) is None


def test_who_polls_too_fast_can_still_play() -> None:
    limits = Limits()
    while limits.take("reads", "ann", 0.0) is None:
        pass
    assert limits.take("actions", "ann", 0.0) is None
    assert limits.take("reads", "bob", 0.0) is None


@given(st.lists(st.floats(0, 3), max_size=300))
def test_no_more_than_burst_and_rate_ever_pass(pauses: list[float]) -> None:
    limits, now, passed = Limits({"x": Limit(2, 5, "token")}), 0.0, 0
    for pause in pauses:
        now += pause
        passed += limits.take("x", "ann", now) is None
        assert passed <= 5 + 2 * now + 1e-3


def test_buckets_are_bounded_and_the_longest_unused_goes_first() -> None:
    limits = Limits({"x": Limit(1, 1, "token")}, buckets=2)
    assert [limits.take("x", key, 0.0) for key in ("ann", "bob", "ann", "cid", "bob")] == [None, None, 1, None, 1]
    assert limits.take("x", "ann", 0.0) is None
    assert len(limits._full_at) == 2


def test_threads_together_get_no_more_than_the_burst() -> None:
    limits = Limits({"x": Limit(0.001, 50, "token")})
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: limits.take("x", "ann", 0.0), range(400)))
    assert answers.count(None) == 50


@given(st.text(), st.integers(0, 3))
def test_an_address_cannot_be_forged_in_front_of_our_own_proxies(forged: str, proxies: int) -> None:
    genuine = [f"10.0.0.{n}" for n in range(proxies)]
    assert address("127.0.0.1", ",".join([forged, *genuine]), proxies) == (genuine[0] if proxies else "127.0.0.1")
