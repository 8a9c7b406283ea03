"""How `manage.py up` ends, by a signal or killed, and what the next run finds."""

import signal
from pathlib import Path

import httpx

from tests.embedded.launcher import SERVERS, UP, LaunchedProgram, ended, kill


def ends_well(up: LaunchedProgram, number: signal.Signals) -> bool:
    """Whether `up` ends its processes in order, within ten seconds, and leaves none."""
    family = up.family()
    assert len(family) > 5
    assert up.end(number) < 10
    up.reader.join()
    assert up.process.returncode == 0
    assert in_order(up.lines, "worker: Warm shutdown", "] Shutting down", "up     | stopped")
    return ended(family, seconds=0)


def in_order(lines: list[str], *texts: str) -> bool:
    indexes = [next(index for index, line in enumerate(lines) if text in line) for text in texts]
    return indexes == sorted(indexes)


def test_up_leaves_no_process_when_it_is_stopped_before_it_is_ready(used: Path) -> None:
    with LaunchedProgram(UP, used) as up:
        up.wait_for("migrating")
        family = up.family()
        assert up.end(signal.SIGTERM) < 10
        assert up.process.returncode == 1
        assert ended(family, seconds=0)
        up.reader.join()
        assert up.lines[-1] == "Stopped before it was ready."


def test_the_next_run_has_the_data_after_kill_9_of_everything_and_ctrl_c_ends_it(data: Path) -> None:
    with LaunchedProgram(UP, data) as up:
        up.wait_for("log in to the admin as")
        key = (data / "secret_key").read_text()
        kill(up.family() | {up.process.pid})
    with LaunchedProgram(UP, data) as up:
        up.wait_for("worker | ")
        assert httpx.get(f"{up.home}/readyz", timeout=30).status_code == 200
        # The admin of the first run is still there, so no second one is made.
        assert "log in to the admin" not in "\n".join(up.lines)
        assert (data / "secret_key").read_text() == key
        assert ends_well(up, signal.SIGINT)


def test_kill_9_of_the_supervisor_leaves_no_process_and_sigterm_ends_the_next_run(used: Path) -> None:
    with LaunchedProgram(UP, used) as up:
        port = up.home.rpartition(":")[2]
        family = up.family()
        up.process.kill()
        with LaunchedProgram(UP, used, PORT=port) as next_up:
            next_up.wait_for("worker | ")
            assert next_up.home == up.home
            assert ended(family, seconds=0)
            assert ends_well(next_up, signal.SIGTERM)


def test_a_start_that_was_killed_while_it_created_its_data_is_repeated(data: Path) -> None:
    with LaunchedProgram(SERVERS, data) as servers:
        while not (data / "postgres.new" / "base").exists() and not (data / "postgres").exists():
            assert servers.process.poll() is None
        servers.process.kill()
    with LaunchedProgram(SERVERS, data) as servers:
        servers.wait_for("ready")
        assert not (data / "postgres.new").exists()


def test_a_killed_pytest_leaves_no_servers(tmp_path: Path) -> None:
    kills_itself = tmp_path / "test_kills_itself.py"
    kills_itself.write_text(
        "import os\n"
        "from tests.embedded.launcher import descendants\n"
        "def test_it():\n"
        "    print('family', *descendants(os.getpid()), flush=True)\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    argv = (UP[0], "-m", "pytest", "-s", "-c", "pyproject.toml", "--rootdir=.", str(kills_itself))
    with LaunchedProgram(argv, tmp_path) as pytest_:
        family = {int(pid) for pid in pytest_.wait_for("family").split("family")[1].split()}
        assert len(family) > 2
        assert pytest_.process.wait(10) == -signal.SIGKILL
        assert ended(family)
