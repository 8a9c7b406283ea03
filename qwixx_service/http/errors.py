"""The table of error codes with their HTTP status, and problem documents (RFC 9457) for them."""

import logging
import math
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, NamedTuple

import msgspec
import psycopg
import redis
from django.core.exceptions import BadRequest, PermissionDenied, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import Http404

from players.languages.accept_language import preferred
from qwixx_service.http.texts import texts, wrong_member

BY_STATUS = {
    400: "malformed",
    401: "not_authenticated invalid_credentials",
    403: "not_allowed not_seated banned",
    404: "not_found",
    405: "method_not_allowed",
    408: "too_slow",
    409: "wrong_phase not_your_turn stale_roll too_late already_seated game_full game_not_open game_over game_not_over"
    " not_enough_seats already_queued email_taken bots_unavailable webhook_exists too_many_webhooks webhook_disabled"
    " too_many_tokens too_many_bots",
    410: "link_expired",
    412: "version_mismatch",
    413: "too_large",
    415: "unsupported_media_type",
    422: "idempotency_key_reused weak_password rated_needs_people row_closed left_to_right lock_needs_marks"
    " number_not_rolled no_such_row no_such_number row_not_rolled cell_filled no_such_cell ascending column_repeats"
    " choose_dice bonus_needs_mark",
    429: "too_many_requests",
    431: "head_too_large",
    500: "internal",
    503: "unavailable",
}
STATUS = {code: status for status, codes in BY_STATUS.items() for code in codes.split()}
# Exceptions of other packages and their codes; the first match counts.
FOREIGN: tuple[tuple[type[Exception], str], ...] = (
    (Http404, "not_found"),
    (PermissionDenied, "not_allowed"),
    (SuspiciousOperation, "malformed"),
    (BadRequest, "malformed"),
    (OperationalError, "unavailable"),
    (InterfaceError, "unavailable"),
    (psycopg.OperationalError, "unavailable"),
    (psycopg.InterfaceError, "unavailable"),
    (redis.ConnectionError, "unavailable"),
    (redis.TimeoutError, "unavailable"),
)
MEDIA_TYPE = "application/problem+json"
MEANINGS = "/api/docs/errors#"  # the `type` of a problem document links to the meaning of its code
NO_SNIFFING = {"X-Content-Type-Options": "nosniff"}
RETRY_AFTER_S = 1  # where no other time is known
RETRYABLE = (429, 503)
MEMBER_CODES = ["missing", "unknown", "wrong_type", "not_one_of", "out_of_range"]
MEMBER_CODES += ["too_short", "too_long", "wrong_format", "not_unique"]
MOST_ERRORS = 100  # that a document tells; a small body may hold thousands

logger = logging.getLogger(__name__)


class Problem(NamedTuple):
    """A response but for its `X-Request-ID`."""

    status: int
    headers: dict[str, str]
    body: bytes


def problem(
    code: str,
    *,
    language: str,
    request_id: str,
    errors: Iterable[Any] = (),
    retry_after: float | None = None,
    **data: object,
) -> Problem:
    """The document for a code; `data` becomes further members of it."""
    status, text = STATUS[code], texts(language)[code]
    document = {
        "type": MEANINGS + code,
        "title": text.title,
        "status": status,
        "detail": text.detail_of(data),
        "code": code,
        "request_id": request_id,
    }
    if members := [member(error, language) for error in islice(errors, MOST_ERRORS)]:
        document["errors"] = members
    headers = {"Content-Type": MEDIA_TYPE, "Content-Language": language, "Cache-Control": "no-store", **NO_SNIFFING}
    if status == 401:
        headers["WWW-Authenticate"] = 'Bearer realm="qwixx"'
    if status in RETRYABLE:
        headers["Retry-After"] = str(max(1, math.ceil(retry_after or RETRY_AFTER_S)))
    return Problem(status, headers, msgspec.json.encode({**data, **document}, enc_hook=str))


def member(error: tuple[str, str, str], language: str) -> dict[str, str]:
    """What is wrong with one member of a body, from its pointer, a code and what was expected."""
    pointer, code, hint = error
    return {"pointer": pointer, "code": code, "detail": wrong_member(code, hint, language)}


def of_exception(error: Exception, *, language: str, request_id: str) -> Problem:
    """The document for an exception. One without a code is logged, and the response tells nothing about it."""
    code, data = code_and_data(error)
    if code == "internal":
        logger.error("request %s failed", request_id, exc_info=error)
    elif code == "unavailable":
        logger.warning("request %s could not be served: %s", request_id, type(error).__name__)
    return problem(code, language=language, request_id=request_id, **data)


def explained(error: Exception, accept_language: str) -> tuple[str, str, list[dict[str, str]]]:
    """The parts of an error frame of a stream: code, text, and what is wrong with which member."""
    code, data = code_and_data(error)
    language = preferred(accept_language)
    return (
        code,
        texts(language)[code].detail_of(data),
        [member(error, language) for error in islice(data.get("errors", ()), MOST_ERRORS)],
    )


def code_and_data(error: Exception) -> tuple[str, Mapping[str, Any]]:
    """A refusal carries both; every exception that is not known here is `internal`."""
    for kind, code in FOREIGN:
        if isinstance(error, kind):
            return code, {}
    code, data = getattr(error, "code", ""), getattr(error, "data", None)
    return (code, data) if code in STATUS and isinstance(data, dict) else ("internal", {})
