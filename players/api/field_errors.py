"""Errors of request bodies with the codes of the API, in place of those of DRF."""

from collections.abc import Iterator, Mapping
from typing import Any

from rest_framework.exceptions import ValidationError
from rest_framework.settings import api_settings

Error = tuple[str, str, str]  # a JSON pointer, one of the codes of errors, and what was expected

LONGEST_NAME = 64  # of an unknown member, in the error that names it
CODES = {"required": "missing", "null": "wrong_type", "invalid": "wrong_type", "invalid_choice": "not_one_of"}


def wrong(code: str, expected: str) -> ValidationError:
    """The error of a field, for its serializer to raise."""
    return ValidationError(expected, code)


def errors_in(pointer: str, detail: Any) -> Iterator[Error]:
    """DRF's tree of validation errors, with JSON pointers (RFC 6901).

    >>> list(errors_in("", wrong("too_long", "fewer").detail))
    [('', 'too_long', 'fewer')]
    >>> list(errors_in("", {"bots": {1: wrong("not_one_of", "one of a, b").detail}}))
    [('/bots/1', 'not_one_of', 'one of a, b')]
    """
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            own = name == api_settings.NON_FIELD_ERRORS_KEY
            yield from errors_in(pointer if own else f"{pointer}/{step_of(str(name))}", inner)
    elif isinstance(detail, list) and any(isinstance(inner, Mapping) for inner in detail):
        for number, inner in enumerate(detail):
            yield from errors_in(f"{pointer}/{number}", inner)
    elif isinstance(detail, list):
        for inner in detail:
            yield from errors_in(pointer, inner)
    else:
        code = str(getattr(detail, "code", "wrong_format"))
        yield pointer, CODES.get(code, code), "" if code == "required" else str(detail)


def step_of(name: str) -> str:
    """A name as a step of a JSON pointer.

    >>> step_of("a/b~c")
    'a~1b~0c'
    """
    return name[:LONGEST_NAME].replace("~", "~0").replace("/", "~1")
