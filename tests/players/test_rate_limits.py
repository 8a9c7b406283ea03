"""Rate limits allow what the contract promises, refuse more, and use bounded memory."""

from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.limits.addresses import address, address_key
from players.limits.rate_limits import LIMITS, Limit, Limits

# Contract, section 2: requests and seconds, at once or evenly.
PROMISED = {"reads": (100, 1), "actions": (50, 1), "games": (60, 60), "guests": (120, 60)}


@pytest.mark.parametrize("scope", PROMISED)
def test_the_rates_of_the_contract_are_allowed_as_repeated_bursts(scope: str) -> None:
    count, seconds = PROMISED[scope]
    limits = Limits()
    for burst in range(20):
        assert all(limits.take(scope, "ann", burst * seconds) is None for _ in range(count))


@pytest.mark.parametrize("scope", LIMITS)
def test_a_refused_client_may_try_again_after_the_returned_time(scope: str) -> None:
    limits, now = Limits(), 1000.0
    assert all(limits.take(scope, "ann", now) is None for _ in range(LIMITS[scope].burst))
    retry_after = limits.take(scope, "ann", now)
    assert retry_after is not None
    assert retry_after >= 1
    assert limits.take(scope, "ann", now + retry_after) is None


def test_a_client_that_polls_too_fast_can_still_play() -> None:
    limits = Limits()
    while limits.take("reads", "ann", 0.0) is None:
        pass
    assert limits.take("actions", "ann", 0.0) is None
    assert limits.take("reads", "bob", 0.0) is None


@given(st.lists(st.floats(0, 3), max_size=300))
def test_no_more_than_burst_and_rate_are_allowed(pauses: list[float]) -> None:
    limits, now, passed = Limits({"x": Limit(2, 5, "token")}), 0.0, 0
    for pause in pauses:
        now += pause
        passed += limits.take("x", "ann", now) is None
        assert passed <= 5 + 2 * now + 1e-3


def test_buckets_are_bounded_and_the_least_recently_used_is_dropped() -> None:
    limits = Limits({"x": Limit(1, 1, "token")}, buckets=2)
    assert [limits.take("x", key, 0.0) for key in ("ann", "bob", "ann", "cid", "bob")] == [None, None, 1, None, 1]
    assert limits.take("x", "ann", 0.0) is None


def test_all_threads_together_get_no_more_than_the_burst() -> None:
    limits = Limits({"x": Limit(0.001, 50, "token")})
    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(lambda _: limits.take("x", "ann", 0.0), range(400)))
    assert results.count(None) == 50


@given(st.text(), st.integers(0, 3))
def test_a_client_cannot_forge_its_address_behind_our_proxies(forged: str, proxies: int) -> None:
    genuine = [f"10.0.0.{n}" for n in range(proxies)]
    assert address("127.0.0.1", ",".join([forged, *genuine]), proxies) == (genuine[0] if proxies else "127.0.0.1")


@given(st.ip_addresses(v=6), st.integers(0, 2**64 - 1))
def test_all_addresses_of_an_ipv6_network_have_one_key(network: IPv6Address, host: int) -> None:
    other = IPv6Address(int(network) >> 64 << 64 | host)
    if network.ipv4_mapped is None and other.ipv4_mapped is None:
        assert address_key(str(network)) == address_key(other.exploded)
    assert address_key(str(network)) != address_key(str(IPv6Address(int(network) ^ 1 << 64)))


@given(st.ip_addresses(v=4))
def test_an_ipv4_address_is_its_own_key_in_both_notations(given_: IPv4Address) -> None:
    assert address_key(str(given_)) == address_key(f"::ffff:{given_}") == str(given_)


@given(st.text())
def test_a_text_that_is_no_address_has_a_short_key(text: str) -> None:
    assert len(address_key(text)) <= 64
