"""Caddy with TLS before a web process: admin, API and sockets work by https, and http leads there.

`make recovery` runs it.
"""

import os
import re
import ssl
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from tests.admin import second_factor
from tests.recovery.processes import DEPLOY, database_of_our_own, free_port, manage, need, program, until, web

SUBPROTOCOL: Any = "qx.v1"
pytestmark = [
    pytest.mark.timeout(300),
    pytest.mark.skipif("RECOVERY" not in os.environ, reason="starts a service of its own: make recovery"),
]


def configuration(folder: Path, http_port: int) -> Path:
    """The recipe, which would open port 80, and tell this machine to trust its certificates."""
    text = (DEPLOY / "proxy/Caddyfile").read_text()
    assert "\tadmin off\n" in text
    file = folder / "Caddyfile"
    file.write_text(text.replace("\tadmin off\n", f"\tadmin off\n\tskip_install_trust\n\thttp_port {http_port}\n"))
    return file


def trusted(folder: Path) -> ssl.SSLContext:
    """With the certificate that Caddy gave itself, since no authority signs `localhost`."""
    root = folder / "caddy/pki/authorities/local/root.crt"
    until(root.exists, "a certificate")
    return ssl.create_default_context(cafile=str(root))


def test_the_service_works_behind_a_proxy_with_tls(folder: Path, settings_of_processes: dict[str, str]) -> None:
    caddy, port, http_port, web_port = need("caddy")["caddy"], free_port(), free_port(), free_port()
    address = f"https://localhost:{port}"
    folders = {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    proxy = {"PUBLIC_URL": address, "UPSTREAMS": f"127.0.0.1:{web_port}", **folders}
    config = ("--config", configuration(folder, http_port), "--adapter", "caddyfile")
    with database_of_our_own(folder) as database:
        given = settings_of_processes | database | {"PUBLIC_URL": address, "NUM_PROXIES": "1"}
        manage("migrate", "--verbosity=0", environment=given)
        login = re.findall(r"as (\S+) with (\S+)", manage("create_first_admin", environment=given))[0]
        with (
            web(folder, web_port, given),
            program(caddy, "run", *config, log=folder / "caddy.log", environment=proxy),
        ):
            context = trusted(folder)
            with httpx.Client(base_url=address, verify=context, headers={"Referer": f"{address}/"}) as browser:
                until(lambda: is_served(browser), "the proxy")
                check_admin(browser, *login)
                check_play(browser, context)
            moved = httpx.get(f"http://localhost:{http_port}/admin/")
            assert (moved.status_code, moved.headers["location"].split(":")[0]) == (308, "https")


def is_served(browser: httpx.Client) -> bool:
    try:
        return browser.get("/healthz").status_code == 200
    except httpx.TransportError:
        return False


def check_admin(browser: httpx.Client, email: str, password: str) -> None:
    """The form is accepted, its cookies are for https only, and the browser is told to use nothing else."""
    page = browser.get("/admin/login/")
    assert "max-age=31536000" in page.headers["strict-transport-security"]
    assert second_factor.enter_password(browser, email, password).url.path == second_factor.ENROLMENT
    assert all(cookie.secure for cookie in browser.cookies.jar)


def check_play(browser: httpx.Client, context: ssl.SSLContext) -> None:
    token = browser.post("/api/v1/players/guests", json={}).json()["token"]
    bearer = {"Authorization": f"Bearer {token}"}
    game = browser.post("/api/v1/games", json={"ruleset": "qwixx"}, headers=bearer).json()["id"]
    url = f"wss://{browser.base_url.netloc.decode()}/ws/v1/games/{game}"
    with connect(url, additional_headers=bearer, ssl=context, subprotocols=[SUBPROTOCOL], proxy=None) as line:
        assert '"hello"' in str(line.recv(20))
