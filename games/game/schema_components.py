"""JSON Schemas of response types under the names that clients see: the suffix `Schema` is not published."""

from collections.abc import Iterable
from typing import Any

import msgspec

REF = "#/components/schemas/{name}"
SUFFIX = "Schema"


def published_name(kind: type[Any]) -> str:
    """The name of a type in the documents.

    >>> from games.game.view_schemas import GameSchema, Turn
    >>> published_name(GameSchema), published_name(Turn)
    ('Game', 'Turn')
    >>> components([GameSchema])["Game"]["properties"]["seats"]["items"]
    {'$ref': '#/components/schemas/Seat'}
    """
    return kind.__name__.removesuffix(SUFFIX)


def components(kinds: Iterable[type[Any]]) -> dict[str, Any]:
    """The schemas of these types, and of all types in them, by their published names."""
    _, found = msgspec.json.schema_components(kinds, ref_template=REF)
    return {name.removesuffix(SUFFIX): _renamed(schema) for name, schema in found.items()}


def _renamed(schema: Any) -> Any:
    """The same schema with references and titles by their published names."""
    if isinstance(schema, list):
        return [_renamed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: value.removesuffix(SUFFIX) if key in ("$ref", "title") and isinstance(value, str) else _renamed(value)
        for key, value in schema.items()
    }
