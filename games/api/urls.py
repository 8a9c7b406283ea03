"""URLs of the REST API of games, below /api/v1/."""

from django.urls import path

from games.api.play import routes as hot_routes
from games.api.views import invitation_views, list_views, matchmaking_views, record_views, seat_views, webhook_views

urlpatterns = [
    path("rulesets", list_views.RulesetsView.as_view()),
    path("players/<uuid:player_id>/games", list_views.PlayedView.as_view()),
    path("games", list_views.GamesView.as_view()),
    path("games/join", seat_views.JoinByCodeView.as_view()),
    *hot_routes.urlpatterns,  # only documented by Django; Starlette serves them
    path("games/<uuid:game_id>/join", seat_views.JoinView.as_view()),
    path("games/<uuid:game_id>/seed", seat_views.SeedView.as_view()),
    path("games/<uuid:game_id>/bots", seat_views.BotsView.as_view()),
    path("games/<uuid:game_id>/leave", seat_views.LeaveView.as_view()),
    path("games/<uuid:game_id>/start", seat_views.StartView.as_view()),
    path("games/<uuid:game_id>/rematch", seat_views.RematchView.as_view()),
    path("games/<uuid:game_id>/seats/<int:seat>", seat_views.SeatView.as_view()),
    path("games/<uuid:game_id>/invitations", invitation_views.InviteView.as_view()),
    path("games/<uuid:game_id>/phrases", invitation_views.SayView.as_view()),
    path("games/<uuid:game_id>/export", record_views.ExportView.as_view()),
    path("games/<uuid:game_id>/proof", record_views.ProofView.as_view()),
    path("games/<uuid:game_id>/share-link", record_views.ShareLinkView.as_view()),
    path("phrases", invitation_views.PhrasesView.as_view()),
    path("invitations", invitation_views.InvitationsView.as_view()),
    path("invitations/<uuid:invitation_id>/accept", invitation_views.AcceptView.as_view()),
    path("invitations/<uuid:invitation_id>/decline", invitation_views.DeclineView.as_view()),
    path("webhooks", webhook_views.WebhooksView.as_view()),
    path("webhooks/<uuid:webhook_id>", webhook_views.WebhookView.as_view()),
    path("webhooks/<uuid:webhook_id>/secret", webhook_views.SecretView.as_view()),
    path("webhooks/<uuid:webhook_id>/deliveries", webhook_views.DeliveriesView.as_view()),
    path("webhooks/<uuid:webhook_id>/deliveries/<uuid:delivery_id>/redeliver", webhook_views.RedeliverView.as_view()),
    path("matchmaking", matchmaking_views.MatchmakingView.as_view()),
    path("matchmaking/<uuid:ticket_id>", matchmaking_views.TicketView.as_view()),
]
