"""App of the page, by which Django finds its template and static files."""

from django.apps import AppConfig


class PageConfig(AppConfig):
    name = "games.web"
    label = "web"
