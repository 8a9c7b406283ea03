"""The queueing model obeys the laws of queues: load, capacity, and which part reaches its limit first."""

import pytest

from bench.simulate_scale import Costs, Load, described, simulate

COSTS = Costs()


def test_a_part_is_busy_as_long_as_its_work_takes() -> None:
    """The utilisation law: the arrivals in a second times the time of one."""
    load = Load(games=4000, webs=2, cores=4, redis=1, seconds=2.0)
    outcome = simulate(load)
    arrivals = load.games / load.think_s
    assert outcome.commands_s == pytest.approx(arrivals, rel=0.1)
    a_command_ms = COSTS.decide + COSTS.send + COSTS.foreign
    assert outcome.busy["event loops"] == pytest.approx(arrivals * a_command_ms / 1000 / load.webs, rel=0.1)
    assert outcome.busy["Redis"] == pytest.approx(arrivals * COSTS.publish / 1000, rel=0.1)


def test_no_command_is_faster_than_its_parts() -> None:
    outcome = simulate(Load(games=50, webs=2, cores=4, redis=1))
    alone = COSTS.decide + COSTS.batch + COSTS.append + COSTS.disk + COSTS.send
    assert outcome.p50_ms >= alone
    assert outcome.p50_ms == pytest.approx(alone, rel=0.2)


def test_a_writer_puts_more_in_a_batch_when_it_has_to_wait() -> None:
    few, many = (simulate(Load(games=games, webs=1, cores=1, redis=1, seconds=1.0)) for games in (500, 12_000))
    assert few.batch < 1.5 < many.batch


def test_the_part_that_reaches_its_limit_first_is_named() -> None:
    load = Load(games=40_000, webs=1, cores=8, redis=1, seconds=0.5)
    outcome = simulate(load)
    assert outcome.busiest_part == "event loops"
    assert outcome.commands_s < load.games / load.think_s / 2
    assert described(load, outcome).endswith("event loops reach their limit first")
