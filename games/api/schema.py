"""Describes DRF views for the OpenAPI document: schemas by name, examples by hand."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema

from games.api import request_bodies
from games.game import view_schemas
from games.game.schema_components import REF, components, published_name

View = TypeVar("View", bound=Callable[..., Any])

SHAPES = [kind for kind in vars(view_schemas).values() if isinstance(kind, type) and issubclass(kind, msgspec.Struct)]
BODIES = [
    kind
    for kind in vars(request_bodies).values()
    if isinstance(kind, type) and kind.__module__ == request_bodies.__name__
]

KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="1 to 64 characters. The same key, path and body give the same response again and change nothing.",
)
IF_MATCH = OpenApiParameter(
    "If-Match", str, OpenApiParameter.HEADER, description='The version this is meant for, quoted: `"42"`.'
)
COMMAND = (KEY, IF_MATCH)


def described(
    operation_id: str,
    summary: str,
    *answers: type[Any],
    body: type[Any] | None = None,
    status: int = 200,
    parameters: Sequence[OpenApiParameter] = (),
    example: Mapping[str, Any] | None = None,
    tag: str = "games",
    media_type: str = "application/json",
) -> Callable[[View], View]:
    """One operation; its problem documents are added in `qwixx_service.documents.openapi`."""
    refs = [_ref(answer) for answer in answers]
    schema: dict[str, Any] = {"oneOf": refs} if len(refs) > 1 else refs[0] if refs else {"type": "string"}
    response = {(status, media_type): OpenApiResponse(schema, summary)}
    examples = [OpenApiExample("Example", example, request_only=True)] if example is not None else []
    return extend_schema(
        operation_id=operation_id,
        summary=summary,
        tags=[tag],
        request={"application/json": _ref(body)} if body else None,
        responses=response,
        parameters=list(parameters),
        examples=examples,
    )


def _ref(kind: type[Any]) -> dict[str, str]:
    return {"$ref": REF.format(name=published_name(kind))}


def add_shapes(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """A hook of drf-spectacular: adds every schema that is named by reference."""
    result.setdefault("components", {}).setdefault("schemas", {}).update(components([*SHAPES, *BODIES]))
    return result
