"""The Celery application: Django's settings configure it, and the apps define its tasks."""

import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging, task_prerun
from django.conf import settings

from players.telemetry import log_context
from qwixx_service.observability import log_config

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qwixx_service.settings")

app = Celery("qwixx_service")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def keep_our_logging(**_: Any) -> None:
    """Celery would replace the handlers of the root logger by its own."""
    log_config.configure(settings.LOGGING)


@task_prerun.connect
def begin_log_context(task_id: str, task: Any, **_: Any) -> None:
    """Lines of a task carry its name and id."""
    log_context.begin(task=task.name, request=task_id)
