"""Every part of a service fails while people play: nothing acknowledged is lost or doubled, and play goes on.

`make chaos` runs it for ten minutes (CHAOS_S) and prints what happened.
"""

import asyncio
import os
import secrets
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chaos import judgement
from tests.chaos.faults import Chaos
from tests.chaos.followers import TableFollower
from tests.chaos.judgement import Verdict, judged
from tests.chaos.players import AbsentTable, BotTable, Ledger, Table
from tests.chaos.service import ChaosService, servers_on, small_disk

LASTS_S = float(os.environ.get("CHAOS_S", "600"))
IS_ALONE = "CHAOS_S" in os.environ  # in `make test` other tests run beside it, so times say nothing there
LATEST_S = 2.0  # contract, section 8
PAUSE_S = 1.0
SEED = int(os.environ.get("CHAOS_SEED") or secrets.randbelow(10_000))
DISK = "700m"
UNAVAILABLE_S = 3.0
SETTLE_S = 30.0


@pytest.fixture
def chaotic() -> Iterator[tuple[ChaosService, bool]]:
    with tempfile.TemporaryDirectory(prefix="qwixx-chaos-", dir="/tmp") as name:
        folder, disk = Path(name), Path(name) / "disk"
        folder.chmod(0o711)
        disk.mkdir()
        with small_disk(disk, DISK) as can_fill, servers_on(disk, folder) as service:
            yield service, can_fill


@pytest.mark.skipif(not IS_ALONE, reason="it judges times, and needs the machine for itself: run `make chaos`")
@pytest.mark.timeout(LASTS_S + 300)
def test_nothing_acknowledged_is_lost_or_doubled_whatever_fails(
    chaotic: tuple[ChaosService, bool], capsys: pytest.CaptureFixture[str]
) -> None:
    service, can_fill = chaotic
    ledger = Ledger()
    chaos = Chaos(service, SEED, can_fill=can_fill)
    differences, resumes = asyncio.run(play_through(service, chaos, ledger))
    chains = service.run("manage.py", "verify_log").stdout
    verdict = judged(service, chaos, ledger, LATEST_S)
    with capsys.disabled():
        print(f"\n{report(chaos, ledger, verdict, resumes)}")  # noqa: T201  (what the command is for)
    assert verdict.lost == []
    assert verdict.doubled == []
    assert verdict.late == []
    assert differences == []
    assert ledger.odd == []
    assert "bad" not in chains.lower(), chains
    assert verdict.longest_s < UNAVAILABLE_S, verdict.longest
    assert not judgement.projections_differ(service)
    assert len(ledger.acknowledged) > 5 * LASTS_S


async def play_through(service: ChaosService, chaos: Chaos, ledger: Ledger) -> tuple[list[str], int]:
    """The differences between the copies of streams and what is fetched at the end, and how often streams resumed."""
    async with service.running():
        ending, addresses = asyncio.Event(), [web.address for web in service.webs]
        kinds = (Table, Table, Table, Table, BotTable, AbsentTable, AbsentTable)
        tables = [kind(addresses, ledger, SEED + number) for number, kind in enumerate(kinds)]
        followers = [TableFollower(table, addresses) for table in tables]
        playing = [asyncio.create_task(table.run(ending)) for table in tables]
        following = [asyncio.create_task(follower.run()) for follower in followers]
        await chaos.run(time.monotonic() + LASTS_S, PAUSE_S)
        ending.set()
        await asyncio.gather(*playing)
        differences = await settled(followers)
        for task in following:
            task.cancel()
        for result in await asyncio.gather(*following, return_exceptions=True):
            if isinstance(result, Exception):
                raise result
        for table in tables:
            for client in table.clients:
                await client.close()
    return differences, sum(follower.resumes for follower in followers)


async def settled(followers: list[TableFollower]) -> list[str]:
    """What still differs when the streams have had time to catch up."""
    give_up = time.monotonic() + SETTLE_S
    while True:
        found = [line for follower in followers for line in await follower.differences()]
        if not found or time.monotonic() > give_up:
            return found
        await asyncio.sleep(1.0)


def report(chaos: Chaos, ledger: Ledger, verdict: Verdict, resumes: int) -> str:
    faults = ", ".join(f"{name.replace('_', ' ')} {number}" for name, number in sorted(chaos.counts.items()))
    lines = [
        f"seed           {SEED}",
        f"faults         {chaos.counts.total()} ({faults})",
        f"kills, stops   {chaos.kills}",
        f"games          {len(ledger.games)}",
        f"acknowledged   {len(ledger.acknowledged)} actions",
        f"lost, doubled  {len(verdict.lost)}, {len(verdict.doubled)}",
        f"late           {len(verdict.late)} deadlines",
        f"streams        resumed {resumes} times",
        f"unavailable    {verdict.longest_s:.2f} s at most while PostgreSQL was up ({verdict.longest})",
    ]
    return "\n".join(lines)
