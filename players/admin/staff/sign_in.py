"""Passwords of staff in the admin: wrong ones count towards the same lockout as at the API's sign-in."""

import math
from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.utils import timezone
from unfold.forms import AuthenticationForm

from players.admin.read_only import staff_member
from players.admin.texts import text
from players.database.refusal import RequestRefused
from players.limits import lockout
from players.limits.addresses import address, address_key
from players.mail import email_addresses


class StaffAuthenticationForm(AuthenticationForm):  # type: ignore[misc]
    """The login form. `retry_after` is the number of seconds until a locked account or address may try again."""

    retry_after: int | None = None

    def clean(self) -> Any:
        email, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if not email or not password:
            return super().clean()
        try:
            return lockout.guarded(
                email_addresses.normalize(email), client_address(self.request), timezone.now(), self._checked
            )
        except RequestRefused as refused:
            if refused.code != "too_many_requests":
                raise self.get_invalid_login_error() from None
            self.retry_after = seconds(refused)
            raise ValidationError(text("sign_in.locked", self.retry_after), code="locked") from None

    def _checked(self) -> Any:
        """The right password of a player who is not staff is counted too: the response must not reveal it."""
        try:
            return super().clean()
        except ValidationError:
            raise RequestRefused("invalid_credentials") from None


def log_in(request: HttpRequest) -> HttpResponseBase:
    """The site's login page; a locked account or address gets 429."""
    response = admin.site.login(request)
    form = shown_form(response)
    if form and form.retry_after:
        response.status_code = 429
        response["Retry-After"] = str(form.retry_after)
    return response


def change_password(request: HttpRequest) -> HttpResponseBase:
    """The site's page for a new password; a wrong old one is counted."""
    if request.method != "POST":
        return admin.site.password_change(request)
    pages: list[HttpResponseBase] = []

    def work() -> None:
        pages.append(admin.site.password_change(request))
        form = shown_form(pages[0])
        if form and form.has_error("old_password", "password_incorrect"):
            raise RequestRefused("invalid_credentials")

    try:
        lockout.guarded(staff_member(request).email or "", client_address(request), timezone.now(), work)
    except RequestRefused as refused:
        if refused.code == "too_many_requests":
            messages.error(request, text("sign_in.locked", seconds(refused)))
            return HttpResponseRedirect(request.path)
    return pages[0]


def shown_form(response: HttpResponseBase) -> Any:
    """The form of a page, or None for a redirect."""
    return (getattr(response, "context_data", None) or {}).get("form")


def seconds(refused: RequestRefused) -> int:
    wait = refused.data.get("retry_after")
    return max(1, math.ceil(wait)) if isinstance(wait, float | int) else 1


def client_address(request: HttpRequest) -> str:
    forwarded_for = request.META.get("HTTP_X_FORWARDED_FOR", "")
    return address_key(address(request.META.get("REMOTE_ADDR") or "", forwarded_for, settings.NUM_PROXIES))
