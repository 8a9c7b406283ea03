"""What programs of others say: schemas of Kubernetes and compose, hadolint. `make deployment` installs them."""

import subprocess
from pathlib import Path

import pytest
import yaml

from tests.deployment import tools
from tests.deployment.manifests import SIZES, built
from tests.embedded.launcher import ROOT

OF_AN_OPERATOR = "monitoring.coreos.com/v1"  # its schema is not one of Kubernetes


def run(name: str, *arguments: str | Path) -> None:
    program = tools.program(name)
    if program is None:
        pytest.skip(f"not installed: {name}; make deployment installs it")
    done = subprocess.run(
        [program, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_compose_files_keep_to_the_compose_specification() -> None:
    files = ("docker-compose.yml", "deploy/nodes/first.yml", "deploy/nodes/second.yml")
    run("check-jsonschema", "--builtin-schema", "vendor.compose-spec", *files)


@pytest.mark.parametrize("size", SIZES)
def test_manifests_keep_to_the_schemas_of_kubernetes(size: str, tmp_path: Path) -> None:
    for number, manifest in enumerate(built(size)):
        if manifest["apiVersion"] != OF_AN_OPERATOR:
            (tmp_path / f"{number}.yaml").write_text(yaml.safe_dump(manifest))
    run("kubernetes-validate", "--strict", "--version", "1.30", *sorted(tmp_path.iterdir()))


def test_hadolint_accepts_the_images() -> None:
    run("hadolint", "Dockerfile", "deploy/postgres/Dockerfile")
