"""The wide lane's addresses below /api/v1/."""

from django.urls import path

from games.api import company, fast_lane, lists, matchmaking, records, tables

urlpatterns = [
    path("rulesets", lists.RulesetsView.as_view()),
    path("players/<uuid:player_id>/games", lists.PlayedView.as_view()),
    path("games", lists.GamesView.as_view()),
    path("games/join", tables.JoinByCodeView.as_view()),
    path("games/<uuid:game_id>", fast_lane.GameView.as_view()),
    path("games/<uuid:game_id>/actions", fast_lane.ActionsView.as_view()),
    path("games/<uuid:game_id>/events", fast_lane.EventsView.as_view()),
    path("games/<uuid:game_id>/stream", fast_lane.StreamView.as_view()),
    path("games/<uuid:game_id>/join", tables.JoinView.as_view()),
    path("games/<uuid:game_id>/bots", tables.BotsView.as_view()),
    path("games/<uuid:game_id>/leave", tables.LeaveView.as_view()),
    path("games/<uuid:game_id>/start", tables.StartView.as_view()),
    path("games/<uuid:game_id>/rematch", tables.RematchView.as_view()),
    path("games/<uuid:game_id>/seats/<int:seat>", tables.SeatView.as_view()),
    path("games/<uuid:game_id>/invitations", company.InviteView.as_view()),
    path("games/<uuid:game_id>/phrases", company.SayView.as_view()),
    path("games/<uuid:game_id>/export", records.ExportView.as_view()),
    path("games/<uuid:game_id>/proof", records.ProofView.as_view()),
    path("phrases", company.PhrasesView.as_view()),
    path("invitations", company.InvitationsView.as_view()),
    path("invitations/<uuid:invitation_id>/accept", company.AcceptView.as_view()),
    path("invitations/<uuid:invitation_id>/decline", company.DeclineView.as_view()),
    path("matchmaking", matchmaking.MatchmakingView.as_view()),
    path("matchmaking/<uuid:ticket_id>", matchmaking.TicketView.as_view()),
]
