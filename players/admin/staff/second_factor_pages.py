"""The pages of the second factor, and the middleware that leads staff to them before any other page of the admin."""

from base64 import b32encode
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import django_otp
import segno
from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django_otp.plugins.otp_totp.models import TOTPDevice

from players.admin.read_only import staff_member
from players.admin.staff.session_pages import note_confirmed
from players.admin.staff.sign_in import seconds
from players.admin.texts import text
from players.database.refusal import RequestRefused
from players.moderation import second_factor

PREFIX = "/admin/"
# Pages that a session opened by a password alone may use.
OPEN_PAGES = (
    *("/admin/login/", "/admin/logout/", "/admin/language/"),
    *("/admin/second-factor/", "/admin/second-factor/enrol/"),
)
PENDING = "second_factor_pending"  # the session's unconfirmed device


class SecondFactorMiddleware:
    """Redirects a member of staff whose second factor is missing, whatever page of the admin they ask for."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        path: str = request.path_info
        user: Any = request.user if path.startswith(PREFIX) and path not in OPEN_PAGES else None
        if user and user.is_active and user.is_staff and second_factor.is_missing(user):
            destination = request.get_full_path() if request.method == "GET" else reverse("admin:index")
            return HttpResponseRedirect(_address("second_factor", destination))
        return self._get_response(request)


def code_page(request: HttpRequest) -> HttpResponse:
    """Asks for a code of the app or a recovery code."""
    user: Any = staff_member(request)
    if user.is_verified():
        return HttpResponseRedirect(_destination(request))
    if not second_factor.is_enrolled(user):
        return HttpResponseRedirect(_address("second_factor_enrol", _destination(request)))
    if request.method != "POST":
        return _page(request, "players/second_factor_code.html")
    try:
        device = second_factor.verify(user, request.POST.get("code", ""), timezone.now())
    except RequestRefused as refused:
        return _refusal(request, "players/second_factor_code.html", refused)
    _log_in(request, device)
    return HttpResponseRedirect(_destination(request))


def enrol_page(request: HttpRequest) -> HttpResponse:
    """Shows a new key until a code confirms it, then the recovery codes, once."""
    user: Any = staff_member(request)
    if second_factor.is_enrolled(user) and not user.is_verified():
        return HttpResponseRedirect(_address("second_factor", _destination(request)))
    device = second_factor.pending_device(user, request.session.get(PENDING))
    request.session[PENDING] = device.pk
    if request.method != "POST":
        return _page(request, "players/second_factor_enrol.html", **_key(device))
    try:
        codes = second_factor.confirm(device, request.POST.get("code", ""), timezone.now())
    except RequestRefused as refused:
        return _refusal(request, "players/second_factor_enrol.html", refused, **_key(device))
    del request.session[PENDING]
    _log_in(request, device)
    return _page(request, "players/recovery_codes.html", codes=codes)


def _log_in(request: HttpRequest, device: Any) -> None:
    """The session gets a new key, because it may do more from now on."""
    request.session.cycle_key()
    django_otp.login(request, device)
    note_confirmed(request)


def _key(device: TOTPDevice) -> dict[str, str]:
    """The key as a QR code, as a link for the phone that shows this page, and to type."""
    qr = segno.make(device.config_url, error="m", micro=False)
    key = b32encode(device.bin_key).decode()
    return {
        "qr": qr.svg_data_uri(scale=5, border=3, light="#fff"),
        "link": device.config_url,
        "key": " ".join(key[start : start + 4] for start in range(0, len(key), 4)),
    }


def _refusal(request: HttpRequest, template: str, refused: RequestRefused, **context: Any) -> HttpResponse:
    if refused.code != "too_many_requests":
        return _page(request, template, error=text("factor.wrong"), **context)
    page = _page(request, template, error=text("factor.locked", seconds(refused)), **context)
    page.status_code = 429
    page["Retry-After"] = str(seconds(refused))
    return page


def _page(request: HttpRequest, template: str, **context: Any) -> TemplateResponse:
    user: Any = request.user
    shown = {"title": text("factor.title"), "next": _destination(request), "is_replacement": user.is_verified()}
    return TemplateResponse(request, template, {**admin.site.each_context(request), **shown, **context})


def _destination(request: HttpRequest) -> str:
    """The page that was asked for first."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    is_ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if is_ours and wanted.startswith(PREFIX) else reverse("admin:index")


def _address(name: str, destination: str) -> str:
    return f"{reverse(name)}?{urlencode({'next': destination})}"
