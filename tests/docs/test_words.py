"""Plain words in all texts, one meaning per class name, and no private names of other packages."""

import ast
import re
import subprocess
from collections import defaultdict
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SUFFIXES = (".py", ".md", ".toml", ".html", ".js", ".ts", ".css", ".json")
WORDS = (
    *(
        "whoever",
        "whomever",
        "whichever",
        "nobody",
        "somebody",
        "anybody",
        "everybody",
        "himself",
        "herself",
        "oneself",
    ),
    *("doorstep", "turnstile", "steward", "fast lane", "wide lane", "errand", "farewell", "guise", "leftover"),
    *("belongings", "patience", "sign of life"),
)
FORBIDDEN = re.compile(rf"\b({'|'.join(WORDS)})(?:'s|s)?\b".replace(" ", r"[ _-]"), re.IGNORECASE)
# `nobody` is the Unix user, and codes are no sentences: "reason_by.nobody_left".
QUOTED = re.compile(r"""(["`])[\w.@-]+\1""")
# History, libraries of others, texts in other languages, and this list of words.
EXEMPT = re.compile(
    r"CHANGELOG\.md|/vendor/|(^|/)(rules\.)?(de|ru|uk|pl)\.(toml|js|html|md|json)$|tests/docs/test_words\.py"
)
PACKAGES = ("games", "players", "qwixx_service")
WITH_BENCHMARKS = (*PACKAGES, "bench")
ADAPTER_FILES = ("__init__.py", "apps.py", "models.py", "urls.py", "views.py")  # names that Python and Django give


def tracked_files() -> Iterator[str]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    yield from (name for name in listed.splitlines() if name.endswith(SUFFIXES) and (ROOT / name).is_file())


def forbidden_words(text: str) -> list[str]:
    """Each with its line. In code an underscore separates words as a space does."""
    words = QUOTED.sub("", text).replace("_", " ")
    return [f"{words.count(chr(10), 0, match.start()) + 1}: {match[0]}" for match in FORBIDDEN.finditer(words)]


def python_files(trees: Collection[str] = PACKAGES) -> Iterator[tuple[str, ast.Module]]:
    for name in tracked_files():
        if name.endswith(".py") and name.partition("/")[0] in trees and "/migrations/" not in name:
            yield name, ast.parse((ROOT / name).read_text())


def private_imports(name: str, tree: ast.Module) -> list[str]:
    """Names with an underscore that a module imports from a package outside its own folder."""
    folder = name.rpartition("/")[0].replace("/", ".")
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.module.startswith(folder):
            parts = [*node.module.split("."), *(alias.name for alias in node.names)]
        elif isinstance(node, ast.Import):
            parts = [part for alias in node.names for part in alias.name.split(".")]
        else:
            continue
        found += [f"{name}:{node.lineno} {part}" for part in parts if is_private(part)]
    return found


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def test_texts_use_plain_words() -> None:
    found = {
        name: words
        for name in tracked_files()
        if not EXEMPT.search(name) and (words := forbidden_words((ROOT / name).read_text(errors="replace")))
    }
    assert found == {}


def test_a_class_name_is_defined_once() -> None:
    places: defaultdict[str, list[str]] = defaultdict(list)
    for name, tree in python_files(WITH_BENCHMARKS):
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not (node.name == "Command" and "/management/commands/" in name):
                places[node.name].append(name)
    several = {name: files for name, files in places.items() if len(files) > 1}
    assert several == {}


def test_a_file_name_exists_once_in_a_package_tree() -> None:
    places: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for name in tracked_files():
        tree, file = name.partition("/")[0], name.rpartition("/")[2]
        if tree in PACKAGES and file.endswith(".py") and file not in ADAPTER_FILES and "/migrations/" not in name:
            places[tree, file].append(name)
    several = {key: files for key, files in places.items() if len(files) > 1}
    assert several == {}


def test_no_module_imports_a_private_name_of_another_package() -> None:
    assert [each for name, tree in python_files() for each in private_imports(name, tree)] == []


@pytest.mark.parametrize(
    "text", ["Whoever asks", "is_nobodys_turn", "the fast-lane", "FAST_LANE", "somebody's", '"Nobody has to."']
)
def test_forbidden_words_are_found_in_all_spellings(text: str) -> None:
    assert forbidden_words(text)


@pytest.mark.parametrize("text", ["the user `nobody`", 'getpwnam("nobody")', "a breakfast lane", "stewardship"])
def test_other_words_are_not(text: str) -> None:
    assert forbidden_words(text) == []
