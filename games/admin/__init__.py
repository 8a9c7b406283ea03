"""The admin's pages of games: a dashboard, a list, and one game with all its events; nobody changes a log here.

What a page shows of a game has passed `games.views` as a spectator's: sealed answers and seeds stay where they are.
"""

from pathlib import Path

from django.apps import apps
from django.contrib import admin

from games.admin.lists import GameAdmin
from games.models import Game
from players.admin import texts
from players.admin.readonly import name_model

texts.FOLDERS.append(Path(__file__).resolve().parent / "texts")
apps.get_app_config("games").verbose_name = texts.later("app.games")
name_model(Game)
admin.site.register(Game, GameAdmin)
admin.site.index_template = "games/dashboard.html"
