"""The app's name for Django."""

from django.apps import AppConfig


class PlayersConfig(AppConfig):
    name = "players"
