"""What is never logged."""

import logging

import pytest


@pytest.mark.parametrize(("line", "is_printed"), [('%s - "WebSocket %s" [accepted]', False), ("Started %s %s", True)])
def test_the_url_of_a_socket_is_not_logged_as_it_may_hold_a_ticket(line: str, is_printed: bool) -> None:
    server = logging.getLogger("uvicorn.error")
    record = server.makeRecord(server.name, logging.INFO, "", 0, line, ("127.0.0.1", "/ws/v1/me?ticket=x"), None)
    assert bool(server.filter(record)) is is_printed
