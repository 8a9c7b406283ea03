"""Every admin page is in the language of the request, and no text on it is left in English."""

import re
from collections.abc import Callable

import httpx
import pytest
from django_otp.plugins.otp_totp.models import TOTPDevice

from players.languages.accept_language import LANGUAGES
from tests.admin import second_factor
from tests.admin.conftest import PASSWORD, LogIn, Staff
from tests.admin.visible_text import WORD, visible_texts
from tests.api.client import Json, Player, table
from tests.players.conftest import in_a_thread

FOREIGN = [language for language in LANGUAGES if language != "en"]
# Names, and words that are the same in English and in at least one other language.
SAME_WORDS = {
    *("Qwixx", "Qwinto", "Service", "UTC", "Redis", "Bot", "esc", "orange", "System", "moderator", "administrator"),
    *("Name", "Status", "Version", "Median", "Moderator", "Administrator", "Orange"),
    *("Ann", "Bob", "superuser", "nothing", "Swears", "test"),
    *("English", "Deutsch", "Русский", "Українська", "polski", *LANGUAGES),
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Sept", "Oct", "Nov", "Dec"),
}
# Ids, addresses, and the event types of the log.
DATA = re.compile(r"[\da-f-]{36}|\S+@example\.org|[a-z_]+ ·|A test\.")
LATIN = re.compile(r"[A-Za-z]{3,}")


def in_language(staff: Staff, language: str, path: str, status: int = 200) -> str:
    answer = staff.http.get(f"/admin/{path}", headers={"Accept-Language": language})
    assert answer.status_code == status, f"{path}: {answer.status_code}"
    assert f'<html lang="{language}"' in answer.text
    return answer.text


def untranslated(pages: Callable[[str], str], language: str) -> set[str]:
    """The English texts that the page has in both languages."""
    return {text for text in visible_texts(pages("en")) & visible_texts(pages(language)) if is_english(text)}


def is_english(text: str) -> bool:
    return bool(set(WORD.findall(DATA.sub("", text))) - SAME_WORDS)


async def game_with_answers(ann: Player, bob: Player, ruleset: str) -> Json:
    """A game with some answers, of which one is still sealed."""
    game = await table([ann, bob], ruleset=ruleset, clock={"roll_s": 600, "answer_s": 600})
    for _ in range(12):
        for player in (ann, bob):
            options = (await player.view(game))["options"]
            if options:
                await player.act(game, options[0])
    return game


@pytest.mark.parametrize("language", FOREIGN)
async def test_pages_have_no_english_text_in_other_languages(
    log_in: LogIn, ann: Player, bob: Player, language: str
) -> None:
    games = [await game_with_answers(ann, bob, ruleset) for ruleset in ("qwixx", "qwinto")]
    waiting = await ann.create(seats=3)
    await ann.post(f"/games/{waiting['id']}/bots", {"level": "hard"})
    report = await ann.post(f"/players/{bob.player['id']}/reports", {"reason": "abuse", "text": "Swears."}, 201)
    staff = await in_a_thread(log_in, "superuser")
    await in_a_thread(staff.perform, f"games/game/{games[0]['id']}", "void", reason="A test.")
    await in_a_thread(staff.perform, f"players/player/{bob.player['id']}", "ban", reason="A test.", days="")
    changes = [f"games/game/{game['id']}/change/" for game in (*games, waiting)]
    pages = {
        "": "",
        "lists": "games/game/",
        "a filter": "games/game/?status=playing&rated=no",
        "nothing found": "games/game/?q=no-player-has-this-name",
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
        "second factor": "second-factor/enrol/",
        "statistics": "games/game/statistics/?days=14",
        "signals": "games/game/signals/",
    }
    for name, path in pages.items():
        left_over = await in_a_thread(untranslated, lambda code, path=path: in_language(staff, code, path), language)
        assert left_over == set(), name


@pytest.mark.parametrize("language", ["ru", "uk"])
async def test_cyrillic_pages_have_no_latin_word(log_in: LogIn, ann: Player, bob: Player, language: str) -> None:
    game = await game_with_answers(ann, bob, "qwinto")
    staff = await in_a_thread(log_in, "superuser")
    for path in ("", "games/game/", "players/player/", "players/report/", f"games/game/{game['id']}/change/"):
        page = await in_a_thread(in_language, staff, language, path)
        words = {word for text in visible_texts(page) for word in LATIN.findall(DATA.sub("", text))}
        assert words - SAME_WORDS == set(), path


@pytest.mark.parametrize("language", FOREIGN)
async def test_result_of_a_staff_action_is_in_the_language_of_the_request(
    log_in: LogIn, ann: Player, bob: Player, language: str
) -> None:
    game = await table([ann, bob])
    staff = await in_a_thread(log_in, "administrator")
    place = f"games/game/{game['id']}"
    for action, reason in (
        ("verify", ""),
        ("pause", ""),
        ("pause", "A test."),
        ("pause", "A test."),
        ("abort", "A test."),
    ):
        results = []
        for code in ("en", language):
            staff.http.headers["Accept-Language"] = code
            answer: httpx.Response = await in_a_thread(staff.perform, place, action, reason=reason)
            results.append(visible_texts(answer.text))
        assert {text for text in results[0] & results[1] if is_english(text)} == set()


@pytest.mark.parametrize("language", FOREIGN)
async def test_refused_pages_are_in_the_language_of_the_request(log_in: LogIn, language: str) -> None:
    staff = await in_a_thread(log_in, "nothing")
    for path, status in (("", 200), ("games/game/", 403), ("nothing/here/", 404)):
        left_over = await in_a_thread(
            untranslated,
            lambda code, path=path, status=status: in_language(staff, code, path, status),
            language,
        )
        assert left_over == set(), path
    staff.http.cookies.clear()
    assert await in_a_thread(untranslated, lambda code: in_language(staff, code, "login/"), language) == set()


@pytest.mark.parametrize("language", FOREIGN)
async def test_pages_of_the_second_factor_have_no_english_text_in_other_languages(log_in: LogIn, language: str) -> None:
    staff = await in_a_thread(log_in, "moderator")

    def pages(code: str) -> list[str]:
        """A wrong code, too many wrong codes, recovery codes, and the question for a code."""
        staff.http.headers["Accept-Language"] = code
        page = staff.http.get(second_factor.ENROLMENT)
        answers = [second_factor.enter_code(staff.http, page, "wrong") for _ in range(2)]
        assert [answer.status_code for answer in answers] == [200, 429]
        TOTPDevice.objects.update(throttling_failure_timestamp=None)  # as if the delay was over
        key = second_factor.shown_key(page)
        answers.append(second_factor.enter_code(staff.http, page, second_factor.current_code(key)))
        assert second_factor.RECOVERY_CODE.search(answers[-1].text)
        with httpx.Client(base_url=staff.http.base_url, headers={"Accept-Language": code}) as http:
            answers.append(second_factor.enter_password(http, staff.player.email or "", PASSWORD))
        assert answers[-1].url.path == second_factor.CODE
        return [answer.text for answer in answers]

    english, translated = await in_a_thread(pages, "en"), await in_a_thread(pages, language)
    for one, other in zip(english, translated, strict=True):
        assert {text for text in visible_texts(one) & visible_texts(other) if is_english(text)} == set()


async def test_language_chosen_in_the_menu_is_kept(log_in: LogIn) -> None:
    staff = await in_a_thread(log_in, "viewer")
    token = {"csrfmiddlewaretoken": staff.http.cookies["csrftoken"], "next": "/admin/"}
    answer = await in_a_thread(staff.http.post, "/admin/language/", data={**token, "language": "uk"})
    assert '<html lang="uk"' in answer.text
    page = await in_a_thread(staff.http.get, "/admin/games/game/", headers={"Accept-Language": "de"})
    assert '<html lang="uk"' in page.text
    elsewhere = await in_a_thread(staff.http.get, "/", headers={"Accept-Language": "de"})
    assert '<html lang="de"' in elsewhere.text


def test_untranslated_text_would_be_found() -> None:
    page = '<h1>Spiele</h1><p class="qx-mono">cell_marked</p><button title="Go back">x</button><td>not responding</td>'
    assert visible_texts(page) == {"Spiele", "Go back", "not responding"}
    assert is_english("not responding")
    assert not is_english("Ann: orange 2")
