"""Calls the composition root when Django has loaded all apps."""

from importlib import import_module

from django.apps import AppConfig


class WiringConfig(AppConfig):
    name = "qwixx_service"

    def ready(self) -> None:
        """The imports wait until here because models cannot be imported before all apps are loaded."""
        from qwixx_service.composition import compose
        from qwixx_service.observability.open_telemetry import install_if_configured

        import_module("qwixx_service.database.checks")
        import_module("qwixx_service.observability.mail_checks")
        install_if_configured()
        import_module("qwixx_service.celery")  # before tasks are sent: they need the broker's address
        compose()
