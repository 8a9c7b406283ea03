"""Parses generated files with the grammar of their language; run by the Python of `.tools`, which has the grammars."""

import importlib
import sys
from pathlib import Path
from typing import Any

SUFFIXES = {"kotlin": ".kt", "swift": ".swift", "dart": ".dart"}


def first_error(node: Any) -> Any:
    if node.type == "ERROR" or node.is_missing:
        return node
    return next((found for child in node.children if child.has_error and (found := first_error(child))), None)


def main(language: str, *places: str) -> None:
    """Exit with the place of the first syntax error of each file that has one."""
    library = importlib.import_module("tree_sitter")  # the tests, which import this module, have none
    grammar = importlib.import_module(f"tree_sitter_{language}").language()
    parser = library.Parser(library.Language(grammar))
    files = [file for place in places for file in [Path(place), *Path(place).rglob(f"*{SUFFIXES[language]}")]]
    errors, count = [], 0
    for file in (file for file in files if file.is_file()):
        count += 1
        tree = parser.parse(file.read_bytes())
        if tree.root_node.has_error:
            found = first_error(tree.root_node)
            errors.append(f"{file.name}:{found.start_point[0] + 1 if found else '?'}")
    if errors or not count:
        sys.exit(f"{count} files, syntax errors: {', '.join(errors)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
