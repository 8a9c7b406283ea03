"""Signals: every planted cheat is found, no honest player is, and moderators read why in their language."""

from datetime import UTC, date, datetime
from random import Random
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from games.management.commands import seed_demo
from games.management.demo_games import DemoGame, GameRun
from games.results import signals
from games.results.signal_models import CheatSignal
from players.languages.accept_language import LANGUAGES
from players.models import Player, Report
from tests.admin.test_queries import superuser_client

PAGE = "/admin/games/game/signals/"
END = date(2026, 3, 8)
ANN, BOB = UUID(int=1), UUID(int=2)


def found() -> list[tuple[str, set[str]]]:
    names = {player.pk: player.name for player in Player.objects.all()}
    return sorted(
        (row.kind, {names[each] for each in (row.player, row.other) if each}) for row in CheatSignal.objects.all()
    )


@pytest.fixture
def demo(transactional_db: None) -> None:
    call_command("seed_demo", seed=7, end=END)


def test_all_three_planted_cheats_are_found_and_no_honest_player(demo: None) -> None:
    assert found() == [("collusion", {"Ida", "Jon"}), ("regular", {"Leo"}), ("sandbagging", {"Kim"})]
    assert Report.objects.filter(resolved_at=None).count() == len(seed_demo.COMPLAINTS)
    assert not Player.objects.filter(banned_until__isnull=False).exists()
    boss = superuser_client()
    pages = [boss.get(PAGE, headers={"accept-language": language}).content.decode() for language in LANGUAGES]
    assert len({page.partition("<main>")[2] for page in pages}) == len(LANGUAGES)
    assert all(f"{name}</a>" in page for page in pages for name in seed_demo.CHEATS)
    assert not any(f"{name}</a>" in page for page in pages for name in seed_demo.HONEST)
    assert "Games together: 14. Games that one of them left: 14." in pages[list(LANGUAGES).index("en")]
    with pytest.raises(CommandError):
        call_command("seed_demo", seed=7, end=END)
    signals.erase(Player.objects.get(name="Jon").pk)
    assert [kind for kind, _ in found()] == ["regular", "sandbagging"]


def test_same_seed_plays_the_same_demo_game() -> None:
    start = datetime(2026, 3, 1, tzinfo=UTC)
    one, same, other = (list(GameRun(DemoGame((ANN, BOB)), start, Random(seed)).commands()) for seed in (3, 3, 4))
    assert [command.events for command in one] == [command.events for command in same]
    assert one[-1].tip.status == "finished"
    assert one[-1].events != other[-1].events


@pytest.mark.django_db
def test_signals_are_for_moderators() -> None:
    staff = superuser_client()
    assert staff.get(PAGE).status_code == 200
    Player.objects.update(is_superuser=False)
    assert staff.get(PAGE).status_code == 403
    assert Client().get(PAGE).status_code == 302
