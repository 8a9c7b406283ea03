"""Routes of the page; `static/page/js/routes.js` maps them to views."""

from django.urls import path
from django.views.generic import RedirectView

from games.web import views

PATHS = ("", "lobby", "new", "games", "settings", "account", "rules", "boards", "about")

urlpatterns = [
    *(path(address, views.shell) for address in PATHS),
    path("game/<uuid:game>", views.shell),
    path("join/<slug:code>", views.shell, name="page-join"),
    path("join/<slug:code>/qr.svg", views.qr),
    path("rules/<slug:ruleset>", views.shell),
    path("learn/<slug:ruleset>", views.shell),
    path("boards/<slug:ruleset>/<slug:metric>", views.shell),
    path("player/<uuid:player>", views.shell),
    path("manifest.webmanifest", views.manifest),
    path("worker.js", views.service_worker),
    path("favicon.ico", RedirectView.as_view(url="/static/page/icons/icon.svg")),
]
