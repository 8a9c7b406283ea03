"""Ends sessions of staff: each browser that signs in gets a row, and a session whose row has ended is logged out."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib.auth import logout
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone

from players.moderation import second_factor, staff_sessions

PREFIX = "/admin/"
OPEN_PAGES = ("/admin/login/", "/admin/logout/", "/admin/language/")
SESSION, CONFIRMED = "staff_session", "factor_confirmed_at"  # names in the session
CONFIRMED_FOR = timedelta(minutes=10)  # after a code, actions that cannot be undone ask for no other


@receiver(user_logged_in, dispatch_uid="players.admin.staff.session_pages")
def begin(request: HttpRequest, user: Any, **_: Any) -> None:
    if user.is_staff:
        device = request.META.get("HTTP_USER_AGENT", "")
        request.session[SESSION] = str(staff_sessions.begin(user.pk, device, timezone.now()))


class StaffSessionMiddleware:
    """Logs out a member of staff whose session is older than twelve hours, or was ended by staff."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        path = request.path_info
        user: Any = request.user if path.startswith(PREFIX) and path not in OPEN_PAGES else None
        if user and user.is_authenticated and user.is_staff and not _is_open(request):
            logout(request)
            return HttpResponseRedirect(reverse("admin:login"))
        return self._get_response(request)


def _is_open(request: HttpRequest) -> bool:
    session = request.session.get(SESSION)
    return session is not None and staff_sessions.is_open(UUID(session), timezone.now())


def note_confirmed(request: HttpRequest) -> None:
    """A code has just been accepted in this session."""
    request.session[CONFIRMED] = timezone.now().timestamp()


def needs_code(request: HttpRequest) -> bool:
    """Whether an action that cannot be undone asks for a code: staff without a second factor have none to enter."""
    confirmed = datetime.fromtimestamp(request.session.get(CONFIRMED, 0), UTC)
    user: Any = request.user
    return timezone.now() - confirmed > CONFIRMED_FOR and second_factor.is_enrolled(user)


def check_code(request: HttpRequest) -> None:
    """Refuses with `invalid_credentials`, or with `too_many_requests` after wrong codes."""
    user: Any = request.user
    if needs_code(request):
        second_factor.verify(user, request.POST.get("code", ""), timezone.now())
        note_confirmed(request)
