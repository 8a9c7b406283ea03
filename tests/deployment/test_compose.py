"""The compose file: consistent with itself, and as closed as the image allows."""

import re
from typing import Any

import pytest
import yaml

from tests.embedded.launcher import ROOT

TEXT = (ROOT / "docker-compose.yml").read_text()
COMPOSE: Any = yaml.safe_load(TEXT)
SERVICES: dict[str, Any] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if service.get("image") == "qwixx-service"}
by_service = pytest.mark.parametrize("name", SERVICES)
ON_THE_NETWORK = {"80", "443"}


def test_it_has_a_service_for_each_role_and_what_they_need() -> None:
    assert OURS.keys() == {"web", "worker", "bots", "beat", "migrate"}
    assert SERVICES.keys() >= {"proxy", "postgres", "backup", "redis", "prometheus", "alertmanager", "grafana"}
    assert SERVICES["web"]["deploy"]["replicas"] == "${WEB_REPLICAS:-2}"
    assert len(re.findall(r"qwixx-web-\d+:8000", SERVICES["proxy"]["environment"]["UPSTREAMS"])) == 2


@by_service
def test_a_service_starts_again_and_its_log_is_bounded(name: str) -> None:
    assert SERVICES[name]["restart"] in {"unless-stopped", "on-failure"}
    assert SERVICES[name]["logging"]["options"].keys() == {"max-size", "max-file"}


@by_service
def test_images_have_a_version(name: str) -> None:
    image = SERVICES[name]["image"]
    assert "build" in SERVICES[name] or image.startswith("qwixx-") or re.search(r":v?\d", image)


@by_service
def test_what_a_service_waits_for_is_healthy_or_ends(name: str) -> None:
    for other, wanted in SERVICES[name].get("depends_on", {}).items():
        if wanted["condition"] == "service_healthy":
            assert "healthcheck" in SERVICES[other] or SERVICES[other].get("image") == "qwixx-service"
        else:
            assert SERVICES[other]["restart"] == "on-failure"


@by_service
def test_every_volume_is_declared_or_a_file_of_the_repository(name: str) -> None:
    for volume in SERVICES[name].get("volumes", ()):
        source = volume.partition(":")[0]
        assert (ROOT / source).exists() if source.startswith("./") else source in COMPOSE["volumes"]


@pytest.mark.parametrize("name", OURS.keys() | {"backup", "redis", "proxy", "prometheus", "alertmanager", "grafana"})
def test_a_service_has_a_read_only_file_system_and_no_capability_that_it_does_not_need(name: str) -> None:
    assert SERVICES[name]["read_only"] is True
    assert SERVICES[name]["cap_drop"] == ["ALL"]
    if name in OURS:
        assert "cap_add" not in SERVICES[name]
        assert SERVICES[name]["security_opt"] == ["no-new-privileges:true"]


def test_only_the_proxy_is_reachable_from_other_machines() -> None:
    ports = {(name, port) for name, service in SERVICES.items() for port in service.get("ports", ())}
    public = {name for name, port in ports if not port.startswith("127.0.0.1:")}
    assert public == {"proxy"}
    inside = {port.removesuffix("/udp").rpartition(":")[2] for name, port in ports if not port.startswith("127.")}
    assert inside == ON_THE_NETWORK


def test_databases_have_passwords_and_only_migrate_knows_the_owner() -> None:
    assert "--requirepass" in SERVICES["redis"]["command"]
    assert {name for name, service in OURS.items() if "OWNER_PASSWORD" in str(service)} == {"migrate"}


def test_first_admin_is_created_after_the_migrations() -> None:
    assert re.search(r"manage\.py migrate .* && python manage\.py create_first_admin", SERVICES["migrate"]["command"])
    assert SERVICES["web"]["depends_on"]["migrate"]["condition"] == "service_completed_successfully"


def test_a_signal_reaches_each_process_of_ours_and_it_has_time_to_end() -> None:
    assert all(service["init"] and service["stop_grace_period"] == "10s" for service in OURS.values())


def test_a_second_machine_has_the_same_roles_and_needs_addresses_keys_and_passwords() -> None:
    services = yaml.safe_load((ROOT / "deploy/nodes/second.yml").read_text())["services"]
    assert services.keys() < OURS.keys()
    for service in services.values():
        assert service["environment"].keys() == {"DATABASE_URL", "REDIS_URL", "SECRET_KEY"}
        assert all(":?" in value for value in service["environment"].values())


def test_databases_are_opened_to_the_private_network_only_by_the_file_for_the_first_machine() -> None:
    services = yaml.safe_load((ROOT / "deploy/nodes/first.yml").read_text())["services"]
    assert services.keys() == {"postgres", "redis"}
    assert all(port.startswith("${PRIVATE_ADDRESS:?") for service in services.values() for port in service["ports"])
