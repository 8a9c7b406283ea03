"""JSON Schemas of msgspec types under the names that clients see, in the form that every generator reads."""

from collections.abc import Iterable, Mapping
from typing import Any, get_args

import msgspec

from games.game.json.action_schemas import ActionUnion
from games.game.json.event_schemas import EffectUnion, EventUnion
from games.game.json.sheet_schemas import RulesetUnion, SheetUnion
from games.game.json.webhook_messages import WebhookMessageUnion

Json = dict[str, Any]

REF = "#/components/schemas/{name}"
SUFFIX = "Schema"
NULL = {"type": "null"}
# Types that are told apart by a member get a name together.
UNIONS: Mapping[str, Any] = {
    "Action": ActionUnion,
    "Event": EventUnion,
    "Effect": EffectUnion,
    "Sheet": SheetUnion,
    "Ruleset": RulesetUnion,
    "WebhookMessage": WebhookMessageUnion,
}
TEXTS: Mapping[str, str] = {
    "Action": "What a seat can do; `type` says which action it is.",
    "Event": "One entry of a game's log; `type` says what happened. A client ignores types that it does not know.",
    "Effect": "What an action would do to the caller's own sheet.",
    "Sheet": "What a seat has written, with its points; `ruleset` says which game it belongs to.",
    "Ruleset": "A game and its printed sheets.",
    "WebhookMessage": "The body of a delivery; `type` says what happened. A receiver ignores unknown types.",
}


def published_name(kind: Any) -> str:
    """The name of a type in the documents: that of its class without the suffix `Schema`, or that of the union.

    >>> from games.game.json.view_schemas import GameSchema, Turn
    >>> published_name(GameSchema), published_name(Turn)
    ('Game', 'Turn')
    >>> components([GameSchema])["Game"]["properties"]["options"]["items"]
    {'$ref': '#/components/schemas/Action'}
    """
    union = [name for name, union in UNIONS.items() if union == kind]
    return union[0] if union else kind.__name__.removesuffix(SUFFIX)


NAMES_OF_UNIONS = {frozenset(map(published_name, get_args(union))): name for name, union in UNIONS.items()}


def components(kinds: Iterable[Any]) -> dict[str, Json]:
    """The schemas of these types, and of all types in them, by their published names."""
    _, found = msgspec.json.schema_components([*kinds], ref_template=REF)
    schemas = {name.removesuffix(SUFFIX): _object(schema) for name, schema in found.items()}
    members = set(schemas)
    return schemas | {name: _union(name) for names, name in NAMES_OF_UNIONS.items() if names <= members}


def _object(schema: Json) -> Json:
    """A schema of a class. A member is optional only if it may be absent; defaults are told in descriptions, because
    some generators take a member with a default for one that is always there."""
    schema = _converted(schema)
    if "description" in schema:
        schema["description"] = " ".join(schema["description"].split())
    return schema


def _converted(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_converted(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: _converted(value) for key, value in schema.items() if key not in ("title", "default")}
    if isinstance(found.get("$ref"), str):
        found["$ref"] = found["$ref"].removesuffix(SUFFIX)
    if isinstance(found.get("enum"), list) and "type" not in found:
        found["type"] = "string"
    return _alternatives(found) if "anyOf" in found else found


def _alternatives(schema: Json) -> Json:
    """One of several types: a union under its name, a list of types where null is the only other one."""
    others = [each for each in schema["anyOf"] if each != NULL]
    rest = {key: value for key, value in schema.items() if key not in ("anyOf", "discriminator")}
    names = frozenset(each["$ref"].rpartition("/")[2] for each in others if "$ref" in each)
    if len(others) > 1 and names in NAMES_OF_UNIONS:
        others = [{"$ref": REF.format(name=NAMES_OF_UNIONS[names])}]
    (only,) = others
    if NULL not in schema["anyOf"]:
        return {**rest, **only}
    if "$ref" in only:
        return {**rest, "anyOf": [only, NULL]}
    enum = {"enum": [*only["enum"], None]} if "enum" in only else {}
    return {**rest, **only, **enum, "type": [only["type"], "null"]}


def _union(name: str) -> Json:
    """Told apart by the member that names the type."""
    kinds = get_args(UNIONS[name])
    refs = {str(kind.__struct_config__.tag): REF.format(name=published_name(kind)) for kind in kinds}
    return {
        "description": TEXTS[name],
        "oneOf": [{"$ref": ref} for ref in refs.values()],
        "discriminator": {"propertyName": kinds[0].__struct_config__.tag_field, "mapping": refs},
    }
