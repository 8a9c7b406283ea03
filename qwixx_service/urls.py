"""Every HTTP address of the service, in one table."""

from django.urls import path

from qwixx_service import health

urlpatterns = [
    path("healthz", health.healthz),
    path("readyz", health.readyz),
]
