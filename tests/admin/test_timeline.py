"""The page of a player has a timeline of games, ratings, devices, reports and staff actions, and frequent opponents."""

import re
from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone

from games.results import projector
from players.models import Player, Session
from players.moderation import reports, staff_actions
from tests.admin.test_queries import superuser_client
from tests.results.game_logs import ended, people, stored

NOW = timezone.now()
ROW = re.compile(r'<tr><td class="qx-time">.*?</td><td>(.*?)</td><td>(.*?)</td></tr>')
HEADING = "<h2>Timeline</h2>"


def page_of(boss: Client, player: Player) -> str:
    return boss.get(f"/admin/players/player/{player.pk}/change/").content.decode()


@pytest.fixture
def met(transactional_db: None) -> list[Player]:
    """Three players: the first has met the second twice and the third once."""
    ids = people(3)
    stored([ended(ids[:2], (50, 40), NOW - timedelta(hours=each)) for each in (4, 5)])
    stored([ended([ids[0], ids[2]], (10, 90), NOW - timedelta(hours=6))])
    projector.project_new()
    return [Player.objects.get(pk=pk) for pk in ids]


def test_timeline_has_all_that_happened_newest_first(met: list[Player]) -> None:
    ann, bob, _ = met
    boss = superuser_client()
    Session.objects.create(player=ann, token_hash=bytes(32), device="Phone")
    reports.report(bob.pk, ann.pk, "abuse", None, "Swears.", NOW - timedelta(hours=3))
    staff_actions.note(ann.pk, Player.objects.get(name="boss").pk, "A test.", NOW - timedelta(hours=2))
    rows = ROW.findall(page_of(boss, ann).partition(HEADING)[2])
    kinds = [kind for kind, _ in rows]
    assert kinds == ["Device logged in", "Note", "Reported", "Game ended", "Game ended", "Game ended"]
    assert rows[0][1] == "Phone"
    assert rows[2][1] == "Abuse: Swears."
    assert re.fullmatch(r"Qwixx, rank 1, points: 50\. Rating: \d+\.", rows[3][1])


def test_frequent_opponents_are_shown_to_moderators_only(met: list[Player]) -> None:
    ann, bob, cem = met
    boss = superuser_client()
    shown = page_of(boss, ann).partition("Most frequent opponents")[2]
    assert re.findall(r'/change/">(.*?)</a></td><td>(\d+)</td>', shown) == [(bob.name, "2"), (cem.name, "1")]
    import_module("games.migrations.0002_roles").create_roles(apps, None)  # tables are emptied between tests
    staff = Player.objects.get(name="boss")
    Player.objects.update(is_superuser=False)
    for role, is_shown in (("viewer", False), ("moderator", True)):
        staff.groups.set(Group.objects.filter(name=role))
        assert ("Most frequent opponents" in page_of(boss, ann)) == is_shown
        assert HEADING in page_of(boss, ann)
