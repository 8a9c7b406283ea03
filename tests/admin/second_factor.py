"""Logs in to the admin over HTTP: enters a password, enrols with the shown key, enters codes."""

import re
from base64 import b32decode

import httpx
from django_otp.oath import totp

ENROLMENT, CODE = "/admin/second-factor/enrol/", "/admin/second-factor/"
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
KEY = re.compile(r'<span class="qx-mono">([A-Z2-7 ]+)</span>')
RECOVERY_CODE = re.compile(r'<li class="qx-mono">([a-z2-7-]+)</li>')


def enter_password(http: httpx.Client, email: str, password: str, **headers: str) -> httpx.Response:
    """The page to which the login leads."""
    return send_form(
        http, http.get("/admin/login/", follow_redirects=True), {"username": email, "password": password}, **headers
    )


def send_form(http: httpx.Client, page: httpx.Response, form: dict[str, str], **headers: str) -> httpx.Response:
    """Sends the form of a page to the address of the page, as a browser does."""
    token = TOKEN.search(page.text)
    assert token, page.text
    data = {**form, "csrfmiddlewaretoken": token[1]}
    return http.post(str(page.url), data=data, headers=headers, follow_redirects=True)


def enter_code(http: httpx.Client, page: httpx.Response, code: str) -> httpx.Response:
    return send_form(http, page, {"code": code})


def enrol(http: httpx.Client, page: httpx.Response) -> list[str]:
    """Confirms the key that the page shows; returns the recovery codes."""
    return RECOVERY_CODE.findall(enter_code(http, page, current_code(shown_key(page))).text)


def shown_key(page: httpx.Response) -> str:
    found = KEY.search(page.text)
    assert found, page.text
    return found[1]


def current_code(key: str, steps: int = 0) -> str:
    """The code of the app for a key, now or some steps of 30 seconds later."""
    return f"{totp(b32decode(key.replace(' ', '')), drift=steps):06d}"
