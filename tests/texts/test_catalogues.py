"""Every text catalogue is complete in all languages: the same texts, values and plural forms, none left in English."""

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from gettext import GNUTranslations
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from games.live import phrases
from games.web.build import FOLDER as PAGE
from players.admin import texts as admin_texts
from players.languages.accept_language import LANGUAGES
from players.languages.catalogues import Entry, catalogue, flatten
from players.mail import mail_texts
from qwixx_service.http import texts as error_texts

HOME = Path(__file__).resolve().parents[2]
LOCALE = HOME / "qwixx_service" / "locale"
FORMS = {"en": {"one", "other"}, "de": {"one", "other"}} | {key: {"one", "few", "many"} for key in ("ru", "uk", "pl")}
PLACEHOLDER = re.compile(r"\{\w*\}|%\(\w+\)s")
MESSAGE = re.compile(r'^msgid "(.+)"\nmsgstr "(.*)"$', re.MULTILINE)


def page_texts(language: str) -> dict[str, Entry]:
    found: dict[str, Entry] = json.loads((PAGE / "text" / f"{language}.json").read_text())
    return found


def messages(language: str) -> dict[str, Entry]:
    return dict(MESSAGE.findall((LOCALE / language / "LC_MESSAGES" / "django.po").read_text()))


class Subject(NamedTuple):
    read: Callable[[str], dict[str, Entry]]
    same: str = r"$."  # names of texts that are the same in English and in another language
    extra_forms: frozenset[str] = frozenset()  # of Slavic languages


def in_folder(folder: Path) -> Callable[[str], dict[str, Entry]]:
    return lambda language: dict(flatten(catalogue(folder, language)))


SUBJECTS = {
    "admin": Subject(
        admin_texts.entries,
        r"ruleset\.|action\.mark$|story\.bot$|game\.(turn_of|done)$|sheet\.bonus_[ab]$|colour\.orange$"
        r"|role\.(moderator|administrator)$|player\.(name|bot)$|game\.(status|version)$"
        r"|field\.(name|state|status)$|staffaction\.hash$",
    ),
    "errors": Subject(in_folder(error_texts.FOLDER), r"expected\.a UUID$"),
    "mails": Subject(in_folder(mail_texts.FOLDER)),
    "phrases": Subject(in_folder(phrases.FOLDER)),
    "page": Subject(
        page_texts,
        r"ruleset\.|sheet_name\.bonus|level\.bot|colour\.orange|points\.bonus|sheet\.cell|new\.bots|seat\.bot"
        r"|games\.invited|phrases\.said|account\.(name|email)",
        extra_forms=frozenset({"other"}),  # `Intl.PluralRules` needs it for fractions
    ),
    "unfold": Subject(messages, r"System$"),
}


def all_forms(entry: Entry) -> list[str]:
    return list(entry.values()) if isinstance(entry, dict) else [entry]


def placeholders(text: str) -> list[str]:
    return sorted(PLACEHOLDER.findall(text))


def has_the_placeholders_of(english: Entry, translated: Entry) -> bool:
    """Every form has those of the English `other`; `one` may leave out the number where the English `one` does."""
    if isinstance(english, str) or isinstance(translated, str):
        return [*map(placeholders, all_forms(english))] == [*map(placeholders, all_forms(translated))]
    allowed = {"one": [english["one"], english["other"]]}
    return all(
        placeholders(text) in [placeholders(known) for known in allowed.get(form, [english["other"]])]
        for form, text in translated.items()
    )


def counted(entries: dict[str, Entry]) -> set[str]:
    return {name for name, entry in entries.items() if isinstance(entry, dict)}


def pairs() -> Iterator[Any]:
    for name, subject in SUBJECTS.items():
        for language in LANGUAGES:
            yield pytest.param(subject, language, id=f"{name}-{language}")


over_all_catalogues = partial(pytest.mark.parametrize, ("subject", "language"))(list(pairs()))


@over_all_catalogues
def test_catalogue_has_the_same_texts_as_the_english_one(subject: Subject, language: str) -> None:
    english, translated = subject.read("en"), subject.read(language)
    assert list(translated) == list(english)
    assert [name for name, entry in translated.items() if not all(all_forms(entry))] == []


@over_all_catalogues
def test_catalogue_has_every_plural_form_of_its_language(subject: Subject, language: str) -> None:
    translated = subject.read(language)
    assert counted(translated) == counted(subject.read("en"))
    forms = FORMS[language] | (subject.extra_forms if "few" in FORMS[language] else set())
    assert [name for name in counted(translated) if set(translated[name]) != forms] == []


@over_all_catalogues
def test_catalogue_has_the_placeholders_of_the_english_one(subject: Subject, language: str) -> None:
    english, translated = subject.read("en"), subject.read(language)
    assert [name for name in english if not has_the_placeholders_of(english[name], translated[name])] == []


@over_all_catalogues
def test_catalogue_has_no_text_left_in_english(subject: Subject, language: str) -> None:
    english, translated = subject.read("en"), subject.read(language)
    same = [name for name in english if translated[name] == english[name] and not re.match(subject.same, name)]
    assert language == "en" or same == []


@pytest.mark.parametrize("module", [error_texts, mail_texts, phrases, admin_texts])
def test_folder_has_one_file_per_language(module: Any) -> None:
    folder = getattr(module, "FOLDER", Path(module.__file__).parent)
    assert {path.stem for path in folder.glob("*.toml")} == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_compiled_messages_match_their_source(language: str) -> None:
    """`msgfmt -o django.mo django.po` compiles the texts of unfold for Django."""
    with (LOCALE / language / "LC_MESSAGES" / "django.mo").open("rb") as file:
        compiled = GNUTranslations(file)
    assert {name: compiled.gettext(name) for name in messages(language)} == messages(language)
