"""What is wrong with the body of a request, member by member, by the types of its struct; all errors at once."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from msgspec import ValidationError, convert, inspect

from players.api.field_errors import Error, step_of

Errors = Iterator[Error]

# The types of JSON, and their names in hints.
TYPES: tuple[tuple[type[inspect.Type], type, str], ...] = (
    (inspect.StrType, str, "a text"),
    (inspect.LiteralType, str, "a text"),
    (inspect.UUIDType, str, "a UUID"),
    (inspect.IntType, int, "a whole number"),
    (inspect.BoolType, bool, "true or false"),
    (inspect.ListType, list, "a list"),
    (inspect.StructType, dict, "an object"),
)


def errors_of(value: Any, kind: type[Any]) -> list[Error]:
    """The errors of a parsed JSON document that msgspec does not convert to this type.

    >>> from games.api.request_bodies import EnterQueue
    >>> errors_of({"ruleset": 5, "sheet": "classic", "bots_after_s": -1}, EnterQueue)
    [('/ruleset', 'wrong_type', 'a text'), ('/seats', 'missing', ''), ('/bots_after_s', 'out_of_range', '0 to 3600')]
    """
    return list(_errors(value, inspect.type_info(kind), ""))


def _errors(value: Any, info: inspect.Type, pointer: str) -> Errors:
    while isinstance(info, inspect.Metadata):  # annotations for the documents
        info = info.type
    if isinstance(info, inspect.UnionType):  # of a type and null
        options = [option for option in info.types if not isinstance(option, inspect.NoneType)]
        if value is not None or not info.includes_none:
            yield from _errors(value, options[0], pointer)
        return
    expected = next((name for one, kind, name in TYPES if isinstance(info, one) and type(value) is not kind), None)
    if expected:
        yield pointer, "wrong_type", expected
    elif isinstance(info, inspect.StructType):
        yield from _errors_in_members(value, info, pointer)
    elif isinstance(info, inspect.ListType):
        for number, item in enumerate(value):
            yield from _errors(item, info.item_type, f"{pointer}/{number}")
    else:
        yield from ((pointer, code, hint) for code, hint in _errors_in_value(value, info))


def _errors_in_members(value: dict[str, Any], info: inspect.StructType, pointer: str) -> Errors:
    for field in info.fields:
        if field.encode_name in value:
            yield from _errors(value[field.encode_name], field.type, f"{pointer}/{field.encode_name}")
        elif field.required:
            yield f"{pointer}/{field.encode_name}", "missing", ""
    known = {field.encode_name for field in info.fields}
    yield from ((f"{pointer}/{step_of(name)}", "unknown", "") for name in value if name not in known)


def _errors_in_value(value: Any, info: inspect.Type) -> Iterator[tuple[str, str]]:
    """Codes and hints for a value of the right type of JSON."""
    if isinstance(info, inspect.LiteralType) and value not in info.values:
        yield "not_one_of", f"one of {', '.join(map(str, info.values))}"
    elif isinstance(info, inspect.UUIDType) and not _is_uuid(value):
        yield "wrong_format", "a UUID"
    elif isinstance(info, inspect.IntType) and not _is_in_range(value, info):
        yield "out_of_range", f"{info.ge} to {info.le}"


def _is_uuid(text: str) -> bool:
    try:
        return bool(convert(text, UUID))
    except ValidationError:
        return False


def _is_in_range(value: int, info: inspect.IntType) -> bool:
    """A whole number in a body has both bounds or none."""
    return info.ge is None or info.le is None or info.ge <= value <= info.le
