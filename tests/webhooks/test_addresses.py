"""No webhook reaches this machine or a private network (SSRF), by name, by address or by a name that changes."""

import socket
from pathlib import Path
from typing import Any

import httpx
import pytest

from games.rules.refused import Refused
from games.webhooks import http_sender
from games.webhooks.public_addresses import checked_url, is_allowed
from tests.webhooks.receiver import Receiver, ServedReceiver, serving

CERTIFICATE = Path(__file__).parent / "hook.example.org.pem"  # of a test only, signed by itself
PRIVATE = [
    *("127.0.0.1", "127.9.9.9", "0.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1"),
    *("192.0.2.1", "192.88.99.1", "198.18.0.1", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255"),
    *(
        "::",
        "::1",
        "fc00::1",
        "fd12::1",
        "fe80::1",
        "fe80::1%1",
        "ff02::1",
        "fec0::1",
        "2001:db8::1",
        "3fff::1",
        "2001::1",
    ),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::"),
]


@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_that_is_not_public_is_refused(address: str) -> None:
    assert not is_allowed(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "93.184.215.14", "2606:4700:4700::1111"])
def test_a_public_address_is_allowed(address: str) -> None:
    assert is_allowed(address)


@pytest.mark.parametrize("address", ["10.1.2.3", "169.254.169.254", "fe80::1", "::ffff:192.168.0.1"])
def test_the_setting_for_development_allows_loopback_only(address: str) -> None:
    assert not is_allowed(address, allow_loopback=True)


@pytest.mark.parametrize(
    "url",
    [
        *("http://example.org/", "ftp://example.org/", "file:///etc/passwd", "//example.org/", "example.org", ""),
        *("https://127.0.0.1/", "https://[::1]/", "https://10.0.0.1:8443/", "https://localhost/", "https://intranet/"),
        *("https://user:password@example.org/", "https://example.org/#part", "https://example.org:99999/"),
        *("https:///path", "https://exa mple.org/", "https://example.org/\n", "https://exämple.org/"),
        "https://example.org/" + "x" * 1000,
    ],
)
def test_such_a_url_is_not_registered(url: str) -> None:
    with pytest.raises(Refused, match="malformed"):
        checked_url(url, allow_loopback=False)


def test_a_public_https_url_is_registered() -> None:
    url = "https://example.org:8443/hook?key=1"
    assert checked_url(url, allow_loopback=False) == url


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001"])
def test_no_spelling_of_this_machine_is_connected(served: ServedReceiver, host: str) -> None:
    url = served.url.replace("127.0.0.1", host)
    assert http_sender.send(url, {}, "{}", allow_loopback=False).error == "address_not_allowed"
    assert http_sender.send(url, {}, "{}", allow_loopback=True).status == 204
    assert len(served.receiver.received) == 1


def answering(monkeypatch: pytest.MonkeyPatch, *rounds: list[str]) -> list[str]:
    """A name server that gives other addresses at every question; the list has the names that were asked for."""
    asked: list[str] = []

    def answer(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        addresses = rounds[min(len(asked), len(rounds) - 1)]
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    real = socket.getaddrinfo
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda host, *a, **k: (answer if host == "hook.example.org" else real)(host, *a, **k)
    )
    return asked


def test_the_connection_goes_to_the_address_that_was_checked(
    served: ServedReceiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name whose second answer differs (DNS rebinding) is asked for once."""
    asked = answering(monkeypatch, ["127.0.0.1"], ["10.0.0.1"])
    url = served.url.replace("127.0.0.1", "hook.example.org")
    assert http_sender.send(url, {}, "{}", allow_loopback=True).status == 204
    assert asked == ["hook.example.org"]
    assert served.receiver.received[0].headers["host"].startswith("hook.example.org:")


def test_one_private_address_refuses_a_name_with_public_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, ["1.1.1.1", "10.0.0.1"])
    assert http_sender.send("https://hook.example.org/", {}, "{}", allow_loopback=True).error == "address_not_allowed"


def test_an_unknown_host_and_a_closed_port_have_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: Any, **__: Any) -> Any:
        raise socket.gaierror(socket.EAI_NONAME, "not known")

    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    assert http_sender.send(f"http://127.0.0.1:{port}/", {}, "{}", allow_loopback=True).error == "connection_failed"
    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    assert http_sender.send("https://nowhere.example.org/", {}, "{}", allow_loopback=False).error == "unknown_host"


def test_a_receiver_without_tls_behind_an_https_url_fails(served: ServedReceiver) -> None:
    url = served.url.replace("http:", "https:")
    assert http_sender.send(url, {}, "{}", allow_loopback=True).error == "tls_failed"


def test_the_certificate_must_be_for_the_name_of_the_url(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though the connection goes to an address."""
    real = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", lambda _host, *a, **k: real("127.0.0.1", *a, **k))
    trusting = httpx.create_ssl_context(trust_env=False)
    trusting.load_verify_locations(CERTIFICATE)
    receiver = Receiver()
    with serving(receiver, certificate=CERTIFICATE) as url:
        named, other = (url.replace("127.0.0.1", f"{name}.example.org") for name in ("hook", "other"))
        assert http_sender.send(named, {}, "{}", allow_loopback=True).error == "tls_failed"  # not trusted
        monkeypatch.setattr(http_sender, "tls_context", lambda: trusting)
        assert http_sender.send(named, {}, "{}", allow_loopback=True).status == 204
        assert http_sender.send(other, {}, "{}", allow_loopback=True).error == "tls_failed"
    assert len(receiver.received) == 1
