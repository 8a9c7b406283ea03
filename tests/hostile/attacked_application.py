"""The whole service with shorter times for heads and bodies, so that attacks by time are short."""

from players.limits import budgets
from tests.hostile.slow_clients import BODY_S, HEAD_S

budgets.HEAD_S, budgets.BODY_S = HEAD_S, BODY_S

from qwixx_service.asgi import application  # noqa: E402  (limits are set before)

__all__ = ["application"]
