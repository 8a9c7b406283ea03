"""Views of matchmaking: enter the queue, read a ticket, leave the queue."""

import math
from typing import Any
from uuid import UUID

from django.utils import translation
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import clock
from games.api import request_bodies
from games.api.conditional_requests import replay_headers
from games.api.current_player import identity
from games.api.schema import KEY, described
from games.game.decisions import game_settings
from games.game.events import stamp
from games.game.json import view_schemas
from games.live import phrases
from games.matchmaking import matchmaker, pairing, tickets
from games.matchmaking.models import Ticket
from games.rules.refused import Refused
from players.database import idempotency

PRIVATE = {"Cache-Control": "no-store"}
WAIT_MEMBERS = ("waiting_s", "window", "ahead", "others")


class MatchmakingView(APIView):
    throttle_scope = "tickets"

    @described(
        "enterQueue",
        "Enter the queue for opponents of similar strength",
        view_schemas.QueueTicket,
        body=request_bodies.EnterQueue,
        status=202,
        parameters=(KEY,),
        example={"ruleset": "qwixx", "sheet": "classic", "seats": 2, "bots_after_s": 30},
        tag="matchmaking",
    )
    def post(self, request: Request) -> Response:
        body = request_bodies.read(
            request.data, request_bodies.EnterQueue, also=lambda body: game_settings.errors_in(body.settings())
        )
        queue = tickets.Queue(body.ruleset, body.sheet, body.seats, body.rated)
        if body.rated and (body.bots_after_s is not None or identity(request).is_bot):
            raise Refused("rated_needs_people")
        player, now = identity(request).player, clock.now()
        key = request.headers.get("Idempotency-Key")

        def enter() -> idempotency.IdempotentResponse:
            rating = matchmaker.matching_rating(player, body.ruleset)
            ticket = tickets.enter(player, queue, body.bots_after_s, rating, now, late_seed=body.late_seed)
            return idempotency.IdempotentResponse(202, view(ticket))

        kept = idempotency.once(idempotency.read_request(player, request.path, request.data, key), now, enter)
        headers = {**PRIVATE, **replay_headers(is_replay=kept.is_replay)}
        return Response(
            kept.body, kept.status, headers={**headers, "Location": f"{request.path}/{kept.body['ticket']}"}
        )


class TicketView(APIView):
    @described(
        "readQueueTicket",
        "Read a ticket of the queue; reading it keeps it alive",
        view_schemas.QueueTicket,
        tag="matchmaking",
    )
    def get(self, request: Request, ticket_id: UUID) -> Response:
        player = identity(request).player
        ticket = tickets.get(player, ticket_id)
        if ticket.status == "queued":
            tickets.mark_present([player], clock.now())
        return Response(view(ticket), headers=PRIVATE)

    @described(
        "leaveQueue",
        "Leave the queue; `matched` if the game has been created already",
        view_schemas.QueueTicket,
        tag="matchmaking",
    )
    def delete(self, request: Request, ticket_id: UUID) -> Response:
        return Response(view(tickets.cancel(identity(request).player, ticket_id)), headers=PRIVATE)


def view(ticket: Ticket) -> dict[str, Any]:
    """A ticket, with an explanation of the wait; its game is named once it has been created."""
    shown = {
        "ticket": str(ticket.pk),
        "status": ticket.status,
        **tickets.queue_of(ticket)._asdict(),
        "bots_after_s": ticket.bots_after_s,
        "late_seed": ticket.late_seed,
        "created_at": stamp(ticket.created_at),
        "game": str(ticket.game) if ticket.status == "matched" else None,
    }
    language = translation.get_language() or phrases.DEFAULT
    if ticket.status != "queued":
        return {**shown, **dict.fromkeys(WAIT_MEMBERS), "detail": phrases.waiting(language, ticket.status)}
    waited = max(0.0, (clock.now() - ticket.created_at).total_seconds())
    ahead, others = tickets.position(ticket)
    window = pairing.window(waited)
    shown |= {"waiting_s": int(waited), "window": window and round(window), "ahead": ahead, "others": others}
    return {**shown, "detail": " ".join(sentences(ticket, language, waited, others))}


def sentences(ticket: Ticket, language: str, waited: float, others: int) -> list[str]:
    """Why the player still waits, and what happens next."""
    parts = [phrases.waiting(language, "others", others) if others else phrases.waiting(language, "no_others")]
    parts.append(phrases.waiting(language, "any_rating" if pairing.window(waited) is None else "similar_rating"))
    if ticket.bots_after_s is not None:
        left = math.ceil(ticket.bots_after_s - waited)
        parts.append(phrases.waiting(language, "bots", left) if left > 0 else phrases.waiting(language, "bots_now"))
    return parts
