"""The admin's pages of players: who they are, what is said against them, and what staff have done about it."""

from django.contrib import admin
from django.contrib.auth.models import Group

from players.admin.lists import ReportAdmin, StaffActionAdmin
from players.admin.people import PlayerAdmin
from players.models import Player, Report, StaffAction

admin.site.unregister(Group)  # roles are made by a migration, and given on the page of a player
admin.site.register(Player, PlayerAdmin)
admin.site.register(Report, ReportAdmin)
admin.site.register(StaffAction, StaffActionAdmin)
