"""Removes from the OpenAPI document what nothing refers to, and says alternatives as generators read them best."""

import re
from typing import Any

import msgspec

Json = dict[str, Any]

REFERENCE = re.compile(rb'"#/components/(\w+)/([\w-]+)"')


def tidy(result: Json, **_: Any) -> Json:
    """A hook of drf-spectacular, the last one."""
    result = _with_single_references(result)
    components: Json = result["components"]
    while unused := _unused(result):
        for section, name in unused:
            del components[section][name]
    return result


def _unused(document: Json) -> set[tuple[str, str]]:
    """Components that neither an operation nor another component names."""
    used = {(section.decode(), name.decode()) for section, name in REFERENCE.findall(msgspec.json.encode(document))}
    there = {(section, name) for section, found in document["components"].items() for name in found}
    return {each for each in there - used if each[0] != "securitySchemes"}


def _with_single_references(schema: Any) -> Any:
    """`allOf` of one type is that type, or some generators make a class of it. A type or null is an `anyOf`: null has
    no member that tells it apart."""
    if isinstance(schema, list):
        return [_with_single_references(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: _with_single_references(value) for key, value in schema.items() if key != "x-spec-enum-id"}
    if {"type": "null"} in found.get("oneOf", ()):
        found["anyOf"] = found.pop("oneOf")
    if len(found.get("allOf", ())) == 1:
        (only,) = found.pop("allOf")
        return {**only, **found}
    return found
