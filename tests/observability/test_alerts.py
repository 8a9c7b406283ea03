"""Alert rules: each names metrics that exist, fires as its test says, and has its section in the runbook."""

import re
import shutil
import subprocess
from typing import Any

import pytest
import yaml

from tests.embedded.launcher import ROOT
from tests.observability.metric_names import named, unknown

PROMETHEUS = ROOT / "deploy/prometheus"
RULES: Any = [
    rule for group in yaml.safe_load((PROMETHEUS / "rules.yml").read_text())["groups"] for rule in group["rules"]
]
SECTIONS = dict(
    re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", (ROOT / "docs/runbook.md").read_text(), re.MULTILINE | re.DOTALL)
)


def promtool(*arguments: str) -> None:
    program = shutil.which("promtool")
    if program is None:
        pytest.skip("not installed: promtool")
    done = subprocess.run(
        [program, *arguments], cwd=PROMETHEUS, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_every_alert_has_its_section_in_the_runbook_and_no_section_is_without_one() -> None:
    assert [rule["alert"] for rule in RULES] == list(dict.fromkeys(rule["alert"] for rule in RULES))
    assert {rule["alert"] for rule in RULES} == set(SECTIONS)


@pytest.mark.parametrize("name", SECTIONS)
def test_a_section_says_what_an_alert_means_what_to_look_at_and_what_to_do(name: str) -> None:
    assert re.findall(r"^- \*\*(.+?)\*\*: \S", SECTIONS[name], re.MULTILINE) == ["Means", "Look at", "Do"]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["alert"])
def test_an_alert_names_its_urgency_and_leads_to_its_section(rule: Any) -> None:
    assert rule["labels"]["severity"] in {"page", "ticket"}
    assert rule["annotations"].keys() == {"summary", "runbook_url"}
    assert rule["annotations"]["runbook_url"] == f"docs/runbook.md#{rule['alert'].lower()}"


@pytest.mark.django_db
def test_alerts_query_metrics_that_exist(server: str) -> None:
    assert unknown(server, (rule["expr"] for rule in RULES)) == set()
    assert named('sum by (le) (rate(a_total{b="c"}[5m])) > 2 or absent(up{job="x"})') == {"a_total", "up"}
    assert unknown(server, ["qwixx_commands > 0"]) == {"qwixx_commands in qwixx_commands > 0"}


def test_linked_sections_of_the_runbook_exist() -> None:
    linked = set(re.findall(r"\(#(\w+)\)", (ROOT / "docs/runbook.md").read_text()))
    assert linked <= {name.lower() for name in SECTIONS}


def test_promtool_accepts_rules_and_configuration() -> None:
    promtool("check", "rules", "rules.yml")
    promtool("check", "config", "--syntax-only", "prometheus.yml")


def test_alerts_fire_on_the_numbers_of_their_fault_and_on_no_others() -> None:
    promtool("test", "rules", "rules_test.yml")
