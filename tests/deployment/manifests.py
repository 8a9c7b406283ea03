"""The manifests of deploy/kubernetes, as kustomize builds them, or the files alone where kubectl is missing."""

import functools
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.embedded.launcher import ROOT

FOLDER = ROOT / "deploy/kubernetes"
SIZES = ("small", "large")
WORKLOADS = ("Deployment", "Job")
Manifest = dict[str, Any]


@functools.cache
def built(size: str) -> tuple[Manifest, ...]:
    kubectl = shutil.which("kubectl")
    if kubectl is None:
        pytest.skip("not installed: kubectl")
    done = subprocess.run([kubectl, "kustomize", FOLDER / size], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return tuple(yaml.safe_load_all(done.stdout))


def written(folder: Path) -> list[Manifest]:
    """What the files of one folder hold that its kustomization names."""
    names = kustomization(folder)["resources"]
    return [each for name in names if name.endswith(".yaml") for each in documents(folder / name)]


def kustomization(folder: Path) -> Manifest:
    found: Manifest = yaml.safe_load((folder / "kustomization.yaml").read_text())
    return found


def documents(file: Path) -> list[Manifest]:
    return [each for each in yaml.safe_load_all(file.read_text()) if each]


def of_kind(manifests: Any, *kinds: str) -> list[Manifest]:
    return [each for each in manifests if each["kind"] in kinds]


def name_of(manifest: Manifest) -> str:
    return f"{manifest['kind']}/{manifest['metadata']['name']}"


def pod_of(manifest: Manifest) -> Manifest:
    found: Manifest = manifest["spec"]["template"]
    return found


def selects(labels: Manifest, pod: Manifest) -> bool:
    return bool(labels.items() <= pod["metadata"]["labels"].items())
