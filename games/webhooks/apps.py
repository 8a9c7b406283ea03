"""App of the webhooks, with tables and migrations of its own."""

from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "games.webhooks"
    label = "webhooks"
