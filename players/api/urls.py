"""The players' addresses below /api/v1/."""

from django.urls import path

from players.api import boards, company, figures, passwords, reports, tickets, views

urlpatterns = [
    path("players", views.PlayersView.as_view()),
    path("players/guests", views.GuestsView.as_view()),
    path("players/me", views.MeView.as_view()),
    path("players/me/export", views.ExportView.as_view()),
    path("players/me/password", passwords.MyPasswordView.as_view()),
    path("players/me/confirmation", passwords.MyConfirmationView.as_view()),
    path("players/confirmations", passwords.ConfirmationsView.as_view()),
    path("players/passwords/forgotten", passwords.ForgottenPasswordsView.as_view()),
    path("players/passwords/reset", passwords.ResetPasswordsView.as_view()),
    path("players/me/blocks", company.BlocksView.as_view()),
    path("players/me/blocks/<uuid:player_id>", company.BlockView.as_view()),
    path("players/me/mutes", company.MutesView.as_view()),
    path("players/me/mutes/<uuid:player_id>", company.MuteView.as_view()),
    path("players/<uuid:player_id>", views.PlayerView.as_view()),
    path("players/<uuid:player_id>/reports", reports.ReportsView.as_view()),
    path("players/<uuid:player_id>/stats", figures.StatsView.as_view()),
    path("players/<uuid:player_id>/ratings/<str:ruleset>", figures.RatingChangesView.as_view()),
    path("leaderboards/<str:ruleset>/<str:metric>", boards.LeaderboardView.as_view()),
    path("sessions", views.SessionsView.as_view()),
    path("sessions/current", views.CurrentSessionView.as_view()),
    path("sessions/<uuid:session_id>", views.SessionView.as_view()),
    path("stream-tickets", tickets.TicketsView.as_view()),
]
