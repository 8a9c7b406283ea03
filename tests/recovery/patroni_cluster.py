"""Three nodes of PostgreSQL under Patroni with etcd, and HAProxy before them, from the files in deploy/patroni."""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import httpx

from tests.recovery.processes import DEPLOY, ROOT, folder_of_servers, free_port, need, program, until

PROGRAMS = ("patroni", "etcd", "haproxy", "initdb", "postgres", "psql")
PASSWORD = "only-for-tests"
SMALL = {"shared_buffers: 1GB": "shared_buffers: 64MB", "max_wal_size: 4GB": "max_wal_size: 1GB"}


class Node(NamedTuple):
    name: str
    folder: Path
    port: int
    check_port: int

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def is_leader(self) -> bool:
        """A leader that accepts writes and has a synchronous standby."""
        return self.answers("primary")

    def answers(self, what: str) -> bool:
        try:
            return httpx.get(f"http://127.0.0.1:{self.check_port}/{what}", timeout=2).status_code == 200
        except httpx.HTTPError:
            return False

    def signal(self, number: signal.Signals) -> None:
        """To Patroni and to every process of its PostgreSQL, as the loss or the freeze of a machine would."""
        for pid in processes_of(self.folder):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)


def processes_of(folder: Path) -> set[int]:
    """Those that were started with a path in this folder, and their children."""
    parents: dict[int, int] = {}
    found: set[int] = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError, IndexError):
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                if f"{folder}/" in (entry / "cmdline").read_text().replace("\0", " "):
                    found.add(int(entry.name))
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found


class Cluster(NamedTuple):
    nodes: list[Node]
    addresses: dict[str, str]  # by the ways that lead to the leader
    start: Callable[[Node], None]

    def leader(self) -> Node:
        found: Node = until(lambda: next((node for node in self.nodes if node.is_leader()), None), "a leader")
        return found

    def has_two_standbys(self) -> None:
        """Wait until one is synchronous and the other one could become it."""
        wanted = [("synchronous", 1), ("replica", 2)]
        until(lambda: all(sum(node.answers(what) for node in self.nodes) == n for what, n in wanted), "two standbys")

    def successor(self, of: Node, within_s: float = 90.0) -> float:
        """Wait until another node leads; the seconds that it took."""
        began = time.monotonic()
        until(lambda: any(node.is_leader() for node in self.nodes if node is not of), "a new leader", within_s)
        return time.monotonic() - began


def addresses(nodes: list[Node], leader_port: int) -> dict[str, str]:
    """By all hosts, and by HAProxy."""
    hosts = ",".join(f"127.0.0.1:{node.port}" for node in nodes)
    options = "target_session_attrs=read-write&load_balance_hosts=random&connect_timeout=2"
    return {"hosts": f"{hosts}/qwixx?{options}", "haproxy": f"127.0.0.1:{leader_port}/qwixx"}


def configuration(folder: Path) -> Path:
    """The file of the recipe, with the memory of a test and the script beside it."""
    text = (DEPLOY / "patroni/patroni.yml").read_text().replace("/etc/patroni/", f"{DEPLOY}/patroni/")
    for wanted, used in SMALL.items():
        assert wanted in text
        text = text.replace(wanted, used)
    file = folder / "patroni.yml"
    file.write_text(text)
    return file


def environment_of(node: Node, etcd: int, programs: dict[str, str]) -> dict[str, str]:
    """What deploy/patroni/node.env holds."""
    given = {
        "NAME": node.name,
        "RESTAPI_LISTEN": f"127.0.0.1:{node.check_port}",
        "RESTAPI_CONNECT_ADDRESS": f"127.0.0.1:{node.check_port}",
        "POSTGRESQL_LISTEN": f"127.0.0.1:{node.port}",
        "POSTGRESQL_CONNECT_ADDRESS": f"127.0.0.1:{node.port}",
        "POSTGRESQL_DATA_DIR": str(node.data),
        "POSTGRESQL_BIN_DIR": str(Path(programs["postgres"]).resolve().parent),
        "POSTGRESQL_PGPASS": str(node.folder / "passwords"),
        "ETCD3_HOSTS": f"127.0.0.1:{etcd}",
        **{f"{role}_PASSWORD": PASSWORD for role in ("SUPERUSER", "REPLICATION", "REWIND")},
    }
    roles = {"OWNER_PASSWORD": PASSWORD, "SERVICE_PASSWORD": PASSWORD}
    return {f"PATRONI_{name}": value for name, value in given.items()} | roles | {"ROLES_FOLDER": f"{ROOT}/{ROLES}"}


ROLES = "qwixx_service/embedded"


@contextlib.contextmanager
def started_node(node: Node, config: Path, environment: dict[str, str], patroni: str) -> Iterator[None]:
    """The configuration is copied into the folder of the node, so that its processes are found by it."""
    copied = node.folder / "patroni.yml"
    copied.write_text(config.read_text())
    log = node.folder.parent / f"{node.name}.log"
    with program(patroni, copied, log=log, environment=environment, as_servers=True):
        try:
            yield
        finally:
            node.signal(signal.SIGCONT)
            node.signal(signal.SIGKILL)


@contextlib.contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    programs = need(*PROGRAMS)
    etcd, peer, leader_port = free_port(), free_port(), free_port()
    nodes = [Node(f"db-{n}", folder_of_servers(folder / f"db-{n}"), free_port(), free_port()) for n in (1, 2, 3)]
    etcd_command = (
        *(programs["etcd"], "--data-dir", folder / "etcd", "--listen-client-urls", f"http://127.0.0.1:{etcd}"),
        *("--advertise-client-urls", f"http://127.0.0.1:{etcd}", "--listen-peer-urls", f"http://127.0.0.1:{peer}"),
    )
    proxy = {"LEADER_BIND": f"127.0.0.1:{leader_port}"}
    for number, node in enumerate(nodes, 1):
        proxy |= {f"DB_{number}": f"127.0.0.1:{node.port}", f"DB_{number}_CHECK": str(node.check_port)}
    with contextlib.ExitStack() as stack:
        stack.enter_context(program(*etcd_command, log=folder / "etcd.log"))
        config = configuration(folder)

        def start(node: Node) -> None:
            given = environment_of(node, etcd, programs)
            stack.enter_context(started_node(node, config, given, programs["patroni"]))

        for node in nodes:
            start(node)
        haproxy = (programs["haproxy"], "-db", "-f", DEPLOY / "patroni/haproxy.cfg")
        stack.enter_context(program(*haproxy, log=folder / "haproxy.log", environment=proxy))
        found = Cluster(nodes, addresses(nodes, leader_port), start)
        found.leader()
        found.has_two_standbys()
        yield found
