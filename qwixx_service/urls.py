"""Every HTTP address of the service, in one table. Those of the API have no slash at their end."""

from django.contrib import admin
from django.contrib.staticfiles.views import serve
from django.urls import include, path
from django.views.decorators.http import require_safe
from django.views.i18n import set_language

from qwixx_service.documents import views
from qwixx_service.documents.version import VersionView
from qwixx_service.observability import health, metrics

urlpatterns = [
    path("", include("games.web.urls")),
    path("healthz", require_safe(health.healthz)),
    path("readyz", require_safe(health.readyz)),
    path("metrics", metrics.view),
    path("api/docs/", views.swagger),
    path("api/docs/errors", views.errors_view),
    path("api/docs/streams/", views.streams_view),
    path("api/v1/openapi.json", views.openapi_view),
    path("api/v1/asyncapi.json", views.asyncapi_view),
    path("api/v1/version", VersionView.as_view()),
    path("api/v1/", include("games.api.urls")),
    path("api/v1/", include("players.api.urls")),
    path("account/", include("players.web.urls")),
    path("admin/language/", set_language, name="set_language"),
    path("admin/", admin.site.urls),
    path("static/<path:path>", require_safe(serve), {"insecure": True}),
]

handler400 = "qwixx_service.http.problems.bad_request"
handler403 = "qwixx_service.http.problems.permission_denied"
handler404 = "qwixx_service.http.problems.page_not_found"
handler500 = "qwixx_service.http.problems.server_error"
