"""Views of invitations to games and of quick phrases."""

from collections.abc import Coroutine, Iterable
from typing import Any
from uuid import UUID

from django.utils import translation
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import commands, queries, runtime
from games.api import request_bodies
from games.api.conditional_requests import command_headers, replay_headers
from games.api.current_player import identity
from games.api.pagination import Pages
from games.api.schema import COMMAND, KEY, described
from games.api.views.list_views import PAGES
from games.api.views.seat_views import answered, context_of, read
from games.commands import CommandContext
from games.engine.engine import CommandResult, Engine
from games.game.events import stamp
from games.game.json import view_schemas
from games.game.views import seat_of
from games.live import notifications, phrases
from games.live.messages import SpokenPhrase
from games.matchmaking import invitations
from games.matchmaking.models import Invitation
from games.rules.refused import Refused
from players.accounts import profile
from players.sessions.directory import directory
from players.social import blocks

TAG = "invitations"


class InviteView(APIView):
    throttle_scope = "invitations"

    @described(
        "invitePlayer",
        "Invite a player to an open game in which the caller has a seat",
        view_schemas.InvitationSchema,
        body=request_bodies.Invite,
        status=201,
        parameters=COMMAND,
        example={"player": "01926f3a-7c5e-7b1d-9a40-3f6c2d8e1b57"},
        tag=TAG,
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        """Callers cannot invite players whom they block; they do not learn whether the invited player blocks them."""
        invited, context, by = (
            read(request, request_bodies.Invite).player,
            context_of(request),
            identity(request).player,
        )
        runtime.call(lambda engine: queries.visible(engine, game_id, context.player))
        is_bot = profile.public_profile(invited)["is_bot"]  # refuses a player who is not there
        if blocks.is_blocked(invited, by=by):
            raise Refused("not_allowed")
        done = runtime.call(lambda engine: commands.invite(engine, game_id, str(invited), context, is_bot=is_bot))
        invitation, is_new = invitations.invite(game_id, by, invited, context.now)
        (view,) = views([invitation])
        if is_new:
            runtime.tell_player(str(invited), notifications.invited(view["id"], view["game"], view["by"]))
        location = {"Location": f"/api/v1/invitations/{view['id']}"}
        return Response(view, 201, headers={**command_headers(done), **location})


class InvitationsView(APIView):
    @described(
        "listInvitations",
        "List the open games to which the caller is invited, newest first",
        view_schemas.Invitations,
        parameters=PAGES,
        tag=TAG,
    )
    def get(self, request: Request) -> Response:
        pages = Pages()
        rows = pages.paginate_queryset(invitations.pending(identity(request).player), request, view=self) or []
        return pages.get_paginated_response(views(rows))


class AcceptView(APIView):
    @described(
        "acceptInvitation",
        "Accept an invitation; a private game needs no code",
        view_schemas.GameSchema,
        parameters=COMMAND,
        body=request_bodies.SeatSeed,
        example={"late_seed": True},
        tag=TAG,
    )
    def post(self, request: Request, invitation_id: UUID) -> Response:
        """An invitation that was accepted before does not seat the player again, even if the seat was freed since."""
        invitation = invitations.get(identity(request).player, invitation_id)
        seed = read(request, request_bodies.SeatSeed).seed()
        if invitation.status == "declined":
            raise Refused("not_found")

        def command(engine: Engine, context: CommandContext) -> Coroutine[Any, Any, CommandResult]:
            if invitation.status == "pending":
                return commands.accept(engine, invitation.game_id, seed, context)
            return commands.join(engine, invitation.game_id, None, seed, context)

        response = answered(request, command)
        invitations.answer(invitation, "accepted")
        return response


class DeclineView(APIView):
    @described(
        "declineInvitation",
        "Decline an invitation; the player who sent it is notified",
        view_schemas.InvitationSchema,
        parameters=(KEY,),
        tag=TAG,
    )
    def post(self, request: Request, invitation_id: UUID) -> Response:
        invitation, context = invitations.get(identity(request).player, invitation_id), context_of(request)
        done = runtime.call(lambda engine: commands.decline(engine, invitation.game_id, context))
        is_new = invitations.answer(invitation, "declined")
        (view,) = views([invitation])
        if is_new:
            runtime.tell_player(
                str(invitation.by), notifications.invitation_declined(view["id"], view["game"], view["player"])
            )
        return Response(view, headers=replay_headers(is_replay=done.is_replay))


def views(rows: Iterable[Invitation]) -> list[dict[str, Any]]:
    """Only what never changes of an invitation and its game, so that a repeated request gets the same response."""
    rows = list(rows)
    profiles = directory.profiles_sync({one for row in rows for one in (row.by, row.player)})
    return [
        {
            "id": str(row.pk),
            "game": str(row.game_id),
            "ruleset": row.game.ruleset,
            "sheet": row.game.sheet,
            "size": row.game.seats,
            "visibility": row.game.visibility,
            "rated": row.game.rated,
            "clock": row.game.clock,
            "by": profiles[row.by]._asdict(),
            "player": profiles[row.player]._asdict(),
            "created_at": stamp(row.created_at),
        }
        for row in rows
    ]


class PhrasesView(APIView):
    @described("listPhrases", "List the quick phrases, in the caller's language", view_schemas.Phrases, tag=TAG)
    def get(self, _request: Request) -> Response:
        texts = phrases.phrases(translation.get_language() or phrases.DEFAULT)
        return Response({"results": [{"key": key, "text": text} for key, text in texts.items()]})


class SayView(APIView):
    throttle_scope = "phrases"

    @described(
        "sayPhrase",
        "Send a quick phrase to the other players; it is not stored",
        view_schemas.Said,
        body=request_bodies.Say,
        parameters=COMMAND,
        example={"key": "well_played"},
        tag=TAG,
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        key, context = read(request, request_bodies.Say).key, context_of(request)
        muted_by = [str(player) for player in blocks.muted_by(identity(request).player)]

        async def speak(engine: Engine) -> tuple[CommandResult, int]:
            done = await commands.speak(engine, game_id, context)
            seat = seat_of(done.game, context.player) or 0
            if not done.is_replay:
                (await runtime.hub()).send_phrase(SpokenPhrase(str(game_id), seat, key, muted_by))
            return done, seat

        done, seat = runtime.call(speak)
        text = phrases.phrases(translation.get_language() or phrases.DEFAULT)[key]
        phrase = {"type": "phrase", "seat": seat, "key": key, "text": text}
        return Response(phrase, headers=command_headers(done))
