"""The Celery application: Django's settings configure it, and the apps define its tasks."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qwixx_service.settings")

app = Celery("qwixx_service")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
