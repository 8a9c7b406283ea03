"""Settings of production follow from PUBLIC_URL, and the environment of docker-compose.yml passes Django's checks."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from qwixx_service.embedded.process_list import PROTOCOLS
from tests.embedded.launcher import ROOT, environment

COMPOSE: Any = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
VARIABLE = re.compile(r"\$\{(\w+):-([^${}]*)\}")
SHOW = """
import json
import qwixx_service.settings as settings
values = {name: value for name, value in vars(settings).items() if name.isupper()}
print(json.dumps(values, default=str))
"""
# The image sets the first; the owner's address is for `migrate` only; the others are for development.
NOT_FOR_CONTAINERS = {"DATA_DIR", "DATABASE_OWNER_URL", "DEBUG", "WEBHOOKS_ALLOW_LOOPBACK"}
PUBLIC = {
    "PUBLIC_URL": "https://play.example.org",
    "NUM_PROXIES": "1",
    "EMAIL_URL": "smtp+tls://service:secret@mail.example.org:587",
}


def filled_in(value: str, **given: str) -> str:
    """Compose's `${NAME:-default}`, from the inside outwards."""
    while (replaced := VARIABLE.sub(lambda found: given.get(found[1]) or found[2], value)) != value:
        value = replaced
    return value


def compose_environment(**given: str) -> dict[str, str]:
    return {name: filled_in(str(value), **given) for name, value in COMPOSE["services"]["web"]["environment"].items()}


def run(data: Path, *arguments: str, **given: str) -> subprocess.CompletedProcess[str]:
    data.mkdir()
    variables = environment(data, compose_environment(**given))
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=variables, capture_output=True, text=True, timeout=100, check=False
    )


def settings_with(data: Path, **given: str) -> dict[str, Any]:
    done = run(data, "-c", SHOW, **given)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = yaml.safe_load(done.stdout)
    return found


def test_check_for_deployment_is_clean_with_the_environment_of_the_compose_file(data: Path) -> None:
    done = run(data, "manage.py", "check", "--deploy", "--fail-level", "WARNING", **PUBLIC)
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


def test_check_for_deployment_warns_without_tls(data: Path) -> None:
    done = run(data, "manage.py", "check", "--deploy", "--fail-level", "WARNING")
    assert done.returncode != 0
    assert set(re.findall(r"security\.W\d+", done.stderr)) == {
        f"security.W{number}" for number in ("004", "012", "016")
    }


def test_check_for_deployment_warns_of_mails_in_the_log(data: Path) -> None:
    done = run(data, "manage.py", "check", "--deploy", "--fail-level", "WARNING", **PUBLIC | {"EMAIL_URL": ""})
    assert done.returncode != 0
    assert "qwixx_service.W002" in done.stderr


def test_https_in_the_public_address_turns_on_what_tls_needs(data: Path) -> None:
    found = settings_with(data, **PUBLIC)
    assert [found[f"{name}_COOKIE_SECURE"] for name in ("SESSION", "CSRF", "LANGUAGE")] == [True, True, True]
    assert found["SECURE_HSTS_SECONDS"] == 31_536_000
    assert found["CSRF_TRUSTED_ORIGINS"] == ["https://play.example.org"]
    assert found["SECURE_PROXY_SSL_HEADER"] == ["HTTP_X_FORWARDED_PROTO", "https"]
    assert found["SECURE_SSL_REDIRECT"] is False
    assert "play.example.org" in found["ALLOWED_HOSTS"]


def test_scheme_of_a_proxy_is_trusted_only_if_there_is_one(data: Path) -> None:
    found = settings_with(data, PUBLIC_URL="https://play.example.org", NUM_PROXIES="0")
    assert (found["NUM_PROXIES"], found["SECURE_PROXY_SSL_HEADER"]) == (0, None)


def test_http_needs_nothing_of_it(data: Path) -> None:
    found = settings_with(data)
    assert not any(found[f"{name}_COOKIE_SECURE"] for name in ("SESSION", "CSRF", "LANGUAGE"))
    assert (found["SECURE_HSTS_SECONDS"], found["CSRF_TRUSTED_ORIGINS"], found["CORS_ORIGINS"]) == (0, [], [])
    assert found["STAFF_SECOND_FACTOR"] == "required"


def test_compose_file_hands_every_setting_on_that_is_for_containers() -> None:
    named = set(re.findall(r"""env(?:\.\w+)?\("([A-Z_]+)\"""", (ROOT / "qwixx_service/settings.py").read_text()))
    assert named - COMPOSE["services"]["web"]["environment"].keys() == NOT_FOR_CONTAINERS
    assert COMPOSE["services"]["migrate"]["environment"].keys() >= {"DATABASE_OWNER_URL"}


def test_operations_name_every_variable_of_the_compose_file() -> None:
    variables = set(re.findall(r"\$\{(\w+)", (ROOT / "docker-compose.yml").read_text()))
    assert variables - set(re.findall(r"`(\w+)`", (ROOT / "docs/operations.md").read_text())) == set()


def test_compose_file_hands_settings_on_and_gives_redis_its_password(data: Path) -> None:
    given = {"CORS_ORIGINS": "https://a.example.org,https://b.example.org", "STAFF_SECOND_FACTOR": "optional"}
    found = settings_with(data, **PUBLIC, **given, REDIS_PASSWORD="secret-7")
    assert found["CORS_ORIGINS"] == ["https://a.example.org", "https://b.example.org"]
    assert (found["NUM_PROXIES"], found["STAFF_SECOND_FACTOR"]) == (1, "optional")
    assert found["REDIS_URL"] == "redis://:secret-7@redis:6379/0"
    redis = COMPOSE["services"]["redis"]
    command = [filled_in(word, REDIS_PASSWORD="secret-7") for word in redis["command"]]
    assert command[command.index("--requirepass") + 1] == "secret-7"
    assert filled_in(redis["environment"]["REDISCLI_AUTH"], REDIS_PASSWORD="secret-7") == "secret-7"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PUBLIC_URL", "play.example.org"),
        ("PUBLIC_URL", "https://[::1"),
        ("PUBLIC_URL", "https://a:b"),
        ("STAFF_SECOND_FACTOR", "off"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(data: Path, name: str, value: str) -> None:
    done = run(data, "-c", SHOW, **{name: value})
    assert done.returncode == 1
    assert done.stderr.startswith(name)


def test_the_image_starts_the_web_process_with_the_limits_of_make_run() -> None:
    """uvicorn would otherwise trust the addresses that a proxy on its machine, or an environment variable, names."""
    (command,) = re.findall(r"^CMD (.+)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert {*PROTOCOLS, "--no-access-log", "--no-proxy-headers"} <= {*json.loads(command)}
