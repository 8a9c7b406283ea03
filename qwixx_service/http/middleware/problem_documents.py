"""ASGI middleware that turns every exception into a problem document (RFC 9457)."""

import logging
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from players.languages.accept_language import language_for
from qwixx_service.http.errors import BY_STATUS, Problem, of_exception, problem

logger = logging.getLogger(__name__)


class ProblemDocuments:
    """A response that has started cannot be replaced: the server closes its connection, and the client sees it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        has_started = False

        async def send_and_note(message: Message) -> None:
            nonlocal has_started
            has_started = True
            await send(message)

        try:
            return await self.app(scope, receive, send_and_note)
        except ClientDisconnect:
            return None
        except Exception as error:  # noqa: BLE001  (no exception may pass without a response)
            if has_started:
                return logger.exception("request %s failed after its response had started", scope["request_id"])
            document = of_exception(error, **context(Request(scope)))
            return await response(document)(scope, receive, send)


def problem_response(request: Request, code: str, **data: Any) -> Response:
    return response(problem(code, **context(request), **data))


def http_exception(request: Request, error: Exception) -> Response:
    """Starlette's own refusals, such as 405 with its `Allow`."""
    if not isinstance(error, HTTPException):
        raise error
    answer = problem_response(request, BY_STATUS[error.status_code].split()[0])
    answer.headers.update(error.headers or {})
    return answer


def response(document: Problem) -> Response:
    return Response(document.body, document.status, {**document.headers, "Vary": "Accept-Language"})


def context(request: Request) -> dict[str, Any]:
    language = language_for(request.scope, request.headers.get("accept-language", ""))
    return {"language": language, "request_id": request.scope["request_id"]}
