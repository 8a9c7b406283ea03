"""The periodic tasks of Celery beat."""

from qwixx_service.celery import app


def test_workers_know_every_task_that_beat_sends() -> None:
    app.loader.import_default_modules()
    assert {entry["task"] for entry in app.conf.beat_schedule.values()} <= set(app.tasks)


def test_every_route_names_a_task_that_workers_know() -> None:
    app.loader.import_default_modules()
    assert set(app.conf.task_routes) <= set(app.tasks)
