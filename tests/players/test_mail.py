"""Mailed links: whom they are sent to, in which language, what they do, and when they no longer do it."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from celery.signals import before_task_publish
from django.conf import settings
from django.core import mail as django_mail

from players import tasks
from players.accounts import mail, mail_texts, registration
from players.accounts.mail_links import Purpose
from players.accounts.registration import NOBODY, Details
from players.database.refusal import Refused
from players.limits import lockout
from players.models import Attempt, Player, Receipt
from qwixx_service.celery import app
from tests.players.conftest import NOW, in_a_thread
from tests.players.processes import Device, checked, is_problem
from tests.players.test_accounts import OTHER, PASSWORD, registered, sign_in
from tests.server import web_process

LANGUAGES = [code for code, _ in settings.LANGUAGES]
LINK = re.compile(r"https?://\S+/account/(?:confirm|reset)/(\S+)")


@pytest.fixture
def ann(conninfo: str) -> Player:
    opened = registration.register(Details("Ann", "ann@example.org", PASSWORD, "phone"), None, "en", NOW)
    return Player.objects.get(pk=opened.player.id)


def link(player: Player, purpose: Purpose, now: datetime = NOW) -> str:
    player.refresh_from_db()
    assert mail.send(purpose, player.pk, "en", now)
    found = LINK.search(str(django_mail.outbox[-1].body))
    assert found
    return found[1]


def is_gone(work: Any) -> None:
    with pytest.raises(Refused) as refused:
        work()
    assert refused.value.code == "link_expired"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_mail_is_written_in_the_players_language(ann: Player, language: str) -> None:
    Player.objects.filter(pk=ann.pk).update(locale=language)
    link(ann, "confirm")
    sent = django_mail.outbox[-1]
    assert sent.subject == mail_texts.words(language)["mail_confirm"]["subject"]
    assert (sent.to, sent.from_email) == (["ann@example.org"], settings.DEFAULT_FROM_EMAIL)
    assert f"{settings.PUBLIC_URL}/account/confirm/" in str(sent.body)


def test_without_a_language_of_his_own_a_player_is_written_to_as_he_asked(ann: Player) -> None:
    assert mail.send("confirm", ann.pk, "pl", NOW)
    assert django_mail.outbox[-1].subject == mail_texts.words("pl")["mail_confirm"]["subject"]


def test_only_a_confirmed_address_is_sent_a_link_for_a_new_password(ann: Player) -> None:
    assert not mail.send("reset", ann.pk, "en", NOW)
    registration.confirm(link(ann, "confirm"), NOW)
    assert mail.send("reset", ann.pk, "en", NOW)
    assert not mail.send("confirm", ann.pk, "en", NOW)
    Player.objects.filter(pk=ann.pk).update(is_active=False)
    assert not mail.send("reset", ann.pk, "en", NOW)
    assert not mail.send("reset", NOBODY, "en", NOW)


def test_a_link_is_used_once_and_for_one_thing(ann: Player) -> None:
    confirm, other = link(ann, "confirm"), link(ann, "confirm")
    is_gone(lambda: registration.reset_password(confirm, OTHER, NOW))
    registration.confirm(confirm, NOW)
    ann.refresh_from_db()
    assert ann.email_confirmed_at == NOW
    for used in (confirm, other):
        is_gone(lambda used=used: registration.confirm(used, NOW))
    reset, second = link(ann, "reset"), link(ann, "reset")
    registration.reset_password(reset, OTHER, NOW)
    for used in (reset, second):
        is_gone(lambda used=used: registration.reset_password(used, PASSWORD, NOW))
    ann.refresh_from_db()
    assert ann.check_password(OTHER)


@pytest.mark.parametrize(("purpose", "lasts"), [("confirm", timedelta(days=7)), ("reset", timedelta(hours=1))])
def test_a_link_holds_for_a_while(ann: Player, purpose: Purpose, lasts: timedelta) -> None:
    if purpose == "reset":
        Player.objects.filter(pk=ann.pk).update(email_confirmed_at=NOW)
    token = link(ann, purpose)
    assert mail.reader(token, purpose, NOW + lasts - timedelta(seconds=1)) == ann
    assert mail.reader(token, purpose, NOW + lasts) is None


def test_a_link_that_was_tampered_with_is_none(ann: Player) -> None:
    token = link(ann, "confirm")
    strange = [token[:-1], token + "A", token[::-1], "", "A", "ä", "A" * 71, "=" * 71, token.swapcase()]
    assert [one for one in strange if mail.reader(one, "confirm", NOW)] == []
    for position in range(0, len(token) - 1, 7):
        other = "A" if token[position] != "A" else "B"
        assert mail.reader(token[:position] + other + token[position + 1 :], "confirm", NOW) is None


def test_a_weak_password_does_not_use_a_link_up(ann: Player) -> None:
    Player.objects.filter(pk=ann.pk).update(email_confirmed_at=NOW)
    token = link(ann, "reset")
    with pytest.raises(Refused, match="weak_password"):
        registration.reset_password(token, "ann@example.org", NOW)
    registration.reset_password(token, OTHER, NOW)


def test_nobody_is_buried_in_mail(ann: Player) -> None:
    sent = [mail.send("confirm", ann.pk, "en", NOW + timedelta(seconds=n)) for n in range(8)]
    assert sent == [True] * lockout.MAILS.most + [False] * (8 - lockout.MAILS.most)
    assert mail.send("confirm", ann.pk, "en", NOW + timedelta(hours=2))


async def test_a_reset_opens_an_account_that_guesses_had_locked(stranger: Device) -> None:
    ann = await registered(stranger)
    for _ in range(5):
        await sign_in(stranger, "a wrong one")
    is_problem(await sign_in(stranger), 429, "too_many_requests")

    def reset() -> None:
        Player.objects.filter(pk=ann.player["id"]).update(email_confirmed_at=NOW)
        registration.reset_password(link(Player.objects.get(pk=ann.player["id"]), "reset"), OTHER, NOW)

    await in_a_thread(reset)
    checked(await sign_in(stranger, OTHER), 201)


async def test_whether_an_address_exists_is_not_told_to_who_forgot_his_password(stranger: Device) -> None:
    ann = await registered(stranger)
    path = "/players/passwords/forgotten"
    answers: list[httpx.Response] = []
    for is_confirmed in (False, True):
        when = NOW if is_confirmed else None
        await in_a_thread(Player.objects.filter(pk=ann.player["id"]).update, email_confirmed_at=when)
        for email in ("ann@example.org", "nobody@example.org", "no address at all"):
            answers.append(await stranger.call("POST", path, json={"email": email}))  # noqa: PERF401
    assert {answer.status_code for answer in answers} == {202}
    assert [answer.json() for answer in answers] == [{"status": "accepted"}] * 6
    assert len({frozenset(answer.headers) for answer in answers}) == 1


@pytest.mark.parametrize("language", LANGUAGES)
async def test_pages_speak_every_language_and_run_no_script(stranger: Device, language: str) -> None:
    said = mail_texts.words(language)
    for purpose in ("confirm", "reset"):
        gone = await stranger.http.get(
            f"{stranger.here}/account/{purpose}/rubbish", headers={"Accept-Language": language, "Accept": "text/html"}
        )
        assert (gone.status_code, gone.headers["content-language"]) == (410, language)
        assert said["gone"]["title"] in gone.text
        assert f'<html lang="{language}">' in gone.text
        policy = gone.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert not any(word in gone.text for word in ("<script", "<style", " style=", "onclick"))
        sheet = re.search(r'href="(/static/[^"]+)"', gone.text)
        assert sheet
        assert (await stranger.http.get(stranger.here + sheet[1])).status_code == 200


async def test_a_page_knows_only_its_methods(stranger: Device) -> None:
    answer = await stranger.http.put(f"{stranger.here}/account/confirm/rubbish")
    assert answer.status_code == 405


def test_the_broker_is_given_ids_and_no_address(conninfo: str) -> None:
    handed: list[tuple[str, Any]] = []

    def hear(sender: str, body: Any, **_: Any) -> None:
        handed.append((sender, body[0]))

    before_task_publish.connect(hear, weak=False)
    try:
        ann = registration.register(Details("Ann", "ann@example.org", PASSWORD), None, "de", NOW).player
        registration.ask_for_reset("ann@example.org", "de")
        registration.ask_for_reset("nobody@example.org", "de")
    finally:
        before_task_publish.disconnect(hear)
    expected = [["confirm", str(ann.id), "de"], ["reset", str(ann.id), "de"], ["reset", str(NOBODY), "de"]]
    assert handed == [(mail.TASK, arguments) for arguments in expected]


async def test_without_a_broker_one_may_register_and_is_asked_to_come_back_for_mails(
    stranger: Device, transactional_db: None
) -> None:
    with web_process(REDIS_URL="unix:///nowhere/valkey.sock?db=0") as lonely:
        there = stranger._replace(here=lonely)
        ann = await registered(there)
        await ann.get("/players/me")
        for email in ("ann@example.org", "nobody@example.org"):
            answer = await there.call("POST", "/players/passwords/forgotten", json={"email": email})
            is_problem(answer, 503, "unavailable")


def test_every_task_of_the_schedule_is_there() -> None:
    app.loader.import_default_modules()
    assert {entry["task"] for entry in app.conf.beat_schedule.values()} <= set(app.tasks)
    assert {mail.TASK, "players.sweep"} <= set(app.tasks)


def test_the_sweep_forgets_old_attempts_and_receipts(ann: Player) -> None:
    long_ago = datetime(2020, 1, 1, tzinfo=UTC)
    lockout.note(lockout.MAILS, "somebody", long_ago)
    Receipt.objects.create(player=ann, key="k1", fingerprint=b"", status=204, at=long_ago)
    lockout.note(lockout.MAILS, "somebody", datetime.now(UTC))
    Receipt.objects.create(player=ann, key="k2", fingerprint=b"", status=204, at=datetime.now(UTC))
    tasks.sweep()
    assert Attempt.objects.count() == 1
    assert [receipt.key for receipt in Receipt.objects.all()] == ["k2"]
