"""Admin pages of players, reports and the audit log."""

from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group

from players.admin.audit_log import StaffActionAdmin
from players.admin.player_pages import PlayerAdmin
from players.admin.read_only import name_model
from players.admin.report_list import ReportAdmin
from players.admin.texts import lazy_text
from players.models import Player, Report, StaffAction

apps.get_app_config("players").verbose_name = lazy_text("app.players")
for model in (Player, Report, StaffAction):
    name_model(model)
admin.site.unregister(Group)  # a migration creates the roles; they are given on the page of a player
admin.site.register(Player, PlayerAdmin)
admin.site.register(Report, ReportAdmin)
admin.site.register(StaffAction, StaffActionAdmin)
