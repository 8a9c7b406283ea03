"""Tells Django about the wiring: wherever Django is set up, tasks know their broker and the admin our errors."""

from importlib import import_module

from django.apps import AppConfig


class Wiring(AppConfig):
    name = "qwixx_service"

    def ready(self) -> None:
        from players.admin import read_only
        from qwixx_service.admin import explained

        import_module("qwixx_service.celery")
        read_only.EXPLAINERS[:] = [explained]
