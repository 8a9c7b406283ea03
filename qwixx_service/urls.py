"""Every HTTP address of the service, in one table."""

from django.contrib import admin
from django.urls import path
from django.views.generic import TemplateView

from qwixx_service import health

urlpatterns = [
    path("", TemplateView.as_view(template_name="qwixx_service/home.html")),
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("admin/", admin.site.urls),
]
