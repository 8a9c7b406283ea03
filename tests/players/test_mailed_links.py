"""Mailed links: recipients, languages, effects and expiry."""

import re
import socket
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from celery.signals import before_task_publish
from django.conf import settings
from django.core import mail as django_mail
from django.test import override_settings

from players import tasks
from players.accounts import registration
from players.accounts.models import Player
from players.accounts.registration import NO_PLAYER, Registration
from players.database.models import IdempotencyKey
from players.database.refusal import RequestRefused
from players.limits import lockout
from players.limits.models import Attempt
from players.mail import delivery, mail_texts
from players.mail.signed_links import Purpose
from players.sessions.models import Session
from qwixx_service.celery import app
from tests.metric_values import taken
from tests.players.conftest import NOW, in_a_thread
from tests.players.devices import Device, checked, is_problem
from tests.players.test_accounts import OTHER, PASSWORD, registered, sign_in
from tests.server import web_process

LANGUAGES = [code for code, _ in settings.LANGUAGES]
LINK = re.compile(r"https?://\S+/account/(?:confirm|reset)/(\S+)")


@pytest.fixture
def ann(conninfo: str) -> Player:
    new_session = registration.register(Registration("Ann", "ann@example.org", PASSWORD, "phone"), None, "en", NOW)
    return Player.objects.get(pk=new_session.player.id)


def link(player: Player, purpose: Purpose, now: datetime = NOW) -> str:
    player.refresh_from_db()
    assert delivery.send(purpose, player.pk, "en", now)
    found = LINK.search(str(django_mail.outbox[-1].body))
    assert found
    return found[1]


def is_expired(work: Any) -> None:
    with pytest.raises(RequestRefused) as refused:
        work()
    assert refused.value.code == "link_expired"


def test_a_mail_that_cannot_be_sent_is_counted(ann: Player) -> None:
    taken(delivery.MAIL_FAILURES)
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    smtp = {"EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend", "EMAIL_PORT": port}
    with override_settings(**smtp, EMAIL_HOST="127.0.0.1"), pytest.raises(OSError, match="refused"):
        delivery.send("confirm", ann.pk, "en", NOW)
    assert taken(delivery.MAIL_FAILURES) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_mail_is_written_in_the_language_of_the_player(ann: Player, language: str) -> None:
    Player.objects.filter(pk=ann.pk).update(locale=language)
    link(ann, "confirm")
    sent = django_mail.outbox[-1]
    assert sent.subject == mail_texts.texts(language)["mail_confirm"]["subject"]
    assert (sent.to, sent.from_email) == (["ann@example.org"], settings.DEFAULT_FROM_EMAIL)
    assert f"{settings.PUBLIC_URL}/account/confirm/" in str(sent.body)


def test_a_mail_to_a_player_without_a_language_is_in_the_language_of_the_request(ann: Player) -> None:
    assert delivery.send("confirm", ann.pk, "pl", NOW)
    assert django_mail.outbox[-1].subject == mail_texts.texts("pl")["mail_confirm"]["subject"]


def test_only_a_confirmed_address_receives_a_link_for_a_new_password(ann: Player) -> None:
    assert not delivery.send("reset", ann.pk, "en", NOW)
    registration.confirm_address(link(ann, "confirm"), NOW)
    assert delivery.send("reset", ann.pk, "en", NOW)
    assert not delivery.send("confirm", ann.pk, "en", NOW)
    Player.objects.filter(pk=ann.pk).update(is_active=False)
    assert not delivery.send("reset", ann.pk, "en", NOW)
    assert not delivery.send("reset", NO_PLAYER, "en", NOW)


def test_a_link_works_once_and_for_one_purpose(ann: Player) -> None:
    confirm, other = link(ann, "confirm"), link(ann, "confirm")
    is_expired(lambda: registration.reset_password(confirm, OTHER, NOW))
    registration.confirm_address(confirm, NOW)
    ann.refresh_from_db()
    assert ann.email_confirmed_at == NOW
    for used in (confirm, other):
        is_expired(lambda used=used: registration.confirm_address(used, NOW))
    reset, second = link(ann, "reset"), link(ann, "reset")
    registration.reset_password(reset, OTHER, NOW)
    for used in (reset, second):
        is_expired(lambda used=used: registration.reset_password(used, PASSWORD, NOW))
    ann.refresh_from_db()
    assert ann.check_password(OTHER)


@pytest.mark.parametrize(("purpose", "lasts"), [("confirm", timedelta(days=7)), ("reset", timedelta(hours=1))])
def test_a_link_expires(ann: Player, purpose: Purpose, lasts: timedelta) -> None:
    if purpose == "reset":
        Player.objects.filter(pk=ann.pk).update(email_confirmed_at=NOW)
    token = link(ann, purpose)
    assert delivery.recipient(token, purpose, NOW + lasts - timedelta(seconds=1)) == ann
    assert delivery.recipient(token, purpose, NOW + lasts) is None


def test_a_link_that_was_changed_is_invalid(ann: Player) -> None:
    token = link(ann, "confirm")
    tampered = [token[:-1], token + "A", token[::-1], "", "A", "ä", "A" * 71, "=" * 71, token.swapcase()]
    assert [one for one in tampered if delivery.recipient(one, "confirm", NOW)] == []
    for position in range(0, len(token) - 1, 7):
        other = "A" if token[position] != "A" else "B"
        assert delivery.recipient(token[:position] + other + token[position + 1 :], "confirm", NOW) is None


def test_a_refused_weak_password_leaves_the_link_valid(ann: Player) -> None:
    Player.objects.filter(pk=ann.pk).update(email_confirmed_at=NOW)
    token = link(ann, "reset")
    with pytest.raises(RequestRefused, match="weak_password"):
        registration.reset_password(token, "ann@example.org", NOW)
    registration.reset_password(token, OTHER, NOW)


def test_a_player_receives_a_limited_number_of_mails_an_hour(ann: Player) -> None:
    sent = [delivery.send("confirm", ann.pk, "en", NOW + timedelta(seconds=n)) for n in range(8)]
    assert sent == [True] * lockout.MAILS.attempts + [False] * (8 - lockout.MAILS.attempts)
    assert delivery.send("confirm", ann.pk, "en", NOW + timedelta(hours=2))


async def test_a_password_reset_unlocks_an_account_that_failed_sign_ins_had_locked(anonymous: Device) -> None:
    ann = await registered(anonymous)
    for _ in range(5):
        await sign_in(anonymous, "a wrong one")
    is_problem(await sign_in(anonymous), 429, "too_many_requests")

    def reset() -> None:
        Player.objects.filter(pk=ann.player["id"]).update(email_confirmed_at=NOW)
        registration.reset_password(link(Player.objects.get(pk=ann.player["id"]), "reset"), OTHER, NOW)

    await in_a_thread(reset)
    checked(await sign_in(anonymous, OTHER), 201)


async def test_a_forgotten_password_request_does_not_reveal_whether_an_address_exists(anonymous: Device) -> None:
    ann = await registered(anonymous)
    path = "/players/passwords/forgotten"
    responses: list[httpx.Response] = []
    for is_confirmed in (False, True):
        when = NOW if is_confirmed else None
        await in_a_thread(Player.objects.filter(pk=ann.player["id"]).update, email_confirmed_at=when)
        for email in ("ann@example.org", "unknown@example.org", "no address at all"):
            responses.append(await anonymous.call("POST", path, json={"email": email}))  # noqa: PERF401
    assert {response.status_code for response in responses} == {202}
    assert [response.json() for response in responses] == [{"status": "accepted"}] * 6
    assert len({frozenset(response.headers) for response in responses}) == 1


@pytest.mark.parametrize("language", LANGUAGES)
async def test_account_pages_exist_in_every_language_without_scripts(anonymous: Device, language: str) -> None:
    translated = mail_texts.texts(language)
    for purpose in ("confirm", "reset"):
        gone = await anonymous.http.get(
            f"{anonymous.first}/account/{purpose}/rubbish", headers={"Accept-Language": language, "Accept": "text/html"}
        )
        assert (gone.status_code, gone.headers["content-language"]) == (410, language)
        assert translated["gone"]["title"] in gone.text
        assert f'<html lang="{language}">' in gone.text
        policy = gone.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert not any(word in gone.text for word in ("<script", "<style", " style=", "onclick"))
        sheet = re.search(r'href="(/static/[^"]+)"', gone.text)
        assert sheet
        assert (await anonymous.http.get(anonymous.first + sheet[1])).status_code == 200


async def test_an_account_page_refuses_other_methods(anonymous: Device) -> None:
    response = await anonymous.http.put(f"{anonymous.first}/account/confirm/rubbish")
    assert response.status_code == 405


def test_the_broker_receives_ids_but_no_addresses(conninfo: str) -> None:
    published: list[tuple[str, Any]] = []

    def record(sender: str, body: Any, **_: Any) -> None:
        published.append((sender, body[0]))

    before_task_publish.connect(record, weak=False)
    try:
        ann = registration.register(Registration("Ann", "ann@example.org", PASSWORD), None, "de", NOW).player
        registration.request_reset("ann@example.org", "de")
        registration.request_reset("unknown@example.org", "de")
    finally:
        before_task_publish.disconnect(record)
    expected = [["confirm", str(ann.id), "de"], ["reset", str(ann.id), "de"], ["reset", str(NO_PLAYER), "de"]]
    assert published == [(delivery.TASK, arguments) for arguments in expected]


async def test_registration_works_without_a_broker_and_mail_requests_are_unavailable(
    anonymous: Device, transactional_db: None
) -> None:
    with web_process(REDIS_URL="unix:///nowhere/valkey.sock?db=0") as server:
        there = anonymous._replace(first=server)
        ann = await registered(there)
        await ann.get("/players/me")
        for email in ("ann@example.org", "unknown@example.org"):
            response = await there.call("POST", "/players/passwords/forgotten", json={"email": email})
            is_problem(response, 503, "unavailable")


def test_every_scheduled_task_is_defined() -> None:
    app.loader.import_default_modules()
    assert {entry["task"] for entry in app.conf.beat_schedule.values()} <= set(app.tasks)
    assert {delivery.TASK, "players.sweep"} <= set(app.tasks)


def test_the_sweep_deletes_expired_attempts_and_idempotency_keys(ann: Player) -> None:
    long_ago = datetime(2020, 1, 1, tzinfo=UTC)
    lockout.count(lockout.MAILS, "a player", long_ago)
    IdempotencyKey.objects.create(player=ann, key="k1", fingerprint=b"", status=204, at=long_ago)
    lockout.count(lockout.MAILS, "a player", datetime.now(UTC))
    IdempotencyKey.objects.create(player=ann, key="k2", fingerprint=b"", status=204, at=datetime.now(UTC))
    tasks.sweep()
    assert Attempt.objects.count() == 1
    assert [row.key for row in IdempotencyKey.objects.all()] == ["k2"]


def test_the_sweep_deletes_sessions_that_ended_long_ago_and_no_others(ann: Player) -> None:
    now, long_ago = datetime.now(UTC), datetime(2020, 1, 1, tzinfo=UTC)
    ends: dict[str, dict[str, Any]] = {
        "open": {},
        "revoked now": {"revoked_at": now},
        "revoked long ago": {"revoked_at": long_ago},
        "expired now": {"expires_at": now, "scopes": ["read"]},
        "expired long ago": {"expires_at": long_ago, "scopes": ["read"]},
    }
    for name, end in ends.items():
        Session.objects.create(player=ann, token_hash=name.encode(), device=name, **end)
    tasks.sweep()
    left = Session.objects.filter(device__in=ends).order_by("pk").values_list("device", flat=True)
    assert list(left) == ["open", "revoked now", "expired now"]
