"""The admin behind a proxy that ends TLS: its forms are accepted, its cookies are secure, and HSTS is sent."""

from collections.abc import Iterator

import httpx
import pytest

from tests.admin.second_factor import TOKEN
from tests.server import web_process

ORIGIN = "https://play.example.org"
PROXIED = {"Host": "play.example.org", "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"}


@pytest.fixture(scope="module")
def behind_tls(django_db_setup: None) -> Iterator[str]:
    with web_process(PUBLIC_URL=ORIGIN, NUM_PROXIES="1") as address:
        yield address


@pytest.fixture(scope="module")
def without_proxies(django_db_setup: None) -> Iterator[str]:
    with web_process(PUBLIC_URL=ORIGIN, NUM_PROXIES="0") as address:
        yield address


def log_in_from(address: str, origin: str) -> tuple[httpx.Response, httpx.Response]:
    """The login page and the answer to its form; httpx would not send a secure cookie over http."""
    page = httpx.get(f"{address}/admin/login/", headers=PROXIED, timeout=60)
    token = TOKEN.search(page.text)
    assert token
    form = {"username": "a@example.org", "password": "a wrong one", "csrfmiddlewaretoken": token[1]}
    cookie = page.headers["set-cookie"].partition(";")[0]
    headers = {**PROXIED, "Origin": origin, "Referer": f"{origin}/admin/login/", "Cookie": cookie}
    return page, httpx.post(f"{address}/admin/login/", data=form, headers=headers, timeout=60)


def test_forms_cookies_and_hsts_follow_the_public_address(behind_tls: str, transactional_db: None) -> None:
    page, answer = log_in_from(behind_tls, ORIGIN)
    assert "; Secure" in page.headers["set-cookie"]
    assert page.headers["strict-transport-security"] == "max-age=31536000"
    assert (answer.status_code, "for a staff account" in answer.text) == (200, True)


def test_form_of_another_origin_is_refused(behind_tls: str, transactional_db: None) -> None:
    assert log_in_from(behind_tls, "https://example.org")[1].status_code == 403


def test_plain_request_inside_the_network_is_answered_without_redirect(behind_tls: str) -> None:
    answer = httpx.get(f"{behind_tls}/api/v1/version", timeout=60)
    assert (answer.status_code, "strict-transport-security" in answer.headers) == (200, False)


def test_scheme_is_not_believed_without_a_proxy(without_proxies: str, transactional_db: None) -> None:
    page, answer = log_in_from(without_proxies, ORIGIN)
    assert "strict-transport-security" not in page.headers
    assert answer.status_code == 200  # the origin is trusted, so the form still works
