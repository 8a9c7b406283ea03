"""The URLs that Django serves, where `asgi.py` has no route. Those of the API have no slash at their end."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from django.views.i18n import set_language

from games.api.views.home_views import HomeView
from players.admin.staff import second_factor_pages, sign_in
from qwixx_service.documents import views
from qwixx_service.documents.index import IndexView, IndexWithSlashView
from qwixx_service.documents.version import VersionView, version_info


def read_only(view: Callable[..., Any]) -> Callable[..., Any]:
    """GET and HEAD; other methods are 405 without a look at CSRF tokens."""
    return csrf_exempt(require_safe(view))


staff_page = admin.site.admin_view  # checks that a member of staff is logged in

urlpatterns = [
    path("", include("games.web.urls")),
    path("api/docs/", read_only(views.swagger)),
    path("api/docs/errors", read_only(views.errors_view)),
    path("api/docs/streams/", read_only(views.streams_view)),
    path("api/v1/openapi.json", read_only(views.openapi_view)),
    path("api/v1/openapi-3.0.json", read_only(views.openapi_3_0_view)),
    path("api/v1/asyncapi.json", read_only(views.asyncapi_view)),
    path("api/v1", IndexView.as_view()),
    path("api/v1/", IndexWithSlashView.as_view()),
    path("api/v1/version", VersionView.as_view()),
    path("api/v1/home", HomeView.as_view(service_version=version_info)),
    path("api/v1/", include("games.api.urls")),
    path("api/v1/", include("players.api.urls")),
    path("account/", include("players.web.urls")),
    path("admin/language/", set_language, name="set_language"),
    path("admin/login/", sign_in.log_in),  # before the site's own login, to which `admin:login` leads as well
    path("admin/password_change/", staff_page(sign_in.change_password)),
    path("admin/second-factor/", staff_page(second_factor_pages.code_page), name="second_factor"),
    path("admin/second-factor/enrol/", staff_page(second_factor_pages.enrol_page), name="second_factor_enrol"),
    path("admin/", admin.site.urls),
]

handler400 = "qwixx_service.http.problems.bad_request"
handler403 = "qwixx_service.http.problems.permission_denied"
handler404 = "qwixx_service.http.problems.page_not_found"
handler500 = "qwixx_service.http.problems.server_error"
