"""Staff need a second factor: enrolment, codes, recovery codes, delays, reset, and who may go without."""

from collections.abc import Callable, Iterator
from io import StringIO

import httpx
import pytest
from django.core.management import CommandError, call_command
from django.db import connections
from django.test import Client, override_settings
from django.utils import timezone
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from players.accounts import data_export, erasure
from players.models import Player, StaffAction
from players.moderation import roles, second_factor
from tests.admin.conftest import PASSWORD, LogIn, Staff
from tests.admin.second_factor import CODE, ENROLMENT, current_code, enrol, enter_code, enter_password, shown_key

Browser = Callable[[], httpx.Client]
PAGES = ("", "games/game/", "players/player/", "players/staffaction/", "password_change/", "jsi18n/", "no/such/page/")


@pytest.fixture
def browser(server: str) -> Iterator[Browser]:
    """A new browser without cookies."""
    clients: list[httpx.Client] = []

    def opened() -> httpx.Client:
        clients.append(httpx.Client(base_url=server, timeout=60, headers={"Accept": "text/html"}))
        return clients[-1]

    yield opened
    for client in clients:
        client.close()


def password_session(browser: Browser, staff: Staff) -> tuple[httpx.Client, httpx.Response]:
    """A browser that knows the password only, and the page to which it is led."""
    http = browser()
    return http, enter_password(http, staff.player.email or "", PASSWORD)


@pytest.mark.parametrize("role", ["moderator", "administrator", "superuser"])
def test_role_needs_a_second_factor_before_any_page(log_in: LogIn, browser: Browser, role: str) -> None:
    staff = log_in(role)
    assert len(set(staff.recovery_codes)) == second_factor.RECOVERY_CODES
    http, page = password_session(browser, staff)
    assert page.url.path == CODE
    for path in PAGES:
        answer = http.get(f"/admin/{path}")
        assert (answer.status_code, answer.headers["location"].partition("?")[0]) == (302, CODE), path
        refused = http.post(f"/admin/{path}", data={"csrfmiddlewaretoken": http.cookies["csrftoken"]})
        assert (refused.status_code, refused.headers["location"].partition("?")[0]) == (302, CODE), path


@pytest.mark.parametrize("role", ["viewer", "nothing"])
def test_other_staff_may_go_without_a_second_factor(log_in: LogIn, role: str) -> None:
    staff = log_in(role)
    assert staff.recovery_codes == []
    assert staff.http.get("/admin/").url.path == "/admin/"


def test_viewer_who_enrols_needs_the_second_factor_from_then_on(log_in: LogIn, browser: Browser) -> None:
    staff = log_in("viewer")
    assert ENROLMENT in staff.page("")
    assert enrol(staff.http, staff.http.get(ENROLMENT))
    _, page = password_session(browser, staff)
    assert page.url.path == CODE


def test_viewer_who_becomes_a_moderator_is_led_to_enrolment(log_in: LogIn) -> None:
    staff, boss = log_in("viewer"), log_in("superuser")
    roles.give(staff.player.pk, "moderator", boss.player, "Well done.", timezone.now())
    assert staff.http.get("/admin/").url.path == ENROLMENT


def test_login_leads_to_the_page_that_was_asked_for(log_in: LogIn, browser: Browser) -> None:
    staff = log_in("superuser")
    http = browser()
    page = http.get("/admin/players/report/?state=all", follow_redirects=True)
    form = {"username": staff.player.email, "password": PASSWORD, "csrfmiddlewaretoken": http.cookies["csrftoken"]}
    page = http.post(str(page.url), data=form, follow_redirects=True)
    assert page.url.path == CODE
    answer = enter_code(http, page, staff.recovery_codes[0])
    assert (answer.status_code, answer.url.raw_path) == (200, b"/admin/players/report/?state=all")


def test_login_leads_to_no_other_host(log_in: LogIn, browser: Browser) -> None:
    staff = log_in("superuser")
    http, _ = password_session(browser, staff)
    page = http.get(CODE, params={"next": "https://example.org/admin/"})
    assert enter_code(http, page, staff.recovery_codes[0]).url.path == "/admin/"


def test_code_of_the_app_is_accepted_once(log_in: LogIn, browser: Browser) -> None:
    staff = log_in("administrator")
    page = staff.http.get(ENROLMENT)
    key = shown_key(page)
    assert enrol(staff.http, page)
    http, page = password_session(browser, staff)
    used = enter_code(http, page, current_code(key))
    assert (used.url.path, "This code is not valid." in used.text) == (CODE, True)
    TOTPDevice.objects.update(throttling_failure_timestamp=None)  # as if the delay was over
    assert enter_code(http, page, current_code(key, steps=1)).url.path == "/admin/"
    assert http.get("/admin/").status_code == 200


def test_recovery_code_is_accepted_once_and_however_it_is_typed(log_in: LogIn, browser: Browser) -> None:
    staff = log_in("administrator")
    code = staff.recovery_codes[3]
    http, page = password_session(browser, staff)
    assert enter_code(http, page, f" {code.upper().replace('-', ' ')} ").url.path == "/admin/"
    http, page = password_session(browser, staff)
    assert "This code is not valid." in enter_code(http, page, code).text
    assert StaticToken.objects.count() == second_factor.RECOVERY_CODES - 1


@pytest.mark.parametrize("guess", ["000000", "aaaa-aaaa"])
def test_wrong_codes_are_delayed_even_if_the_next_one_is_right(log_in: LogIn, browser: Browser, guess: str) -> None:
    staff = log_in("moderator")
    enrolment = staff.http.get(ENROLMENT)
    codes = enrol(staff.http, enrolment)
    http, page = password_session(browser, staff)
    for _ in range(6):
        enter_code(http, page, guess)
        for table in (TOTPDevice, StaticDevice):  # as if the delays before the last one were over
            table.objects.filter(throttling_failure_count__lt=6).update(throttling_failure_timestamp=None)
    right = codes[0] if "-" in guess else current_code(shown_key(enrolment), steps=1)
    locked = enter_code(http, page, right)
    assert locked.status_code == 429
    assert 1 <= int(locked.headers["retry-after"]) <= 32
    assert "Too many wrong codes. Try again in" in locked.text
    assert http.get("/admin/").status_code == 302


@pytest.mark.parametrize("code", ["", "\0", "x" * 10_000, "\N{FULLWIDTH DIGIT ONE}" * 6, "'; --", "-------"])
def test_malformed_code_is_a_wrong_code(log_in: LogIn, browser: Browser, code: str) -> None:
    http, page = password_session(browser, log_in("moderator"))
    answer = enter_code(http, page, code)
    assert (answer.status_code, "This code is not valid." in answer.text) == (200, True)


def test_password_alone_does_not_replace_the_second_factor(log_in: LogIn, browser: Browser) -> None:
    http, _ = password_session(browser, log_in("superuser"))
    answer = http.get(ENROLMENT)
    assert (answer.status_code, answer.headers["location"].partition("?")[0]) == (302, CODE)
    form = {"csrfmiddlewaretoken": http.cookies["csrftoken"], "code": "123456"}
    assert http.post(ENROLMENT, data=form).headers["location"].partition("?")[0] == CODE


def test_each_session_is_shown_a_key_of_its_own(log_in: LogIn, browser: Browser) -> None:
    """A stranger with the password must not know the key that the owner confirms later."""
    staff = log_in("moderator")
    second_factor.erase(staff.player.pk)
    (stranger, seen), (owner, shown) = password_session(browser, staff), password_session(browser, staff)
    assert seen.url.path == shown.url.path == ENROLMENT
    assert shown_key(owner.get(ENROLMENT)) == shown_key(shown) != shown_key(seen)
    assert enrol(owner, shown)
    assert enter_code(stranger, seen, current_code(shown_key(seen))).url.path == CODE


def test_new_second_factor_replaces_the_old_one_and_its_recovery_codes(log_in: LogIn, browser: Browser) -> None:
    staff = log_in("superuser")
    page = staff.http.get(ENROLMENT)
    assert "replaces the one that you have" in page.text
    codes = enrol(staff.http, page)
    assert len({*codes, *staff.recovery_codes}) == 2 * second_factor.RECOVERY_CODES
    assert (TOTPDevice.objects.count(), StaticToken.objects.count()) == (1, second_factor.RECOVERY_CODES)
    assert staff.http.get("/admin/").url.path == "/admin/"
    http, page = password_session(browser, staff)
    assert enter_code(http, page, staff.recovery_codes[0]).url.path == CODE


def test_wrong_code_does_not_confirm_an_enrolment(log_in: LogIn, browser: Browser) -> None:
    staff = log_in("moderator")
    second_factor.erase(staff.player.pk)
    http, page = password_session(browser, staff)
    answer = enter_code(http, page, current_code(shown_key(page), steps=99))
    assert "This code is not valid." in answer.text
    assert shown_key(answer) == shown_key(page)
    assert http.get("/admin/", follow_redirects=True).url.path == ENROLMENT


def test_pages_are_never_cached_and_load_nothing_from_other_hosts(log_in: LogIn, browser: Browser) -> None:
    staff = log_in("superuser")
    _, code = password_session(browser, staff)
    enrolment = staff.http.get(ENROLMENT)
    recovery = enter_code(staff.http, enrolment, current_code(shown_key(enrolment)))
    for page in (code, enrolment, recovery):
        assert "no-store" in page.headers["cache-control"]
        assert "default-src 'none'" in page.headers["content-security-policy"]
        assert "http" not in page.headers["content-security-policy"]
        assert "/admin/players/player/" not in page.text  # no menu
    assert "data:image/svg+xml" in enrolment.text
    assert 'href="otpauth://totp/' in enrolment.text


def test_session_without_a_code_can_log_out(log_in: LogIn, browser: Browser) -> None:
    http, _ = password_session(browser, log_in("superuser"))
    http.post("/admin/logout/", data={"csrfmiddlewaretoken": http.cookies["csrftoken"]})
    assert http.get("/admin/").headers["location"].startswith("/admin/login/")


def test_reset_is_written_to_the_audit_log_and_ends_verified_sessions(log_in: LogIn) -> None:
    staff, boss = log_in("moderator"), log_in("superuser")
    output = StringIO()
    call_command("reset_second_factor", " Moderator@example.org", "--reason", "Lost phone.", stdout=output)
    assert "moderator@example.org" in output.getvalue().lower()
    action = StaffAction.objects.get()
    assert (action.what, action.target, action.reason) == ("reset_factor", staff.player.pk, "Lost phone.")
    assert staff.http.get("/admin/").url.path == ENROLMENT
    for page in ("players/staffaction/", f"players/player/{staff.player.pk}/change/"):
        shown = boss.page(page)
        assert "Second factor reset" in shown
        assert "Operator (manage.py)" in shown


def test_reset_names_what_it_did_not_find(log_in: LogIn) -> None:
    log_in("viewer")
    with pytest.raises(CommandError, match="No account has the address"):
        call_command("reset_second_factor", "unknown@example.org")
    with pytest.raises(CommandError, match="has no second factor"):
        call_command("reset_second_factor", "viewer@example.org")
    log_in("moderator")
    with pytest.raises(CommandError, match="1 to 500 characters"):
        call_command("reset_second_factor", "moderator@example.org", "--reason", " ")
    assert second_factor.is_enrolled(Player.objects.get(name="moderator"))


@pytest.mark.django_db
def test_setting_makes_the_second_factor_optional() -> None:
    boss = Player.objects.create(name="boss", email="boss@example.org", is_staff=True, is_superuser=True)
    client = Client()
    client.force_login(boss)
    assert client.get("/admin/password_change/").status_code == 302
    with override_settings(STAFF_SECOND_FACTOR="optional"):
        assert client.get("/admin/password_change/").status_code == 200
        TOTPDevice.objects.create(user=boss, name="TOTP")
        assert client.get("/admin/password_change/").status_code == 302  # one that exists is asked for


def test_export_says_when_it_was_set_up_and_deletion_removes_it(log_in: LogIn) -> None:
    staff = log_in("moderator")
    exported = data_export.export(staff.player.pk)["second_factor"]
    assert set(exported) == {"since", "last_used_at"}
    erasure.erase(staff.player.pk, timezone.now())
    assert (TOTPDevice.objects.count(), StaticToken.objects.count()) == (0, 0)
    connections.close_all()
