"""The catalogues of the admin: five languages, no hole, no form of the plural missing, and a word for all there is."""

import ast
import inspect
import re
import string
from pathlib import Path

import pytest
import unfold
from django.utils import translation

from games.admin import event_sentences, game_page
from games.game.aggregate import ABORTED, FINISHED, OPEN, PLAYING, VOIDED
from games.game.event_types import FACTS
from games.game.lobby import BOT_LEVELS
from games.log import audit
from games.rules.actions import ACTIONS
from games.rules.registry import RULESETS
from players.admin import texts
from players.admin.player_pages import PlayerAdmin
from players.admin.report_list import ReportAdmin
from players.admin.texts import catalogue, said, worded
from players.moderation import reports, roles
from qwixx_service.http.languages import LANGUAGES

HOME = Path(__file__).resolve().parents[2]
FOREIGN = [language for language in LANGUAGES if language != "en"]
FORMS = {"en": {"one", "other"}, "de": {"one", "other"}} | {key: {"one", "few", "many"} for key in ("ru", "uk", "pl")}
# The same in any language, or in this one as in English.
ALIKE = re.compile(
    r"ruleset\.|action\.mark$|story\.bot$"
    r"|unfold\.System$|game\.turn_of$|sheet\.bonus_[ab]$|colour\.orange$|role\.(moderator|administrator)$"
)


def forms(words: texts.Words) -> list[str]:
    return list(words.values()) if isinstance(words, dict) else [words]


def holes(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_catalogue_has_a_hole(language: str) -> None:
    assert set(texts.languages()) == set(LANGUAGES)
    assert list(catalogue(language)) == list(catalogue("en"))
    assert [name for name, words in catalogue(language).items() if not all(forms(words))] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_of_the_plural_is_there(language: str) -> None:
    english, words = catalogue("en"), catalogue(language)
    counted = {name for name, text in english.items() if isinstance(text, dict)}
    assert counted
    assert {name for name, text in words.items() if isinstance(text, dict)} == counted
    assert [name for name in counted if set(words[name]) != FORMS[language]] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_filled_in_is_the_same_in_every_language(language: str) -> None:
    wanted = {name: set().union(*map(holes, forms(words))) for name, words in catalogue("en").items()}
    found = {name: set().union(*map(holes, forms(words))) for name, words in catalogue(language).items()}
    assert found == wanted


@pytest.mark.parametrize("language", FOREIGN)
def test_nothing_was_left_in_english(language: str) -> None:
    english = catalogue("en")
    same = [name for name, words in catalogue(language).items() if words == english[name] and not ALIKE.match(name)]
    assert same == []


def test_numbers_stand_in_the_form_of_their_language() -> None:
    with translation.override("ru"):
        assert [said("game.counted", n) for n in (1, 3, 5, 21)] == ["1 игра", "3 игры", "5 игр", "21 игра"]
    with translation.override("pl"):
        assert [said("report.counted", n) for n in (1, 3, 5)] == ["1 zgłoszenie", "3 zgłoszenia", "5 zgłoszeń"]
    with translation.override("de"):
        assert said("game.counted", 12_000) == "12.000 Spiele"
    with translation.override("fr"):
        assert said("game.counted", 1) == "1 game"


def test_every_text_that_a_page_or_its_code_names_is_there_and_no_other() -> None:
    sources = [path.read_text() for app in ("games", "players") for path in (HOME / app / "admin").glob("*.py")]
    sources += [path.read_text() for app in ("games", "players") for path in (HOME / app / "templates").rglob("*.html")]
    sources.append((HOME / "qwixx_service" / "admin.py").read_text())
    every = "\n".join(sources)
    named = set(re.findall(r"""(?:said|later|column)\(?\s*"([a-z_]+\.[a-z_]+)\"""", every))
    assert named - set(catalogue("en")) == set()
    # Tables whose keys are values, and what every model has.
    by_value = [
        word for line in every.splitlines() if "worded" in line for word in re.findall(r"[\"']([a-z_]+)[\"']", line)
    ]
    by_value += re.findall(r'f"([a-z_]+)\.\{', every)
    unnamed = {name for name in set(catalogue("en")) - named if name.partition(".")[0] not in {*by_value, "unfold"}}
    models = ("game", "player", "report", "staffaction")
    assert unnamed <= {f"{model}.{key}" for model in models for key in ("one", "many", "counted")}


def test_whatever_a_game_can_be_or_do_has_words() -> None:
    flaws = {
        node.value
        for node in ast.walk(ast.parse(inspect.getsource(audit)))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if re.match(r"(there is|the |it cannot)", node.value) and not node.value.endswith("?")
    }
    described = {key: RULESETS[key].description() for key in RULESETS}
    cells = {
        cell["colour"]
        for game in described.values()
        for sheet in game["sheets"]
        for row in sheet["rows"]
        for cell in row["cells"]
    }
    wanted = {
        "event": set(FACTS),
        "action": set(ACTIONS),
        "status": {OPEN, PLAYING, FINISHED, ABORTED, VOIDED},
        "ruleset": set(RULESETS),
        "sheet": {sheet for game in RULESETS.values() for sheet in game.sheets},
        "colour": {*cells, "white"},
        "level": set(BOT_LEVELS),
        "flaw": {flaw.partition(" (")[0] for flaw in flaws},
        "order": {*game_page.ORDERS, *PlayerAdmin.orders, *ReportAdmin.orders, "verify"},
        "deed": {*game_page.ORDERS, *PlayerAdmin.orders, "resolve_report"},
        "complaint": set(reports.REASONS),
        "role": {*roles.ROLES, "none", "superuser"},
    }
    assert len(wanted["flaw"]) >= 8
    every = {f"{name}.{key}" for name, keys in wanted.items() for key in keys}
    assert every - set(catalogue("en")) == set()


def test_what_unfold_says_is_still_said_by_it() -> None:
    home = Path(unfold.__file__).parent
    said_there = "\n".join(path.read_text() for kind in ("*.html", "*.py") for path in home.rglob(kind))
    ours = [name.removeprefix("unfold.") for name in catalogue("en") if name.startswith("unfold.")]
    assert ours
    assert [text for text in ours if re.sub(r"%\((\w+)\)s", r"{{ \1 }}", text) not in said_there] == []


def test_a_value_that_nobody_has_words_for_stays_as_it_is() -> None:
    assert worded("a_new_sheet", "sheet") == "a_new_sheet"
    company = event_sentences.Company(("Ann",), 0, {})
    assert event_sentences.sentence({"type": "a_new_event", "version": 7, "data": {}}, company) == "a_new_event"
