"""The Celery application: its settings are Django's, its tasks are found in the apps."""

import os

from celery import Celery
from celery.schedules import crontab

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qwixx_service.settings")

app = Celery("qwixx_service")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.conf.beat_schedule = {
    "players.sweep": {"task": "players.sweep", "schedule": crontab(minute=17)},
}
