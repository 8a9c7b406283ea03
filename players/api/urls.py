"""The players' routes under /api/v1/."""

from django.urls import path

from players.api.views import (
    block_views,
    bot_views,
    leaderboard_views,
    password_views,
    player_views,
    report_views,
    session_views,
    statistics_views,
    stream_ticket_views,
    token_views,
)

urlpatterns = [
    path("players", player_views.PlayersView.as_view()),
    path("players/guests", player_views.GuestsView.as_view()),
    path("players/me", player_views.MeView.as_view()),
    path("players/me/export", player_views.DataExportView.as_view()),
    path("players/me/password", password_views.MyPasswordView.as_view()),
    path("players/me/confirmation", password_views.MyConfirmationView.as_view()),
    path("players/confirmations", password_views.ConfirmationsView.as_view()),
    path("players/passwords/forgotten", password_views.ForgottenPasswordsView.as_view()),
    path("players/passwords/reset", password_views.ResetPasswordsView.as_view()),
    path("players/me/blocks", block_views.BlocksView.as_view()),
    path("players/me/blocks/<uuid:player_id>", block_views.BlockView.as_view()),
    path("players/me/mutes", block_views.MutesView.as_view()),
    path("players/me/mutes/<uuid:player_id>", block_views.MuteView.as_view()),
    path("players/me/bots", bot_views.BotAccountsView.as_view()),
    path("players/me/bots/<uuid:player_id>", bot_views.BotAccountView.as_view()),
    path("players/me/tokens", token_views.TokensView.as_view()),
    path("players/me/tokens/<uuid:token_id>", token_views.TokenView.as_view()),
    path("players/<uuid:player_id>", player_views.PlayerView.as_view()),
    path("players/<uuid:player_id>/reports", report_views.ReportsView.as_view()),
    path("players/<uuid:player_id>/stats", statistics_views.StatsView.as_view()),
    path("players/<uuid:player_id>/ratings/<str:ruleset>", statistics_views.RatingChangesView.as_view()),
    path("leaderboards/<str:ruleset>/<str:metric>", leaderboard_views.LeaderboardView.as_view()),
    path("sessions", session_views.SessionsView.as_view()),
    path("sessions/current", session_views.CurrentSessionView.as_view()),
    path("sessions/<uuid:session_id>", session_views.SessionView.as_view()),
    path("stream-tickets", stream_ticket_views.StreamTicketsView.as_view()),
]
