"""The admin's pages of players: who they are, what is said against them, and what staff have done about it."""

from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group

from players.admin.player_pages import PlayerAdmin
from players.admin.read_only import name_model
from players.admin.report_list import ReportAdmin, StaffActionAdmin
from players.admin.texts import later
from players.models import Player, Report, StaffAction

apps.get_app_config("players").verbose_name = later("app.players")
for model in (Player, Report, StaffAction):
    name_model(model)
admin.site.unregister(Group)  # roles are made by a migration, and given on the page of a player
admin.site.register(Player, PlayerAdmin)
admin.site.register(Report, ReportAdmin)
admin.site.register(StaffAction, StaffActionAdmin)
