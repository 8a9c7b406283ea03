"""Describes DRF views for the OpenAPI document: schemas by name, examples by hand."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema

from games.api import request_bodies, webhook_schemas
from games.game.json import view_schemas
from games.game.json.schema_components import REF, components, published_name

View = TypeVar("View", bound=Callable[..., Any])

SHAPES = [
    kind
    for module in (view_schemas, request_bodies, webhook_schemas)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct)
]

JSON = "application/json"
KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 64},
    OpenApiParameter.HEADER,
    description="The same key, path and body give the same response again and change nothing.",
)
IF_MATCH = OpenApiParameter(
    "If-Match", str, OpenApiParameter.HEADER, description='The version this is meant for, quoted: `"42"`.'
)
SHARE = OpenApiParameter("share", str, description="The key of a shared game: see `GET /games/{game_id}/share-link`.")
COMMAND = (KEY, IF_MATCH)


def described(
    operation_id: str,
    summary: str,
    *answers: type[Any],
    body: Any = None,
    status: int = 200,
    parameters: Sequence[OpenApiParameter] = (),
    example: Mapping[str, Any] | None = None,
    tag: str = "games",
    texts: Mapping[str, str] = MappingProxyType({}),
    answer_example: Mapping[str, Any] | None = None,
) -> Callable[[View], View]:
    """One operation; its problem documents are added in `qwixx_service.documents`. `texts` has a sample of each
    media type of a response that is no JSON document."""
    refs = [_ref(answer) for answer in answers]
    schema: dict[str, Any] = {"oneOf": refs} if len(refs) > 1 else refs[0] if refs else {"type": "string"}
    response = {(status, kind): OpenApiResponse(schema, summary) for kind in texts or [JSON]}
    examples = [OpenApiExample("Example", example, request_only=True)] if example is not None else []
    samples: Mapping[str, Any] = texts or ({JSON: answer_example} if answer_example is not None else {})
    examples += [
        OpenApiExample("Answer", sample, response_only=True, media_type=kind, status_codes=[str(status)])
        for kind, sample in samples.items()
    ]
    return extend_schema(
        operation_id=operation_id,
        summary=summary,
        tags=[tag],
        request={JSON: _ref(body)} if body else None,
        responses=response,
        parameters=list(parameters),
        examples=examples,
    )


def _ref(kind: Any) -> dict[str, str]:
    return {"$ref": REF.format(name=published_name(kind))}


def add_shapes(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """A hook of drf-spectacular: adds every schema that is named by reference."""
    result.setdefault("components", {}).setdefault("schemas", {}).update(components(SHAPES))
    return result
