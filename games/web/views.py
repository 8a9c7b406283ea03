"""The page's addresses: one shell for all of them, its files, its manifest, its service worker, and QR codes."""

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
from games.web.build import FOLDER, MODULES, Build, build

FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
PAPER, INK = "#f4f1ea", "#12151c"


@require_safe
def shell(request: HttpRequest, **_: Any) -> HttpResponse:
    """The same for every address of the page: which one it is, the script reads off the address."""
    now = build()
    language = get_language_from_request(request)
    context = {
        "base": now.address(""),
        "first": [now.address(name) for name in now.first],
        "modules": json.dumps({"imports": {name: now.address(file) for name, file in MODULES.items()}}),
        "games": json.dumps([{"key": each.key, "dice": each.description()["dice"]} for each in RULESETS.values()]),
        "language": language,
        "words": words(now, language),
        "paper": PAPER,
        "ink": INK,
    }
    answer = render(request, "web/shell.html", context)
    answer["Cache-Control"], answer["Vary"] = ASK_AGAIN, "Accept-Language"
    return answer


def words(now: Build, language: str) -> dict[str, Any]:
    """The few texts that are there before any script is."""
    catalogue = json.loads(now.files[f"text/{language}.json"].body)
    return {name.replace(".", "_"): text for name, text in catalogue.items() if name.startswith("shell.")}


@require_safe
def file(request: HttpRequest, digest: str, name: str) -> HttpResponse:
    """From memory. Who still has an older shell is given today's file, but not for ever."""
    now = build()
    if name not in now.files:
        raise Refused("not_found")
    found = now.files[name]
    squeeze = found.squeezed and "gzip" in request.headers.get("Accept-Encoding", "")
    answer = HttpResponse(found.squeezed if squeeze else found.body, content_type=found.kind)
    if squeeze:
        answer["Content-Encoding"] = "gzip"
    answer["Vary"] = "Accept-Encoding"
    answer["Cache-Control"] = FOR_EVER if digest == now.digest else ASK_AGAIN
    return answer


@require_safe
def service_worker(_: HttpRequest) -> HttpResponse:
    """At the root, because a worker serves only what lies below its own address."""
    now = build()
    texts = [name for name in now.files if re.fullmatch(r"text/\w+\.json", name)]
    kept = [now.address(name) for name in (*now.first, "css/base.css", "css/table.css", *texts)]
    head = f"const BUILD = {json.dumps(now.digest)};\nconst SHELL = {json.dumps(['/', *kept])};\n"
    text = head + (FOLDER / "worker.js").read_text()
    return HttpResponse(text, content_type="text/javascript; charset=utf-8", headers={"Cache-Control": ASK_AGAIN})


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    now = build()
    icons = [
        {"src": now.address(f"icons/{name}.png"), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for name, size, purpose in (("192", 192, "any"), ("512", 512, "any"), ("maskable", 512, "maskable"))
    ]
    language = get_language_from_request(request)
    about = {
        "name": "Qwixx Service",
        "short_name": "Qwixx",
        "description": words(now, language)["shell_description"],
        "lang": language,
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": icons,
    }
    answer = JsonResponse(about, content_type="application/manifest+json")
    answer["Cache-Control"], answer["Vary"] = ASK_AGAIN, "Accept-Language"
    return answer


@require_safe
def qr(request: HttpRequest, code: str) -> HttpResponse:
    """The address at which this code joins, for the camera of somebody who sits nearby."""
    drawing = BytesIO()
    address = request.build_absolute_uri(reverse("page-join", kwargs={"code": code}))
    segno.make(address, error="m", micro=False).save(drawing, kind="svg", scale=8, border=3, light="#fff")
    return HttpResponse(drawing.getvalue(), content_type="image/svg+xml", headers={"Cache-Control": "private"})
