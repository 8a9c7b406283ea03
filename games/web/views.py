"""Views of the page: its HTML shell, its web app manifest, its service worker, and QR codes of games."""

import json
import re
from io import BytesIO
from typing import Any

import segno
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language_from_request
from django.views.decorators.http import require_safe

from games.rules.refused import Refused
from games.rules.registry import RULESETS
from games.web.build import FOLDER, IMPORT_MAP, Build, build

REVALIDATE = "no-cache"
MAX_CODE_LENGTH = 16  # codes have 6 characters
MAX_QR_LENGTH = 300
LIGHT_COLOUR, DARK_COLOUR = "#f4f1ea", "#12151c"


@require_safe
def shell(request: HttpRequest, **_: Any) -> HttpResponse:
    """The same document for every address of the page; its script routes by the address."""
    current = build()
    language = get_language_from_request(request)
    context = {
        "base": current.address(""),
        "preloaded": [current.address(name) for name in current.preloaded],
        "import_map": json.dumps({"imports": {name: current.address(file) for name, file in IMPORT_MAP.items()}}),
        "games": json.dumps([{"key": each.key, "dice": each.description()["dice"]} for each in RULESETS.values()]),
        "language": language,
        "texts": shell_texts(current, language),
        "light_colour": LIGHT_COLOUR,
        "dark_colour": DARK_COLOUR,
    }
    response = render(request, "web/shell.html", context)
    response["Cache-Control"], response["Vary"] = REVALIDATE, "Accept-Language"
    return response


def shell_texts(current: Build, language: str) -> dict[str, Any]:
    """The texts that are shown before any script runs."""
    catalogue = json.loads(current.files[f"text/{language}.json"].body)
    return {name.replace(".", "_"): text for name, text in catalogue.items() if name.startswith("shell.")}


@require_safe
def service_worker(_: HttpRequest) -> HttpResponse:
    """Served at the root, because a service worker controls only addresses below its own."""
    current = build()
    texts = [name for name in current.files if re.fullmatch(r"text/\w+\.json", name)]
    cached = [current.address(name) for name in (*current.preloaded, "css/base.css", "css/table.css", *texts)]
    head = f"const BUILD = {json.dumps(current.digest)};\nconst SHELL = {json.dumps(['/', *cached])};\n"
    script = head + (FOLDER / "worker.js").read_text()
    return HttpResponse(script, content_type="text/javascript; charset=utf-8", headers={"Cache-Control": REVALIDATE})


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    current = build()
    icons = [
        {"src": current.address(f"icons/{name}.png"), "sizes": f"{size}x{size}", "type": "image/png", "purpose": use}
        for name, size, use in (("192", 192, "any"), ("512", 512, "any"), ("maskable", 512, "maskable"))
    ]
    language = get_language_from_request(request)
    members = {
        "name": "Qwixx & Qwinto",
        "short_name": "Qwixx",
        "description": shell_texts(current, language)["shell_description"],
        "lang": language,
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": LIGHT_COLOUR,
        "theme_color": LIGHT_COLOUR,
        "icons": icons,
    }
    response = JsonResponse(members, content_type="application/manifest+json")
    response["Cache-Control"], response["Vary"] = REVALIDATE, "Accept-Language"
    return response


@require_safe
def qr(request: HttpRequest, code: str) -> HttpResponse:
    """A QR code of the address at which a player joins the game with this code."""
    if len(code) > MAX_CODE_LENGTH:
        raise Refused("malformed", errors=[("/code", "too_long", f"1 to {MAX_CODE_LENGTH} characters")])
    image = BytesIO()
    address = request.build_absolute_uri(reverse("page-join", kwargs={"code": code}))
    if len(address) > MAX_QR_LENGTH:  # the client's Host header is part of it
        raise Refused("malformed", errors=[("Host", "too_long", f"1 to {MAX_QR_LENGTH} characters")])
    segno.make(address, error="m", micro=False).save(image, kind="svg", scale=8, border=3, light="#fff")
    return HttpResponse(image.getvalue(), content_type="image/svg+xml", headers={"Cache-Control": "private"})
