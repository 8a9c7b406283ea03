"""The sheets that the rules page shows as examples: every one is what the rules make of a few allowed marks."""

import pytest

from games.rules.qwixx import QWIXX
from tests.web.sheet_examples import FILE, MARKS, text
from tests.web.test_texts import LANGUAGES, catalogue


def test_every_example_is_what_its_marks_lead_to() -> None:
    assert FILE.read_text() == text()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sheet_but_the_first_has_a_chapter_with_its_name_and_an_example(language: str) -> None:
    names = catalogue(language)
    chapters = [chapter for chapter in catalogue(f"rules.{language}")[QWIXX.key] if "sheet" in chapter]
    assert [chapter["sheet"] for chapter in chapters] == [*QWIXX.sheets[1:]] == [*MARKS]
    assert [chapter["title"] for chapter in chapters] == [names[f"sheet_name.{sheet}"] for sheet in MARKS]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_extra_effect_and_row_of_a_sheet_has_a_text(language: str) -> None:
    texts = catalogue(language)
    sheets = QWIXX.description()["sheets"]
    printed = [each for sheet in sheets for each in (sheet, *sheet["printings"])]
    extras = [extra for each in printed for extra in each["extras"]]
    wanted = {f"clause.{extra['key']}" for extra in extras}
    wanted |= {f"clause_name.{extra['key']}" for extra in extras if "track" in extra}
    wanted |= {f"effect.{effect}" for extra in extras for effect in extra.get("effects", ())}
    wanted |= {f"colour.{row['key']}" for sheet in sheets for row in sheet["rows"]}
    wanted |= {f"sheet_about.{sheet['key']}" for sheet in sheets[1:] if not sheet["extras"]}
    assert wanted - set(texts) == set()
