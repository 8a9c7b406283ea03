"""The admin's pages of games: a dashboard, a list, and one game with all its events; nobody changes a log here.

What a page shows of a game has passed `games.views` as a spectator's: sealed answers and seeds stay where they are.
"""

from django.contrib import admin

from games.admin.lists import GameAdmin
from games.models import Game

admin.site.register(Game, GameAdmin)
admin.site.index_template = "games/dashboard.html"
