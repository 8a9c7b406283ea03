"""The Celery application: its settings are Django's, its tasks are found in the apps."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qwixx_service.settings")

app = Celery("qwixx_service")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
