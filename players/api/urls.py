"""The players' addresses below /api/v1/."""

from django.urls import path

from players.api import tickets, views

urlpatterns = [
    path("players/guests", views.GuestsView.as_view()),
    path("players/me", views.MeView.as_view()),
    path("players/<uuid:player_id>", views.PlayerView.as_view()),
    path("sessions", views.SessionsView.as_view()),
    path("sessions/current", views.CurrentSessionView.as_view()),
    path("sessions/<uuid:session_id>", views.SessionView.as_view()),
    path("stream-tickets", tickets.TicketsView.as_view()),
]
