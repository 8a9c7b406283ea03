"""While an attack runs, other clients are answered in time, memory stays bounded, and nothing is appended."""

import asyncio
import json
import re
import tempfile
import threading
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest
from django.core.management import call_command
from pytest_django.plugin import DjangoDbBlocker

from games.runtime import conninfo
from players.limits import budgets
from tests.hostile import addresses, bodies, crowds, floods, heads, slow_clients, sockets
from tests.hostile.attacker import Attack, Attacker
from tests.hostile.victim import Call, Victim
from tests.server import running_web_process

# One web process serves all of them. `django_db` makes the database; what the web process commits stays in it.
pytestmark = [pytest.mark.xdist_group("hostile"), pytest.mark.django_db]

APPLICATION = "tests.hostile.attacked_application:application"
ROOT = Path(__file__).resolve().parents[2]
SLOWEST_CALL_S = 0.5
MEMORY_GROWTH = 50 << 20
TRIES = 3
SLOW_ADDRESS, ANOTHER_ADDRESS = 400, 500  # the numbers of attackers' addresses
LOG_GROWTH = 20_000  # bytes that an attack may write to the log of the process, apart from lines of what was done
MODULES = (bodies, heads, addresses, sockets, floods, crowds, slow_clients)
ATTACKS = [attack for module in MODULES for attack in module.ATTACKS]
EVENTS = "SELECT count(*) FROM games_event WHERE NOT game_id = ANY(%s::uuid[])"


class AttackedService(NamedTuple):
    address: str
    log: Path
    victim: Victim

    def events(self) -> int:
        """Events in the logs of all games but the victim's."""
        with psycopg.connect(conninfo(), autocommit=True) as connection:
            row = connection.execute(EVENTS, [self.victim.games]).fetchone()
        assert row is not None
        return int(row[0])

    def logged(self) -> int:
        """Bytes of the lines that say more than that something was done."""
        return sum(len(line) for line in self.log.read_bytes().splitlines() if not is_of_success(line))


@pytest.fixture(scope="module")
def service(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[AttackedService]:
    """One web process and one victim for all attacks; the database is emptied after the last."""
    with django_db_blocker.unblock():
        with (
            tempfile.NamedTemporaryFile() as log,
            running_web_process(APPLICATION, log, "info", LOG_LEVEL="INFO", LOG_FORMAT="json") as (address, pid),
            Victim(address, pid) as victim,
        ):
            yield AttackedService(address, Path(log.name), victim)
        call_command("flush", interactive=False, verbosity=0)


async def withstands(service: AttackedService, attacks: list[Attack], number: int) -> None:
    """Run the attacks side by side. A delay must show three times: the machine may be busy with something else."""
    for first_address in range(number, number + TRIES * ANOTHER_ADDRESS, ANOTHER_ADDRESS):
        async with AsyncExitStack() as stack:
            attackers = [
                await stack.enter_async_context(await Attacker.arrive(service.address, first_address + each))
                for each in range(len(attacks))
            ]
            slowest = await measured(service, attacks, attackers)
        if slowest.seconds < SLOWEST_CALL_S:
            return
    assert slowest.seconds < SLOWEST_CALL_S, slowest


async def measured(service: AttackedService, attacks: list[Attack], attackers: list[Attacker]) -> Call:
    """The slowest call of the victim; all else that must be true is compared here."""
    victim, log_before, events_before = service.victim, service.logged(), service.events()
    memory_before = victim.memory()
    began, stop = threading.Event(), threading.Event()
    measuring = asyncio.create_task(asyncio.to_thread(victim.measure, began, stop))
    try:
        await asyncio.to_thread(began.wait)
        runs = (attack.run(attacker) for attack, attacker in zip(attacks, attackers, strict=True))
        found = [set(codes) for codes in await asyncio.gather(*runs)]
    finally:
        stop.set()
        measurements = await measuring
    wrong = {attack.name: codes for attack, codes in zip(attacks, found, strict=True) if not is_expected(attack, codes)}
    assert wrong == {}
    assert service.events() - events_before <= sum(attack.appends for attack in attacks)
    assert measurements.statuses == {200}
    hashes = any(attack.hashes for attack in attacks)
    memory = measurements.memory_after if hashes else measurements.memory
    assert memory - memory_before < MEMORY_GROWTH
    assert service.logged() - log_before < LOG_GROWTH
    return measurements.slowest


def is_of_success(line: bytes) -> bool:
    """Of a command that was carried out, or of a request that was answered."""
    try:
        fields = json.loads(line)
    except ValueError:
        return False
    return fields.get("outcome") in ("ok", "repeated") or 200 <= fields.get("status", 0) < 300


def is_expected(attack: Attack, codes: set[int]) -> bool:
    among = set(attack.among)
    return bool(codes) and codes <= attack.expected | among and among <= codes


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
async def test_other_clients_do_not_notice(service: AttackedService, attack: Attack) -> None:
    await withstands(service, [attack], 1 + ATTACKS.index(attack))


async def test_other_clients_do_not_notice_slow_clients(service: AttackedService) -> None:
    await withstands(service, list(slow_clients.SLOW_ATTACKS), SLOW_ADDRESS)


def test_the_limits_of_the_service_are_those_that_the_contract_promises() -> None:
    """Here heads and bodies have less time, so that attacks by time are short; the mechanism is the same."""
    assert (budgets.HEAD_BYTES, budgets.HEAD_FIELDS, budgets.BODY_BYTES) == (32 * 1024, 100, 64 * 1024)
    assert (budgets.HEAD_S, budgets.BODY_S) == (10, 30)
    assert (budgets.STREAMS_PER_SESSION, budgets.STREAMS_PER_ADDRESS) == (20, 200)


def test_every_attack_has_its_own_name_and_enough_are_tried() -> None:
    names = [attack.name for attack in (*ATTACKS, *slow_clients.SLOW_ATTACKS)]
    assert len(names) == len(set(names)) >= 40


def test_the_security_document_names_attacks_and_tests_that_exist() -> None:
    text = (ROOT / "docs/security.md").read_text()
    names = {attack.name for attack in (*ATTACKS, *slow_clients.SLOW_ATTACKS)}
    assert set(re.findall(r"(?<!\*)\*(?!\s)([^*\n]{12,})\*(?!\*)", text)) - names == set()
    written = {name for path in ROOT.glob("tests/**/*.py") for name in re.findall(r"def (test_\w+)", path.read_text())}
    assert set(re.findall(r"`(test_\w+)`", text)) - written == set()
