"""A typed client of Qwixx Service, sync and async."""

from qwixx_client.async_client import AsyncClient
from qwixx_client.back_off import Pauses
from qwixx_client.client import Client
from qwixx_client.problems import ProblemError, StreamClosedError
from qwixx_client.requests import random_key
from qwixx_client.streams.async_game_stream import AsyncGameStream
from qwixx_client.streams.frames import LobbyFrame, Notification, Spoken, Update
from qwixx_client.streams.game_stream import GameStream
from qwixx_client.streams.state import is_waiting

__all__ = [
    "AsyncClient",
    "AsyncGameStream",
    "Client",
    "GameStream",
    "LobbyFrame",
    "Notification",
    "Pauses",
    "ProblemError",
    "Spoken",
    "StreamClosedError",
    "Update",
    "is_waiting",
    "random_key",
]
