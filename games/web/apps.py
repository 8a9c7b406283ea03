"""The page's name for Django, under which its template and its files are found."""

from django.apps import AppConfig


class PageConfig(AppConfig):
    name = "games.web"
    label = "web"
