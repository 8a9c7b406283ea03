"""The port that the web process is handed."""

import socket

import pytest

from qwixx_service.embedded import roles


def test_answers_of_several_packets_are_not_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "0")
    with roles.listening() as web, socket.create_connection(web.getsockname()):
        accepted, _ = web.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
