"""The port that the web process inherits."""

import socket

import pytest

from qwixx_service.embedded import process_list


def test_connections_of_the_inherited_port_send_every_packet_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "0")
    with process_list.listening() as web, socket.create_connection(web.getsockname()):
        accepted, _ = web.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
