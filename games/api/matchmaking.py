"""The queue over REST: a ticket, what is known of the wait, and leaving it."""

import math
from typing import Any
from uuid import UUID

from django.utils import translation
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import callers, lobby, matchmaker, matchmaking, shapes, texts, tickets
from games.api import bodies
from games.api.asking import identity
from games.api.document import KEY, described
from games.events import stamp
from games.models import Ticket
from players import receipts

PRIVATE = {"Cache-Control": "no-store"}
OF_A_WAIT = ("waiting_s", "window", "ahead", "others")


class MatchmakingView(APIView):
    @described(
        "enterQueue",
        "Wait for opponents of one's own strength",
        shapes.QueueTicket,
        body=bodies.EnterQueue,
        status=202,
        parameters=(KEY,),
        example={"ruleset": "qwixx", "sheet": "classic", "seats": 2, "rated": True, "bots_after_s": 30},
        tag="matchmaking",
    )
    def post(self, request: Request) -> Response:
        body = bodies.read(request.data, bodies.EnterQueue)
        queue = tickets.Queue(body.ruleset, body.sheet, body.seats, body.rated)
        lobby.check(lobby.Settings(**queue._asdict()), None)
        player, now = identity(request).player, callers.now()
        key = request.headers.get("Idempotency-Key")

        def enter() -> receipts.Answer:
            rating = matchmaker.strength(player, body.ruleset)
            return receipts.Answer(202, view(tickets.enter(player, queue, body.bots_after_s, rating, now)))

        kept = receipts.once(receipts.asked(player, request.path, request.data, key), now, enter)
        replayed = {"Idempotent-Replayed": "true"} if kept.is_replay else {}
        return Response(kept.body, kept.status, headers={**PRIVATE, **replayed})


class TicketView(APIView):
    @described(
        "readTicket", "How the wait goes; asking is what keeps a ticket alive", shapes.QueueTicket, tag="matchmaking"
    )
    def get(self, request: Request, ticket_id: UUID) -> Response:
        player = identity(request).player
        ticket = tickets.of(player, ticket_id)
        if ticket.status == "queued":
            tickets.present([player], callers.now())
        return Response(view(ticket), headers=PRIVATE)

    @described(
        "leaveQueue", "Wait no longer; `matched` where it was too late for that", shapes.QueueTicket, tag="matchmaking"
    )
    def delete(self, request: Request, ticket_id: UUID) -> Response:
        return Response(view(tickets.cancel(identity(request).player, ticket_id)), headers=PRIVATE)


def view(ticket: Ticket) -> dict[str, Any]:
    """A ticket with an explained wait. A game is named as soon as it is there, not before."""
    shown = {
        "ticket": str(ticket.pk),
        "status": ticket.status,
        **tickets.queue_of(ticket)._asdict(),
        "bots_after_s": ticket.bots_after_s,
        "created_at": stamp(ticket.created_at),
        "game": str(ticket.game) if ticket.status == "matched" else None,
    }
    language = translation.get_language() or texts.DEFAULT
    if ticket.status != "queued":
        return {**shown, **dict.fromkeys(OF_A_WAIT), "detail": texts.waiting(language, ticket.status)}
    waited = max(0.0, (callers.now() - ticket.created_at).total_seconds())
    ahead, others = tickets.standing(ticket)
    window = matchmaking.window(waited)
    shown |= {"waiting_s": int(waited), "window": window and round(window), "ahead": ahead, "others": others}
    return {**shown, "detail": " ".join(sentences(ticket, language, waited, others))}


def sentences(ticket: Ticket, language: str, waited: float, others: int) -> list[str]:
    """Why one still waits, and what will happen next."""
    said = [texts.waiting(language, "others", others) if others else texts.waiting(language, "nobody")]
    said.append(texts.waiting(language, "anybody" if matchmaking.window(waited) is None else "near"))
    if ticket.bots_after_s is not None:
        left = math.ceil(ticket.bots_after_s - waited)
        said.append(texts.waiting(language, "bots", left) if left > 0 else texts.waiting(language, "bots_now"))
    return said
