"""Texts of the admin: every name that the code uses exists, and every value of a closed set has a label."""

import ast
import inspect
import re
from pathlib import Path

import pytest
import unfold
from django.utils import translation

from games.admin import event_sentences, game_page
from games.game.aggregate import ABORTED, FINISHED, OPEN, PLAYING, VOIDED
from games.game.decisions.game_settings import BOT_LEVELS
from games.game.event_types import FACTS
from games.log import audit
from games.rules.actions import ACTIONS
from games.rules.registry import RULESETS
from players.admin.player_pages import PlayerAdmin
from players.admin.report_list import ReportAdmin
from players.admin.texts import entries, label, text
from players.languages.accept_language import LANGUAGES
from players.moderation import reports, roles

HOME = Path(__file__).resolve().parents[2]
MODELS = ("game", "player", "report", "staffaction")


def test_numbers_have_the_plural_form_of_the_language() -> None:
    with translation.override("ru"):
        assert [text("game.counted", n) for n in (1, 3, 5, 21)] == ["1 игра", "3 игры", "5 игр", "21 игра"]
    with translation.override("pl"):
        assert [text("report.counted", n) for n in (1, 3, 5)] == ["1 zgłoszenie", "3 zgłoszenia", "5 zgłoszeń"]
    with translation.override("de"):
        assert text("game.counted", 12_000) == "12.000 Spiele"
    with translation.override("fr"):
        assert text("game.counted", 1) == "1 game"


@pytest.mark.parametrize("language", LANGUAGES)
def test_breadcrumb_names_app_and_list_differently(language: str) -> None:
    names = entries(language)
    assert not {names["app.games"], names["app.players"]} & {str(names[f"{m}.many"]).capitalize() for m in MODELS}


def test_code_and_templates_name_every_text_and_no_unknown_one() -> None:
    sources = [path.read_text() for app in ("games", "players") for path in (HOME / app / "admin").rglob("*.py")]
    sources += [path.read_text() for app in ("games", "players") for path in (HOME / app / "templates").rglob("*.html")]
    sources.append((HOME / "qwixx_service" / "admin.py").read_text())
    source = "\n".join(sources)
    named = set(re.findall(r"""(?:text|lazy_text|column)\(?\s*"([a-z_]+\.[a-z_]+)\"""", source))
    assert named - set(entries("en")) == set()
    # Tables whose keys are values, and the names that every model has.
    tables = [
        word for line in source.splitlines() if "label" in line for word in re.findall(r"[\"']([a-z_]+)[\"']", line)
    ]
    tables += re.findall(r'f"([a-z_]+)\.\{', source)
    tables += re.findall(r'table = .*"([a-z_]+)"$', source, re.MULTILINE)  # of a filter
    unnamed = {name for name in set(entries("en")) - named if name.partition(".")[0] not in tables}
    assert unnamed <= {f"{model}.{key}" for model in MODELS for key in ("one", "many", "counted")}


def test_every_value_of_a_closed_set_has_a_label() -> None:
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
        if cell["colour"]  # the cells of bonus rows have none
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
        "order": {*game_page.COMMANDS, *PlayerAdmin.staff_actions, *ReportAdmin.staff_actions, "verify"},
        "deed": {*game_page.COMMANDS, *PlayerAdmin.staff_actions, "resolve_report"},
        "complaint": set(reports.REASONS),
        "role": {*roles.ROLES, "none", "superuser"},
    }
    assert len(wanted["flaw"]) >= 8
    names = {f"{table}.{key}" for table, keys in wanted.items() for key in keys}
    assert names - set(entries("en")) == set()


def test_unfold_still_uses_every_translated_message() -> None:
    home = Path(unfold.__file__).parent
    source = "\n".join(path.read_text() for kind in ("*.html", "*.py") for path in home.rglob(kind))
    messages = HOME / "qwixx_service" / "locale" / "en" / "LC_MESSAGES" / "django.po"
    names = re.findall(r'^msgid "(.+)"$', messages.read_text(), re.MULTILINE)
    assert names
    assert [name for name in names if re.sub(r"%\((\w+)\)s", r"{{ \1 }}", name) not in source] == []


def test_value_without_a_label_is_shown_as_it_is() -> None:
    assert label("a_new_sheet", "sheet") == "a_new_sheet"
    seats = event_sentences.SeatNames(("Ann",), 0, {})
    assert event_sentences.sentence({"type": "a_new_event", "version": 7, "data": {}}, seats) == "a_new_event"
