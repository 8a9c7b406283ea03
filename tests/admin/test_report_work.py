"""Reports are assigned, resolved with an outcome and counted by moderator; players are noted and renamed."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from players.database.refusal import RequestRefused
from players.models import Player, Report, StaffAction
from players.moderation import reports
from tests.admin.test_queries import superuser_client

NOW = timezone.now()
LIST = "/admin/players/report/"


@pytest.fixture
def boss(db: None) -> Client:
    return superuser_client()


@pytest.fixture
def me(boss: Client) -> Player:
    return Player.objects.get(name="boss")


@pytest.fixture
def ann(db: None) -> Player:
    return Player.objects.create(name="Ann")


@pytest.fixture
def bob(db: None) -> Player:
    return Player.objects.create(name="Bob")


def perform(boss: Client, place: str, action: str, **form: str) -> str:
    answer = boss.post(f"/admin/{place}/action/", {"staff_action": action, **form}, follow=True)
    return str(answer.content.decode())


def test_report_is_taken_and_resolved_with_an_outcome(boss: Client, me: Player, ann: Player, bob: Player) -> None:
    report = reports.report(ann.pk, bob.pk, "abuse", None, "Swears.", NOW)
    earlier = reports.report(ann.pk, bob.pk, "name", None, "Rude.", NOW)
    place = f"players/report/{report.pk}"
    page = perform(boss, place, "take")
    assert "Report assigned to you." in page
    assert f"/admin/players/report/{earlier.pk}/change/" in page  # the other report about Bob
    assert Report.objects.get(pk=report.pk).assigned_to == me.pk
    assert re.search(r"field-assignee[^>]*>boss<", boss.get(LIST).content.decode())
    assert "Report is back in the queue." in perform(boss, place, "release")
    for outcome in ("", "boredom"):
        perform(boss, place, "resolve", reason="Renamed.", outcome=outcome)
        assert Report.objects.get(pk=report.pk).resolved_at is None
    perform(boss, place, "resolve", reason="Warned.", outcome="upheld")
    perform(boss, place, "resolve", reason="Again.", outcome="dismissed")
    found = Report.objects.get(pk=report.pk)
    assert (found.outcome, found.resolution, found.resolved_by) == ("upheld", "Warned.", me.pk)
    with pytest.raises(RequestRefused):
        reports.assign(report.pk, me.pk)
    assert StaffAction.objects.get().after == '{"outcome": "upheld"}'
    assert "Upheld" in boss.get(f"/admin/{place}/change/").content.decode()


def test_figures_of_moderators_count_outcomes_and_waits(boss: Client, me: Player, ann: Player, bob: Player) -> None:
    for hours, outcome in ((1, "upheld"), (3, "upheld"), (8, "duplicate")):
        report = reports.report(ann.pk, bob.pk, "abuse", None, "", NOW - timedelta(hours=hours))
        reports.resolve(report.pk, me.pk, outcome, "Done.", NOW)
    (load,) = reports.workloads(NOW - timedelta(days=1))
    assert (load.name, dict(load.outcomes), load.median) == ("boss", {"upheld": 2, "duplicate": 1}, timedelta(hours=3))
    assert "<td>3:00</td>" in boss.get(LIST).content.decode()
    assert reports.workloads(NOW + timedelta(days=1)) == []


def test_note_and_new_name_are_in_the_audit_log(boss: Client, bob: Player) -> None:
    place = f"players/player/{bob.pk}"
    assert "Second account of Eve?" in perform(boss, place, "note", reason="Second account of Eve?")
    page = perform(boss, place, "rename", reason="Offensive name.", name=" Robert ")
    assert "Name: Bob → Robert" in page
    for wrong in ("", "x" * 25, "\u202ename"):
        perform(boss, place, "rename", reason="Offensive name.", name=wrong)
    assert Player.objects.get(pk=bob.pk).name == "Robert"
    assert list(StaffAction.objects.order_by("pk").values_list("what", flat=True)) == ["note", "rename"]


def test_staff_are_not_renamed_by_staff(boss: Client, me: Player) -> None:
    perform(boss, f"players/player/{me.pk}", "rename", reason="A joke.", name="Chef")
    assert Player.objects.get(pk=me.pk).name == "boss"
