"""The whole service with short time limits and few connections, so that tests of its limits are short."""

from players.limits import budgets
from players.limits.networks import NetworkCounter
from qwixx_service.http.connections import counts
from tests.http.web_server import FEW_CONNECTIONS

budgets.HEAD_S, budgets.BODY_S, budgets.UNREAD_S = 1.0, 1.5, 1.0
counts.connections = NetworkCounter(FEW_CONNECTIONS)

from qwixx_service.asgi import application  # noqa: E402  (limits are set before)

__all__ = ["application"]
