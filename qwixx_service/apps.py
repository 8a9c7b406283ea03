"""Configures Celery wherever Django is set up."""

from importlib import import_module

from django.apps import AppConfig


class Wiring(AppConfig):
    name = "qwixx_service"

    def ready(self) -> None:
        import_module("qwixx_service.celery")
