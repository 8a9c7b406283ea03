"""Scripts and configurations in deploy/ are accepted by the programs that read them, where these are installed."""

import os
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.embedded.launcher import ROOT
from tests.recovery.processes import need

DEPLOY = ROOT / "deploy"
SCRIPTS = sorted(DEPLOY.rglob("*.sh"))
PROXY = {"PUBLIC_URL": "https://play.example.org", "UPSTREAMS": "one:8000 two:8000"}
NODES = {f"DB_{number}": f"127.0.0.{number}:5432" for number in (1, 2, 3)}
CHECKS = {f"DB_{number}_CHECK": "8008" for number in (1, 2, 3)}


def accepted(*command: str | Path, **environment: str) -> None:
    done = subprocess.run(
        [*map(str, command)], env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_are_shell_that_ends_at_the_first_error(script: Path) -> None:
    assert "set -eu" in script.read_text()
    assert os.access(script, os.X_OK) or script.parent.name == "postgres"  # the image makes those executable
    accepted("sh", "-n", script)


def test_caddy_accepts_its_configuration(tmp_path: Path) -> None:
    file = DEPLOY / "proxy/Caddyfile"
    folders = {"XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    accepted(need("caddy")["caddy"], "validate", "--config", file, "--adapter", "caddyfile", **PROXY, **folders)


def test_haproxy_accepts_its_configuration() -> None:
    file = DEPLOY / "patroni/haproxy.cfg"
    accepted(need("haproxy")["haproxy"], "-c", "-f", file, LEADER_BIND="127.0.0.1:5000", **NODES, **CHECKS)


def test_nodes_of_patroni_acknowledge_nothing_that_one_machine_alone_has() -> None:
    config = yaml.safe_load((DEPLOY / "patroni/patroni.yml").read_text())["bootstrap"]["dcs"]
    assert (config["synchronous_mode"], config["synchronous_mode_strict"]) == (True, True)
    assert config["loop_wait"] + 2 * config["retry_timeout"] <= config["ttl"]
    settings = config["postgresql"]["parameters"]
    assert [settings[name] for name in ("fsync", "synchronous_commit", "full_page_writes")] == ["on", "on", "on"]


def test_no_statement_and_no_argument_is_logged_by_any_recipe() -> None:
    patroni = yaml.safe_load((DEPLOY / "patroni/patroni.yml").read_text())
    settings = patroni["bootstrap"]["dcs"]["postgresql"]["parameters"]
    container = (DEPLOY / "postgres/qwixx.conf").read_text()
    for name in ("log_statement", "log_min_error_statement", "log_parameter_max_length_on_error"):
        assert f"{name} = {settings[name]}" in container
