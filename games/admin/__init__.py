"""The admin's pages of games: a dashboard, a list, and one game with all its events; no page changes a log.

Pages show a game as a spectator sees it (`games.game.views`): no sealed answers and no seeds.
"""

from pathlib import Path

from django.apps import apps
from django.contrib import admin

from games.admin.game_list import GameAdmin
from games.log.models import Game
from players.admin import texts
from players.admin.read_only import name_model

texts.FOLDERS.append(Path(__file__).resolve().parent / "texts")
apps.get_app_config("games").verbose_name = texts.later("app.games")
name_model(Game)
admin.site.register(Game, GameAdmin)
admin.site.index_template = "games/dashboard.html"
