"""Every page of the admin is in the language of whoever looks, and nothing on it is left in English."""

import re
from collections.abc import Callable

import httpx
import pytest

from qwixx_service.http.languages import LANGUAGES
from tests.admin.conftest import LogIn, Staff
from tests.admin.reading import WORD, said_on
from tests.api.client import Json, Player, table
from tests.players.conftest import in_a_thread

FOREIGN = [language for language in LANGUAGES if language != "en"]
# Names, and what is the same in every language or in one of them and English.
ALIKE = {
    *("Qwixx", "Qwinto", "Service", "UTC", "Redis", "Bot", "esc", "orange", "System", "moderator", "administrator"),
    *("Ann", "Bob", "superuser", "nothing", "Swears", "test"),
    *("English", "Deutsch", "Русский", "Українська", "polski", *LANGUAGES),
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Sept", "Oct", "Nov", "Dec"),
}
# Ids, addresses, and the names that events have in the log.
GIVEN = re.compile(r"[\da-f-]{36}|\S+@example\.org|[a-z_]+ ·|A test\.")
LATIN = re.compile(r"[A-Za-z]{3,}")


def in_language(staff: Staff, language: str, path: str, status: int = 200) -> str:
    answer = staff.http.get(f"/admin/{path}", headers={"Accept-Language": language})
    assert answer.status_code == status, f"{path}: {answer.status_code}"
    assert f'<html lang="{language}"' in answer.text
    return answer.text


def left_in_english(pages: Callable[[str], str], language: str) -> set[str]:
    """What is said alike in English and there."""
    return {text for text in said_on(pages("en")) & said_on(pages(language)) if is_english(text)}


def is_english(text: str) -> bool:
    return bool(set(WORD.findall(GIVEN.sub("", text))) - ALIKE)


async def played(ann: Player, bob: Player, ruleset: str) -> Json:
    """A game with some answers, of which one is still sealed."""
    game = await table([ann, bob], ruleset=ruleset, clock={"roll_s": 600, "answer_s": 600})
    for _ in range(12):
        for player in (ann, bob):
            options = (await player.view(game))["options"]
            if options:
                await player.act(game, options[0])
    return game


@pytest.mark.parametrize("language", FOREIGN)
async def test_no_page_says_anything_in_english(log_in: LogIn, ann: Player, bob: Player, language: str) -> None:
    games = [await played(ann, bob, ruleset) for ruleset in ("qwixx", "qwinto")]
    waiting = await ann.create(seats=3)
    await ann.post(f"/games/{waiting['id']}/bots", {"level": "hard"})
    report = await ann.post(f"/players/{bob.player['id']}/reports", {"reason": "abuse", "text": "Swears."}, 201)
    staff = await in_a_thread(log_in, "superuser")
    await in_a_thread(staff.order, f"games/game/{games[0]['id']}", "void", reason="A test.")
    await in_a_thread(staff.order, f"players/player/{bob.player['id']}", "ban", reason="A test.", days="")
    changes = [f"games/game/{game['id']}/change/" for game in (*games, waiting)]
    pages = {
        "": "",
        "lists": "games/game/",
        "a filter": "games/game/?status=playing&rated=no",
        "nothing found": "games/game/?q=nobody-has-this-name",
        "players": "players/player/?kind=banned",
        "reports": "players/report/",
        "resolved": "players/report/?state=resolved",
        "log": "players/staffaction/",
        "voided": changes[0],
        "under way": changes[1],
        "past": f"{changes[1]}?version=9",
        "open": changes[2],
        "player": f"players/player/{ann.player['id']}/change/",
        "banned": f"players/player/{bob.player['id']}/change/",
        "report": f"players/report/{report['id']}/change/",
        "password": "password_change/",
        "apps": "games/",
    }
    for name, path in pages.items():
        left = await in_a_thread(left_in_english, lambda spoken, path=path: in_language(staff, spoken, path), language)
        assert left == set(), name


@pytest.mark.parametrize("language", ["ru", "uk"])
async def test_no_page_in_cyrillic_has_a_word_in_latin(log_in: LogIn, ann: Player, bob: Player, language: str) -> None:
    game = await played(ann, bob, "qwinto")
    staff = await in_a_thread(log_in, "superuser")
    for path in ("", "games/game/", "players/player/", "players/report/", f"games/game/{game['id']}/change/"):
        page = await in_a_thread(in_language, staff, language, path)
        words = {word for text in said_on(page) for word in LATIN.findall(GIVEN.sub("", text))}
        assert words - ALIKE == set(), path


@pytest.mark.parametrize("language", FOREIGN)
async def test_what_comes_of_an_order_is_told_in_the_language_of_who_gave_it(
    log_in: LogIn, ann: Player, bob: Player, language: str
) -> None:
    game = await table([ann, bob])
    staff = await in_a_thread(log_in, "administrator")
    place = f"games/game/{game['id']}"
    for order, reason in (
        ("verify", ""),
        ("pause", ""),
        ("pause", "A test."),
        ("pause", "A test."),
        ("abort", "A test."),
    ):
        told = []
        for spoken in ("en", language):
            staff.http.headers["Accept-Language"] = spoken
            answer: httpx.Response = await in_a_thread(staff.order, place, order, reason=reason)
            told.append(said_on(answer.text.partition("<main")[2] or answer.text))
        assert {text for text in told[0] & told[1] if is_english(text)} == set()


@pytest.mark.parametrize("language", FOREIGN)
async def test_doors_that_stay_shut_say_so_in_the_language_of_who_stands_before_them(
    log_in: LogIn, language: str
) -> None:
    nobody = await in_a_thread(log_in, "nothing")
    for path, status in (("", 200), ("games/game/", 403), ("nothing/here/", 404)):
        left = await in_a_thread(
            left_in_english,
            lambda spoken, path=path, status=status: in_language(nobody, spoken, path, status),
            language,
        )
        assert left == set(), path
    nobody.http.cookies.clear()
    assert await in_a_thread(left_in_english, lambda spoken: in_language(nobody, spoken, "login/"), language) == set()


async def test_a_language_that_was_chosen_stays(log_in: LogIn) -> None:
    staff = await in_a_thread(log_in, "viewer")
    token = {"csrfmiddlewaretoken": staff.http.cookies["csrftoken"], "next": "/admin/"}
    answer = await in_a_thread(staff.http.post, "/admin/language/", data={**token, "language": "uk"})
    assert '<html lang="uk"' in answer.text
    page = await in_a_thread(staff.http.get, "/admin/games/game/", headers={"Accept-Language": "de"})
    assert '<html lang="uk"' in page.text
    elsewhere = await in_a_thread(staff.http.get, "/", headers={"Accept-Language": "de"})
    assert '<html lang="de"' in elsewhere.text


def test_a_text_left_in_english_would_be_found() -> None:
    page = '<h1>Spiele</h1><p class="qx-mono">cell_marked</p><button title="Go back">x</button><td>no answer</td>'
    assert said_on(page) == {"Spiele", "Go back", "no answer"}
    assert is_english("no answer")
    assert not is_english("Ann: orange 2")
