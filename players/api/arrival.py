"""When a request arrived, by the one clock that all processes share: a repeated registration is ordered by it."""

import time
from datetime import datetime
from typing import Any

from django.db import connection
from rest_framework.request import Request

ARRIVED = "arrived"  # the key of the ASGI scope under which the monotonic time is left, before any wait for a thread
AGO = "SELECT clock_timestamp() - make_interval(secs => %s)"


def arrived_at(request: Request) -> datetime:
    """The time that it has waited is this process's own; the clock is the database's."""
    now_s = time.monotonic()
    scope: dict[str, Any] = request.META.get("asgi.scope", {})
    with connection.cursor() as cursor:
        cursor.execute(AGO, [now_s - scope.get(ARRIVED, now_s)])
        moment: datetime = cursor.fetchone()[0]
        return moment
