"""Admin pages of games: a dashboard, a list, and one game with its events, as a spectator may see it."""

from django.apps import apps
from django.contrib import admin

from games.admin.game_list import GameAdmin
from games.log.models import Game
from players.admin.read_only import name_model
from players.admin.texts import lazy_text

apps.get_app_config("games").verbose_name = lazy_text("app.games")
name_model(Game)
admin.site.register(Game, GameAdmin)
admin.site.index_template = "games/dashboard.html"
