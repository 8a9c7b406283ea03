"""The OpenAPI document in version 3.0, for generators that do not read 3.1."""

from collections.abc import Mapping
from typing import Any

VERSION = "3.0.3"
LICENCE = "https://opensource.org/license/mit"
NULL = {"type": "null"}
LITERAL = ("example", "examples", "enum", "required")  # members that hold values or names, and no schemas


def rendered(document: Mapping[str, Any]) -> dict[str, Any]:
    """The same paths and schemas under the same names; a licence has an address in place of an identifier."""
    found: dict[str, Any] = _converted(document)
    licence = {"name": document["info"]["license"]["name"], "url": LICENCE}
    return {**found, "openapi": VERSION, "info": {**document["info"], "license": licence}}


def _converted(node: Any) -> Any:
    if isinstance(node, list):
        return [_converted(item) for item in node]
    if not isinstance(node, dict):
        return node
    return _in_3_0({name: _member(name, value) for name, value in node.items()})


def _member(name: str, value: Any) -> Any:
    if name == "properties":  # their names may be those of keywords
        return {each: _converted(schema) for each, schema in value.items()}
    return value if name in LITERAL else _converted(value)


def _in_3_0(node: dict[str, Any]) -> dict[str, Any]:
    """
    >>> _in_3_0({"type": ["string", "null"], "examples": ["K7QXM2"]})
    {'type': 'string', 'nullable': True, 'example': 'K7QXM2'}
    >>> _in_3_0({"anyOf": [{"$ref": "#/components/schemas/Clock"}, {"type": "null"}]})
    {'type': 'object', 'nullable': True, 'allOf': [{'$ref': '#/components/schemas/Clock'}]}
    >>> _in_3_0({"$ref": "#/components/schemas/Clock", "description": "Of this game."})
    {'description': 'Of this game.', 'allOf': [{'$ref': '#/components/schemas/Clock'}]}
    """
    found = {name: value for name, value in node.items() if (name, value) != ("required", [])}
    if isinstance(kinds := found.get("type"), list):
        (found["type"],) = (kind for kind in kinds if kind != "null")
        found["nullable"] = True
    if NULL in found.get("anyOf", ()):  # only objects are named by reference, or null
        rest = [option for option in found.pop("anyOf") if option != NULL]
        found |= {"type": "object", "nullable": True, "allOf" if len(rest) == 1 else "anyOf": rest}
    if "$ref" in found and len(found) > 1:
        found["allOf"] = [{"$ref": found.pop("$ref")}]
    if isinstance(found.get("examples"), list):
        found["example"] = found.pop("examples")[0]
    return found
