"""The list of games is searched by parts of names and filtered; the page of a game pages and filters its events."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from games import runtime
from games.admin import event_pages
from games.admin.event_pages import MAX_EVENTS, Chosen
from players.models import Player
from players.social import name_search
from tests.admin.conftest import LogIn
from tests.admin.test_queries import superuser_client
from tests.api.client import Player as Caller
from tests.api.client import table
from tests.players.conftest import in_a_thread
from tests.results.game_logs import ended, stored, voided

NOW = datetime.now(UTC)
CELL = re.compile(r'<th class="field-players[^>]*><a [^>]*>([^<]*)</a>')


@pytest.fixture
def boss(transactional_db: None) -> Iterator[Client]:
    yield superuser_client()
    runtime.end()


def players(*names: str) -> list[Any]:
    return [player.pk for player in Player.objects.bulk_create(Player(name=name) for name in names)]


def listed(boss: Client, query: str) -> list[str]:
    """The names in the games that the list shows, the newest first."""
    answer = boss.get(f"/admin/games/game/?{query}")
    assert answer.status_code == 200
    return CELL.findall(answer.content.decode())


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "term"),
    [
        *(("Łukasz Zieliński", "zielin"), ("Zoë", "ZOE"), ("Олена", "ЛЕНА"), ("Сергій", "сергии")),
        *(("Größe", "grose"), ("A%b", "a%B")),
    ],
)
def test_name_is_found_by_a_part_without_accents_and_case(name: str, term: str) -> None:
    players(name, "Another")
    assert [found.name for found in name_search.search(term)] == [name]


@pytest.mark.django_db
def test_search_of_names_uses_an_index() -> None:
    for term, index in (("mario", "players_player_name_parts"), ("ma", "players_player_name_start")):
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")
        assert index in name_search.search(term).values("pk").explain()


@pytest.mark.django_db
def test_without_an_index_of_parts_names_are_found_by_their_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(name_search, "finds_parts", lambda: False)
    players("Mario", "Super Mario")
    assert [found.name for found in name_search.search("mario")] == ["Mario"]


def test_list_of_games_shows_names_and_is_filtered(boss: Client) -> None:
    ann, bob, zoe = players("Ann", "Bob", "Zoë")
    games = [
        ended([ann, bob], [10, 20], NOW - timedelta(days=1)),
        ended([ann, zoe], [10, 20], NOW, rated=False, ruleset="qwinto"),
        ended([bob, None], [10, 20], NOW, sheet="mixx_a"),
    ]
    with_bob, _, with_bot = stored(games)
    everything = listed(boss, "")
    assert sorted(everything) == ["Ann, Bob", "Ann, Zoë", "Bob, Bot (easy)"]
    for query, names in {
        "q=ZOE": ["Ann, Zoë"],
        f"q={with_bot}": ["Bob, Bot (easy)"],
        "player=zo": ["Ann, Zoë"],
        f"player={zoe}&rated=yes": [],
        "sheet=mixx_a": ["Bob, Bot (easy)"],
        "rated=no": ["Ann, Zoë"],
        "reason=two_rows_closed": [],
        "reason=four_penalties&ruleset=qwinto": ["Ann, Zoë"],
        "visibility=private": [],
        f"from={NOW + timedelta(days=2):%Y-%m-%d}": [],
        f"to={NOW - timedelta(days=2):%Y-%m-%d}": [],
        "from=yesterday&player=bob&sheet=classic": ["Ann, Bob"],
    }.items():
        assert listed(boss, query) == names, query
    assert len(listed(boss, f"from={NOW - timedelta(days=1):%Y-%m-%d}&to={NOW + timedelta(days=1):%Y-%m-%d}")) == 3
    voided(with_bob, NOW)
    page = boss.get(f"/admin/games/game/{with_bob}/change/").content.decode()
    assert "Does not count. Before: a player has four penalties" in page
    assert "Played to the end" in page
    assert "In progress" not in page


async def test_aborted_game_has_no_result_and_no_playing_seat(log_in: LogIn, ann: Caller, bob: Caller) -> None:
    game = await table([ann, bob])
    staff = await in_a_thread(log_in, "administrator")
    before = await in_a_thread(staff.page, f"games/game/{game['id']}/change/")
    assert 'data-live="3"' in before  # it goes on
    await in_a_thread(staff.perform, f"games/game/{game['id']}", "abort", reason="A test.")
    await in_a_thread(staff.perform, f"games/game/{game['id']}", "void", reason="A test.")
    page = await in_a_thread(staff.page, f"games/game/{game['id']}/change/")
    assert "No result" in page
    assert "<td>Playing</td>" not in page
    assert "The game is valid" in page
    assert "data-live" not in page


def log(count: int) -> list[Any]:
    """Each third event starts a turn; the others are of the seats 0 and 1."""
    types = ("turn_started", "dice_rolled", "cell_marked")
    return [{"version": n, "type": types[n % 3], "data": {"seat": n % 2, "turn": n // 3}} for n in range(1, count + 1)]


def test_every_event_is_on_one_page() -> None:
    events, chosen, versions = log(100), Chosen(), []
    while True:
        page = event_pages.page(events, chosen, 100)
        versions += [event["version"] for event in page.shown]
        if not page.older:
            break
        pairs = dict(pair.split("=") for pair in page.older[1:].split("&"))
        chosen = event_pages.chosen(pairs)
    assert versions == list(range(100, 0, -1))
    assert page.newer == "?"


def test_events_are_filtered_by_type_and_seat_and_turns_are_named() -> None:
    page = event_pages.page(log(100), event_pages.chosen({"type": "dice_rolled", "seat": "1"}), 90)
    assert {(event["type"], event["data"]["seat"]) for event in page.shown} == {("dice_rolled", 1)}
    assert len(page.shown) <= MAX_EVENTS
    assert page.kinds == ["cell_marked", "dice_rolled", "turn_started"]
    assert page.turns[0] == (3, "Turn 1")


def test_address_of_a_version_leads_a_colleague_to_the_same_page() -> None:
    chosen = Chosen(version=7, kind="dice_rolled", seat=0, has_chain=True)
    pairs = dict(pair.split("=") for pair in chosen.address()[1:].split("&"))
    assert event_pages.chosen(pairs) == chosen
    assert event_pages.chosen({"version": "-1", "before": "x", "seat": "ä"}) == Chosen()
