"""Prometheus with deploy/prometheus beside a web process: it accepts all rules, and one fires when the process ends.

It takes a minute: `make recovery` runs it.
"""

import os
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from tests.recovery.processes import DEPLOY, answers, database_of_our_own, free_port, manage, need, program, until, web

pytestmark = [
    pytest.mark.timeout(300),
    pytest.mark.skipif("RECOVERY" not in os.environ, reason="takes a minute: make recovery"),
]
RECIPE = DEPLOY / "prometheus"


def configuration(folder: Path, port: int) -> Path:
    """The recipe with the address of this process in place of the names of containers."""
    config: Any = yaml.safe_load((RECIPE / "prometheus.yml").read_text())
    config["global"] = {"scrape_interval": "1s", "evaluation_interval": "1s"}
    config["rule_files"] = [str(RECIPE / "rules.yml")]
    del config["alerting"]
    (job,) = config["scrape_configs"]
    config["scrape_configs"] = [
        {"job_name": job["job_name"], "static_configs": [{"targets": [f"127.0.0.1:{port}"]}]},
    ]
    file = folder / "prometheus.yml"
    file.write_text(yaml.safe_dump(config))
    return file


def rules(address: str) -> list[Any]:
    groups: Any = httpx.get(f"{address}/api/v1/rules", timeout=10).json()["data"]["groups"]
    return [rule for group in groups for rule in group["rules"]]


def firing(address: str) -> set[str]:
    return {rule["name"] for rule in rules(address) if rule["state"] == "firing"}


def is_scraped(address: str) -> bool:
    targets = httpx.get(f"{address}/api/v1/targets", timeout=10).json()["data"]["activeTargets"]
    return [target["health"] for target in targets] == ["up"]


def test_prometheus_evaluates_every_rule_and_an_alert_fires_when_the_service_ends(
    folder: Path, settings_of_processes: dict[str, str]
) -> None:
    prometheus = need("prometheus")["prometheus"]
    web_port, port = free_port(), free_port()
    address = f"http://127.0.0.1:{port}"
    command = (
        *(prometheus, f"--config.file={configuration(folder, web_port)}"),
        *(f"--storage.tsdb.path={folder}/metrics", f"--web.listen-address=127.0.0.1:{port}"),
    )
    with database_of_our_own(folder) as database, program(*command, log=folder / "prometheus.log"):
        given = settings_of_processes | database
        manage("migrate", "--verbosity=0", environment=given)
        until(lambda: answers(f"{address}/-/ready"), "Prometheus")
        with web(folder, web_port, given):
            until(lambda: is_scraped(address), "a scrape")
            until(lambda: all(rule["health"] == "ok" for rule in rules(address)), "an evaluation of every rule")
            until(lambda: "QwixxServiceDown" not in firing(address), "the end of the alert of the start")
            assert firing(address) == set()
        until(lambda: "QwixxServiceDown" in firing(address), "the alert")
