"""While an attack runs, other clients are answered in time, memory stays bounded, and nothing is appended."""

import asyncio
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
from tests.hostile import addresses, bodies, floods, heads, slow_clients, sockets
from tests.hostile.attacker import Attack, Attacker
from tests.hostile.victim import Call, Victim
from tests.server import running_web_process

# One web process serves all of them. `django_db` makes the database; what the web process commits stays in it.
pytestmark = [pytest.mark.xdist_group("hostile"), pytest.mark.django_db]

ROOT = Path(__file__).resolve().parents[2]
SLOWEST_CALL_S = 0.5
MEMORY_GROWTH = 50 << 20
SLOW_ADDRESS, ANOTHER_ADDRESS = 113, 125  # the last numbers of attackers' addresses
LOG_GROWTH = 10_000  # bytes that an attack may write to the log of the process
MODULES = (bodies, heads, addresses, sockets, floods, slow_clients)
ATTACKS = [attack for module in MODULES for attack in module.ATTACKS]
# Attacks that the service does not withstand yet, and what is missing. Such an attack runs, and the web process must
# survive it, but its codes and its effect on others are not compared. The list only becomes shorter.
NOT_YET: dict[str, str] = {
    "a string without an end is refused at once": "JSON is judged before it is parsed",
    "a string without an end is refused at once in an action": "JSON is judged before it is parsed",
    "a string without an end is refused in a frame": "JSON is judged before it is parsed",
    "a name of 30,000 combining marks is refused unread": "text is normalised before its length is checked",
    "an e-mail address of 30,000 combining marks is refused unread": "text is normalised before its length is checked",
    "a head of 4 MB is refused": "heads have no limit",
    "a field of 40 KiB is refused": "heads have no limit",
    "a head of 120 fields is refused": "heads have no limit",
    "a path of 1 MB is refused": "heads have no limit",
    "bytes that are no HTTP are ended and not logged": "heads have no limit",
    "a join code of 20,000 characters is not drawn": "the QR page takes any length",
    "a flood of protocol pings is closed": "control frames and fragments are not counted",
    "a flood of protocol pongs is closed": "control frames and fragments are not counted",
    "a flood of empty fragments is closed": "control frames and fragments are not counted",
    "a token opens twenty sockets": "streams are not counted",
    "a token holds twenty event streams": "streams are not counted",
    "a token holds twenty long polls": "streams are not counted",
    "an address holds two hundred streams": "streams are not counted",
    "guessed tickets are refused": "the pool behind tickets fails instead of waiting",
    "wrong passwords are counted": "hashing has no threads of its own",
    "wrong passwords for many accounts are counted": "hashing has no threads of its own",
    "registrations hash within their budget": "hashing has no threads of its own",
    "logins to the admin hash within their budget": "hashing has no threads of its own",
    "guessed join codes are refused": "wrong codes are not counted",
    "the log of an open game ends": "the log of an open game has no limit",
    "slow bodies hold no thread": "bodies are read by threads of Django",
    "clients that wait to continue hold no thread": "bodies are read by threads of Django",
    "readers of a large file hold no thread": "files are read by threads of Django",
    "idle connections are bounded": "connections are not counted",
    "aborted requests leave nothing": "connections are not counted",
    "a head without an end is refused": "requests have no deadline",
    "a head of one byte each half second is refused": "requests have no deadline",
    "a connection that sends nothing is ended": "requests have no deadline",
    "a connection that sends blank lines is ended": "requests have no deadline",
    "a body without an end is refused": "requests have no deadline",
    "a body of one byte each half second is refused": "requests have no deadline",
    "chunks of one byte each half second are refused": "requests have no deadline",
    "an unfinished handshake is ended": "requests have no deadline",
}
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


@pytest.fixture(scope="module")
def service(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[AttackedService]:
    """One web process and one victim for all attacks; the database is emptied after the last."""
    with django_db_blocker.unblock():
        with (
            tempfile.NamedTemporaryFile() as log,
            running_web_process(log=log) as (address, pid),
            Victim(address, pid) as victim,
        ):
            yield AttackedService(address, Path(log.name), victim)
        call_command("flush", interactive=False, verbosity=0)


async def withstands(service: AttackedService, attacks: list[Attack], number: int) -> None:
    """Run the attacks side by side. A delay must show twice: the machine may have been busy with something else."""
    for first_address in (number, number + ANOTHER_ADDRESS):
        async with AsyncExitStack() as stack:
            attackers = [
                await stack.enter_async_context(await Attacker.arrive(service.address, first_address + each))
                for each in range(len(attacks))
            ]
            slowest = await measured(service, attacks, attackers)
        if slowest.seconds < SLOWEST_CALL_S or is_excused(attacks):
            return
    assert slowest.seconds < SLOWEST_CALL_S, slowest


async def measured(service: AttackedService, attacks: list[Attack], attackers: list[Attacker]) -> Call:
    """The slowest call of the victim; all else that must be true is compared here."""
    victim, log_before, events_before = service.victim, service.log.stat().st_size, service.events()
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
    wrong = {
        attack.name: codes
        for attack, codes in zip(attacks, found, strict=True)
        if attack.name not in NOT_YET and not is_expected(attack, codes)
    }
    assert wrong == {}
    if not is_excused(attacks):
        assert service.events() - events_before <= sum(attack.appends for attack in attacks)
        assert measurements.statuses == {200}
        hashes = any(attack.hashes for attack in attacks)
        memory = measurements.memory_after if hashes else measurements.memory
        assert memory - memory_before < MEMORY_GROWTH
        assert service.log.stat().st_size - log_before < LOG_GROWTH
    return measurements.slowest


def is_excused(attacks: list[Attack]) -> bool:
    return any(attack.name in NOT_YET for attack in attacks)


def is_expected(attack: Attack, codes: set[int]) -> bool:
    among = set(attack.among)
    return bool(codes) and codes <= attack.expected | among and among <= codes


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
async def test_other_clients_do_not_notice(service: AttackedService, attack: Attack) -> None:
    await withstands(service, [attack], 1 + ATTACKS.index(attack))


async def test_other_clients_do_not_notice_slow_clients(service: AttackedService) -> None:
    await withstands(service, list(slow_clients.SLOW_ATTACKS), SLOW_ADDRESS)


def test_every_attack_has_its_own_name_and_enough_are_tried() -> None:
    names = [attack.name for attack in (*ATTACKS, *slow_clients.SLOW_ATTACKS)]
    assert len(names) == len(set(names)) >= 40
    assert set(NOT_YET) <= set(names)


def test_the_security_document_names_attacks_and_tests_that_exist() -> None:
    text = (ROOT / "docs/security.md").read_text()
    names = {attack.name for attack in (*ATTACKS, *slow_clients.SLOW_ATTACKS)}
    assert set(re.findall(r"(?<!\*)\*(?!\s)([^*\n]{12,})\*(?!\*)", text)) - names == set()
    written = {name for path in ROOT.glob("tests/**/*.py") for name in re.findall(r"def (test_\w+)", path.read_text())}
    assert set(re.findall(r"`(test_\w+)`", text)) - written == set()
