"""Manifests for Kubernetes: complete, consistent with each other, and within the restricted pod security standard."""

import json
import re
from typing import Any

import pytest
import yaml

from qwixx_service.embedded.process_list import PROTOCOLS
from tests.deployment.manifests import (
    FOLDER,
    SIZES,
    WORKLOADS,
    Manifest,
    built,
    documents,
    kustomization,
    name_of,
    of_kind,
    pod_of,
    selects,
    written,
)
from tests.embedded.launcher import ROOT

BASE = written(FOLDER / "base")
DEPLOYMENTS = of_kind(BASE, "Deployment")
by_name = pytest.mark.parametrize("workload", of_kind(BASE, *WORKLOADS), ids=name_of)
by_size = pytest.mark.parametrize("size", SIZES)


def container_of(workload: Manifest) -> Manifest:
    (found,) = pod_of(workload)["spec"]["containers"]
    assert isinstance(found, dict)
    return found


def test_every_process_of_the_compose_file_has_a_workload() -> None:
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    ours = {name for name, service in compose.items() if service.get("image") == "qwixx-service"}
    assert ours == {workload["metadata"]["name"] for workload in of_kind(BASE, *WORKLOADS)}


@pytest.mark.parametrize("folder", ["base", *SIZES])
def test_every_file_that_a_kustomization_names_exists_and_none_is_left_out(folder: str) -> None:
    named = set(kustomization(FOLDER / folder)["resources"])
    assert [name for name in named if not (FOLDER / folder / name).exists()] == []
    files = {path.name for path in (FOLDER / folder).glob("*.yaml")} - {"kustomization.yaml"}
    assert files <= named


@by_size
def test_every_patch_has_its_target(size: str) -> None:
    """kustomize itself is silent about a target that matches nothing."""
    known = {(each["kind"], each["metadata"]["name"]) for each in BASE}
    asked = kustomization(FOLDER / size)
    assert {(patch["target"]["kind"], patch["target"]["name"]) for patch in asked["patches"]} <= known
    assert {("Deployment", each["name"]) for each in asked["replicas"]} <= known


@by_name
def test_a_pod_keeps_to_the_restricted_standard(workload: Manifest) -> None:
    pod, container = pod_of(workload)["spec"], container_of(workload)
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert f"--uid {pod['securityContext']['runAsUser']}" in (ROOT / "Dockerfile").read_text()
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert pod["automountServiceAccountToken"] is False
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    volumes = {volume["name"] for volume in pod["volumes"] if "emptyDir" in volume}
    assert {mount["name"] for mount in container["volumeMounts"]} == volumes


@by_name
def test_a_pod_has_requests_a_memory_limit_and_settings(workload: Manifest) -> None:
    container = container_of(workload)
    assert container["resources"]["requests"].keys() == {"cpu", "memory"}
    assert "memory" in container["resources"]["limits"]
    sources = [next(iter(source.values()))["name"] for source in container["envFrom"]]
    is_migration = workload["kind"] == "Job"
    assert sources == ["qwixx-settings", "qwixx-secrets", *(["qwixx-owner"] if is_migration else [])]


@by_name
def test_selectors_match_the_labels_of_their_pods(workload: Manifest) -> None:
    spec, pod = workload["spec"], pod_of(workload)
    wanted = [spec["selector"]["matchLabels"]] if "selector" in spec else []
    wanted += [spread["labelSelector"]["matchLabels"] for spread in pod["spec"].get("topologySpreadConstraints", ())]
    assert all(selects(labels, pod) for labels in wanted)
    assert pod["metadata"]["labels"]["app.kubernetes.io/component"] == workload["metadata"]["name"]


@pytest.mark.parametrize("deployment", DEPLOYMENTS, ids=name_of)
def test_a_process_that_runs_is_probed_and_ends_within_its_grace(deployment: Manifest) -> None:
    container, pod = container_of(deployment), pod_of(deployment)["spec"]
    assert "livenessProbe" in container
    assert pod["terminationGracePeriodSeconds"] >= 10


def test_web_is_probed_for_play_alive_without_a_database_and_drained() -> None:
    (web,) = (each for each in DEPLOYMENTS if each["metadata"]["name"] == "web")
    container = container_of(web)
    paths = {name: container[f"{name}Probe"]["httpGet"]["path"] for name in ("startup", "readiness", "liveness")}
    assert paths == {"startup": "/readyz", "readiness": "/readyz", "liveness": "/healthz"}
    probe = container["readinessProbe"]
    assert probe["failureThreshold"] * (probe["periodSeconds"] + probe["timeoutSeconds"]) <= 4
    (drain_s,) = (int(word) for word in container["lifecycle"]["preStop"]["exec"]["command"] if word.isdigit())
    graceful_s = int(re.findall(r"--timeout-graceful-shutdown=(\d+)", (ROOT / "Dockerfile").read_text())[0])
    assert drain_s + graceful_s < pod_of(web)["spec"]["terminationGracePeriodSeconds"]
    assert web["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"] == 0
    assert "command" not in container, "the image's own command has the limits of connections"
    assert all(option in (ROOT / "Dockerfile").read_text() for option in PROTOCOLS)


def test_queues_of_the_workers_are_those_of_the_compose_file() -> None:
    compose = (ROOT / "docker-compose.yml").read_text()
    commands = [" ".join(container_of(each).get("command", ())) for each in DEPLOYMENTS]
    wanted = set(re.findall(r"--queues=\S+", compose))
    assert {queue for command in commands for queue in re.findall(r"--queues=\S+", command)} == wanted


def test_budgets_policies_and_scalers_name_pods_that_exist() -> None:
    pods = [pod_of(each) for each in of_kind(BASE, *WORKLOADS)]
    selectors = [each["spec"]["selector"]["matchLabels"] for each in of_kind(BASE, "PodDisruptionBudget")]
    selectors += [each["spec"]["podSelector"].get("matchLabels", {}) for each in of_kind(BASE, "NetworkPolicy")]
    selectors += [each["spec"]["selector"] for each in of_kind(BASE, "Service") if "selector" in each["spec"]]
    assert [labels for labels in selectors if not any(selects(labels, pod) for pod in pods)] == []
    names = {each["metadata"]["name"] for each in DEPLOYMENTS}
    assert {each["spec"]["scaleTargetRef"]["name"] for each in of_kind(BASE, "HorizontalPodAutoscaler")} <= names


def test_the_namespace_enforces_the_restricted_standard_and_nothing_is_reached_by_default() -> None:
    (namespace,) = of_kind(BASE, "Namespace")
    assert namespace["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"
    policies = {each["metadata"]["name"]: each["spec"] for each in of_kind(BASE, "NetworkPolicy")}
    closed = policies["nothing-by-default"]
    assert (closed["podSelector"], closed["policyTypes"]) == ({}, ["Ingress", "Egress"])
    assert "ingress" not in closed
    assert "egress" not in closed


def test_autoscaling_uses_metrics_that_the_adapter_offers() -> None:
    offered = (FOLDER / "metrics-adapter.yaml").read_text()
    used = set(re.findall(r"name: (qwixx_\w+)", (FOLDER / "base/scaling.yaml").read_text()))
    assert used
    assert {name for name in used if f"'{name}{{" not in offered} == set()


def test_settings_are_settings_of_the_service() -> None:
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]["web"]["environment"]
    lines = (FOLDER / "base/settings.env").read_text().splitlines()
    assert {line.partition("=")[0] for line in lines} <= compose.keys()


@by_size
def test_kustomize_builds_each_size_with_images_and_settings_in_place(size: str) -> None:
    manifests = built(size)
    assert len({name_of(each) for each in manifests}) == len(manifests)
    images = {container_of(each)["image"] for each in of_kind(manifests, *WORKLOADS)}
    assert len(images) == 1
    assert not images.pop().endswith(("qwixx-service", ":latest"))
    settings = {each["metadata"]["name"] for each in of_kind(manifests, "ConfigMap")}
    text = json.dumps(manifests)
    assert set(re.findall(r'"configMapRef": {"name": "([^"]+)"}', text)) == settings
    assert {each["metadata"].get("namespace", "qwixx") for each in manifests} == {"qwixx"}


@by_size
def test_what_is_scaled_has_no_number_of_replicas_that_an_upgrade_would_restore(size: str) -> None:
    manifests = built(size)
    deployments = {each["metadata"]["name"]: each["spec"] for each in of_kind(manifests, "Deployment")}
    for scaler in of_kind(manifests, "HorizontalPodAutoscaler"):
        spec: Any = scaler["spec"]
        assert spec["metrics"]
        assert spec["minReplicas"] < spec["maxReplicas"]
        assert "replicas" not in deployments[spec["scaleTargetRef"]["name"]]


def test_the_large_size_is_scaled_by_sockets_and_queues_and_the_small_one_needs_no_adapter() -> None:
    kinds = {
        size: {
            metric["type"]
            for scaler in of_kind(built(size), "HorizontalPodAutoscaler")
            for metric in scaler["spec"]["metrics"]
        }
        for size in SIZES
    }
    assert kinds == {"small": {"Resource"}, "large": {"Pods", "Resource", "External"}}


def test_the_pod_monitor_scrapes_web_under_the_job_that_the_rules_name() -> None:
    (monitor,) = documents(FOLDER / "large/monitoring.yaml")
    (web,) = (each for each in DEPLOYMENTS if each["metadata"]["name"] == "web")
    assert selects(monitor["spec"]["selector"]["matchLabels"], pod_of(web))
    (job,) = (each["replacement"] for each in monitor["spec"]["podMetricsEndpoints"][0]["relabelings"])
    assert f'job="{job}"' in (ROOT / "deploy/prometheus/rules.yml").read_text()
