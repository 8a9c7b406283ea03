"""The admin's login shares the lockout of the API, and hashes inside the bound."""

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher, check_password, make_password

from players.languages.accept_language import LANGUAGES
from players.models import Player
from tests.admin.conftest import PASSWORD, LogIn, Staff
from tests.admin.second_factor import enter_password, send_form

EMAIL = "eve@example.org"
ATTEMPTS = 5


@pytest.fixture
def eve(transactional_db: None) -> Player:
    return Player.objects.create(name="Eve", email=EMAIL, password=make_password(PASSWORD), is_staff=True)


@pytest.fixture
def http(server: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server, timeout=60, headers={"Accept": "text/html"}) as client:
        yield client


def sign_in_to_api(http: httpx.Client, password: str) -> httpx.Response:
    return http.post("/api/v1/sessions", json={"email": EMAIL, "password": password})


def is_locked(answer: httpx.Response) -> None:
    assert answer.status_code == 429
    assert 1 <= int(answer.headers["retry-after"]) <= 60


def test_sixth_attempt_within_a_minute_is_refused_even_with_the_right_password(http: httpx.Client, eve: Player) -> None:
    for _ in range(ATTEMPTS):
        answer = enter_password(http, EMAIL, "a wrong one")
        assert (answer.status_code, "Too many failed attempts" in answer.text) == (200, False)
    for password in ("a wrong one", PASSWORD):
        locked = enter_password(http, f" {EMAIL.upper()}", password)
        is_locked(locked)
        assert f"Too many failed attempts. Try again in {locked.headers['retry-after']} second" in locked.text
    assert http.get("/admin/").status_code == 302


def test_failures_in_the_admin_lock_the_sign_in_of_the_api(http: httpx.Client, eve: Player) -> None:
    for _ in range(ATTEMPTS):
        enter_password(http, EMAIL, "a wrong one")
    is_locked(sign_in_to_api(http, PASSWORD))


def test_failures_at_the_api_lock_the_login_of_the_admin(http: httpx.Client, eve: Player) -> None:
    for _ in range(ATTEMPTS - 1):
        assert sign_in_to_api(http, "a wrong one").status_code == 401
    assert enter_password(http, EMAIL, "a wrong one").status_code == 200
    is_locked(enter_password(http, EMAIL, PASSWORD))


def test_right_password_of_a_player_who_is_not_staff_gets_the_response_of_a_wrong_one(
    http: httpx.Client, eve: Player
) -> None:
    Player.objects.update(is_staff=False)
    for password in (PASSWORD, "a wrong one", PASSWORD, "a wrong one", PASSWORD):
        assert "for a staff account" in enter_password(http, EMAIL, password).text
    is_locked(enter_password(http, EMAIL, PASSWORD))


def test_lockout_is_explained_in_the_language_of_the_browser(http: httpx.Client, eve: Player) -> None:
    for _ in range(ATTEMPTS):
        sign_in_to_api(http, "a wrong one")
    pages = {code: enter_password(http, EMAIL, PASSWORD, **{"Accept-Language": code}).text for code in LANGUAGES}
    texts = {code: page.partition("errornote")[2].partition("</div>")[0] for code, page in pages.items()}
    assert len(set(texts.values())) == len(LANGUAGES)
    assert "Zu viele Fehlversuche." in pages["de"]


def test_wrong_old_passwords_are_counted_where_a_password_is_changed(log_in: LogIn) -> None:
    staff = log_in("viewer")

    def change(old: str) -> str:
        form = {"old_password": old, "new_password1": "staple in a haystack", "new_password2": "staple in a haystack"}
        return send_form(staff.http, staff.http.get("/admin/password_change/"), form).text

    for _ in range(ATTEMPTS):
        assert "Too many failed attempts" not in change("a wrong one")
    assert "Too many failed attempts" in change(PASSWORD)
    assert check_password(PASSWORD, Player.objects.get(pk=staff.player.pk).password)
    is_locked(staff.http.post("/api/v1/sessions", json={"email": staff.player.email, "password": PASSWORD}))


def test_password_is_changed_with_the_right_old_one(log_in: LogIn) -> None:
    staff: Staff = log_in("viewer")
    form = {"old_password": PASSWORD, "new_password1": "staple in a haystack", "new_password2": "staple in a haystack"}
    answer = send_form(staff.http, staff.http.get("/admin/password_change/"), form)
    assert answer.url.path == "/admin/password_change/done/"
    assert check_password("staple in a haystack", Player.objects.get(pk=staff.player.pk).password)


@pytest.mark.parametrize("method", ["encode", "verify"])
def test_no_more_hashes_are_computed_at_once_than_there_are_processors(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = make_password(PASSWORD)
    processors = os.cpu_count() or 1
    crowd, original = threading.Barrier(processors + 1), getattr(Argon2PasswordHasher, method)

    def wait_for_a_crowd(*arguments: str) -> object:
        try:
            crowd.wait(0.5)  # breaks the barrier, unless one thread too many arrives
        except threading.BrokenBarrierError:
            return original(*arguments)
        raise AssertionError("more threads than processors")

    monkeypatch.setattr(Argon2PasswordHasher, method, wait_for_a_crowd)
    work: Callable[[int], object] = {
        "encode": lambda _: make_password(PASSWORD),
        "verify": lambda _: check_password(PASSWORD, stored),
    }[method]
    with ThreadPoolExecutor(processors + 2) as threads:
        assert all(threads.map(work, range(processors + 2)))
