"""Admin pages of players, reports and the audit log."""

from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from players.admin.audit_log import StaffActionAdmin
from players.admin.player_pages import PlayerAdmin
from players.admin.read_only import name_model
from players.admin.report_list import ReportAdmin
from players.admin.staff.sign_in import StaffAuthenticationForm
from players.admin.texts import lazy_text
from players.models import Player, Report, StaffAction

apps.get_app_config("players").verbose_name = lazy_text("app.players")
for model in (Player, Report, StaffAction):
    name_model(model)
admin.site.unregister(Group)  # a migration creates the roles; they are given on the page of a player
admin.site.unregister([TOTPDevice, StaticDevice])  # their pages would show keys and recovery codes
admin.site.login_form = StaffAuthenticationForm
admin.site.register(Player, PlayerAdmin)
admin.site.register(Report, ReportAdmin)
admin.site.register(StaffAction, StaffActionAdmin)
