"""The audit log is chained, filtered, exported and verified; sessions of staff end; some actions ask for a code."""

import csv
import io
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from games import runtime
from players.admin.texts import EMPTY
from players.database.refusal import RequestRefused
from players.models import Player, StaffAction, StaffSession
from players.moderation import action_chain, roles, staff_actions
from players.moderation.bans import PERMANENT
from tests.admin.test_queries import superuser_client
from tests.results.game_logs import MONDAY, ended, stored

NOW = timezone.now()
BANNED = f"Banned until: {EMPTY} → permanent"
LOG = "/admin/players/staffaction/"


@pytest.fixture
def boss(db: None) -> Client:
    return superuser_client()


@pytest.fixture
def me(boss: Client) -> Player:
    return Player.objects.get(name="boss")


@pytest.fixture
def eve(db: None) -> Player:
    return Player.objects.create(name="Ève", email="eve@example.org", email_confirmed_at=NOW)


def forge(statement: str) -> None:
    """As an owner of the database could, who disables the trigger."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE players_staffaction DISABLE TRIGGER USER")
        cursor.execute(statement)
        cursor.execute("ALTER TABLE players_staffaction ENABLE TRIGGER USER")


def some_actions(by: Player, on: Player) -> None:
    staff_actions.ban(on.pk, PERMANENT, by.pk, "=Swears.", NOW)
    staff_actions.lift_ban(on.pk, by.pk, "A mistake.", NOW)
    roles.give(on.pk, "moderator", by, "Well done.", NOW)


@pytest.mark.parametrize(
    ("statement", "position"),
    [
        ("SELECT 1", None),
        ("UPDATE players_staffaction SET reason = 'Swears' WHERE position = 2", 2),
        ("UPDATE players_staffaction SET after = '{}' WHERE position = 1", 1),
        ("UPDATE players_staffaction SET what = 'lift_', kind = 'banplaye' WHERE position = 2", 2),
        ("DELETE FROM players_staffaction WHERE position = 1", 1),
        ("UPDATE players_staffaction SET position = 4 - position", 1),
    ],
)
def test_every_forgery_of_the_audit_log_is_found(me: Player, eve: Player, statement: str, position: int | None) -> None:
    some_actions(me, eve)
    forge(statement)
    assert action_chain.first_flaw() == position


def test_audit_log_is_verified_at_a_click(boss: Client, me: Player, eve: Player) -> None:
    some_actions(me, eve)
    assert "The audit log is valid" in boss.post(f"{LOG}verify/", follow=True).content.decode()
    forge("UPDATE players_staffaction SET reason = 'Other' WHERE position = 3")
    assert "Verification failed at entry 3" in boss.post(f"{LOG}verify/", follow=True).content.decode()
    assert boss.get(f"{LOG}verify/").status_code == 405


def test_audit_log_shows_names_and_what_was_changed(boss: Client, me: Player, eve: Player) -> None:
    some_actions(me, eve)
    page = boss.get(LOG).content.decode()
    for shown in (
        "Player Ève",
        ">boss<",
        BANNED,
        f"permanent → {EMPTY}",
        "Role: No role → Moderator",
    ):
        assert shown in page, shown
    for query, count in {
        "what=ban": 1,
        "by=bos": 3,
        "by=eve": 0,
        "q=EVE": 3,
        "q=mistake": 1,
        f"q={eve.pk}": 3,
        f"from={NOW:%Y-%m-%d}": 3,
        f"to={NOW - timedelta(days=1):%Y-%m-%d}": 0,
    }.items():
        assert boss.get(f"{LOG}?{query}").content.decode().count("<tbody") == count, query


def test_export_has_the_filtered_rows_and_no_formula(boss: Client, me: Player, eve: Player) -> None:
    some_actions(me, eve)
    answer = boss.get(f"{LOG}export/?what=ban")
    assert answer["Content-Disposition"] == 'attachment; filename="audit-log.csv"'
    header, row = csv.reader(io.StringIO(b"".join(answer).decode()))
    assert header[0] == "Time"
    assert row[1:6] == [
        "Player banned",
        f"Player Ève {eve.pk}",
        "'=Swears.",
        BANNED,
        "boss",
    ]
    assert len(row[6]) == 64
    assert Client().get(f"{LOG}export/").status_code == 302


def test_targets_that_are_games_have_the_names_of_their_players(transactional_db: None) -> None:
    boss = superuser_client()
    players = Player.objects.bulk_create([Player(name="Ann"), Player(name="Bob")])
    (game,) = stored([ended([player.pk for player in players], [1, 2], MONDAY)])
    me = Player.objects.get(name="boss")
    try:
        staff_actions.record(me.pk, "void", "game", game, "A test.", NOW)
        assert "Game Ann, Bob" in boss.get(LOG).content.decode()
    finally:
        runtime.end()


def test_session_of_staff_ends_after_twelve_hours(boss: Client) -> None:
    assert boss.get("/admin/players/player/").status_code == 200
    StaffSession.objects.update(began_at=timezone.now() - timedelta(hours=12))
    assert boss.get("/admin/players/player/")["Location"] == "/admin/login/"
    assert boss.get("/admin/players/player/").status_code == 302  # logged out


def test_session_of_staff_is_listed_and_ended(boss: Client, me: Player) -> None:
    other = Client()
    other.force_login(me)
    StaffSession.objects.filter(pk=other.session["staff_session"]).update(device="A phone")
    place = f"/admin/players/player/{me.pk}/"
    assert "A phone" in boss.get(f"{place}change/").content.decode()
    session = StaffSession.objects.get(device="A phone")
    form = {"staff_action": "end_session", "session": str(session.pk), "reason": "Lost."}
    boss.post(f"{place}action/", form)
    assert other.get("/admin/")["Location"] == "/admin/login/"
    assert boss.get("/admin/").status_code == 200
    assert StaffAction.objects.get().what == "end_session"
    boss.post(f"{place}action/", form)  # it has ended
    assert StaffAction.objects.count() == 1


@pytest.fixture
def code(me: Player) -> str:
    """A recovery code of a member of staff whose app was enrolled long ago."""
    TOTPDevice.objects.filter(user=me).update(confirmed=True)
    StaticToken.objects.create(device=StaticDevice.objects.create(user=me, name="Recovery codes"), token="abcdefgh")
    return "abcdefgh"


def test_action_that_cannot_be_undone_asks_for_the_second_factor_again(boss: Client, eve: Player, code: str) -> None:
    place = f"/admin/players/player/{eve.pk}/"
    assert 'name="code"' in boss.get(f"{place}change/").content.decode()
    erase = {"staff_action": "erase", "reason": "Asked for it."}
    for wrong in ({}, {"code": "zzzzzzzz"}):
        boss.post(f"{place}action/", {**erase, **wrong})
        assert Player.objects.filter(pk=eve.pk, erased_at=None).exists()
        StaticDevice.objects.update(throttling_failure_timestamp=None, throttling_failure_count=0)
    boss.post(f"{place}action/", {"staff_action": "ban", "reason": "Swears.", "days": "7"})  # asks for none
    boss.post(f"{place}action/", {**erase, "code": code})
    assert not Player.objects.filter(pk=eve.pk, erased_at=None).exists()
    assert 'name="code"' not in boss.get(f"{place}change/").content.decode()  # for ten minutes


def test_role_needs_a_confirmed_address(me: Player, eve: Player) -> None:
    Player.objects.filter(pk=eve.pk).update(email_confirmed_at=None)
    with pytest.raises(RequestRefused):
        roles.give(eve.pk, "viewer", me, "Well done.", NOW)
    roles.give(eve.pk, "", me, "Gone.", NOW)  # a role can be taken away
