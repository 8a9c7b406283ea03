"""Routes of `/static/…`: files from memory, sent on the event loop, so that no thread waits for a slow reader."""

import asyncio
import hashlib
import re
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.contrib.staticfiles import finders
from starlette.endpoints import HTTPEndpoint
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from games.rules.refused import Refused
from games.web.build import StaticFile, build, read_file
from qwixx_service.http.errors import NO_SNIFFING

IMMUTABLE = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"
NOT_MODIFIED = 304
PAGE_FILE = re.compile(r"page/([0-9a-f]{12})/(.+)")
PIECE = 64 * 1024  # what uvicorn buffers for a client: after each piece the client must have read most of the last one
# A file that is opened as a page, such as an SVG image, may run and load nothing.
NO_SCRIPTS = {"Content-Security-Policy": "default-src 'none'"}
# One thread: a large file that many clients want at once is compressed once, and beside it no other one.
reader = ThreadPoolExecutor(1, "static files")


class CollectedFile(NamedTuple):
    file: StaticFile
    etag: str


class StaticFiles(HTTPEndpoint):
    async def get(self, request: Request) -> Response:
        name = request.path_params["name"]
        if of_page := PAGE_FILE.fullmatch(name):
            return await page_file(request, *of_page.groups())
        return await app_file(request, name)


async def app_file(request: Request, name: str) -> Response:
    """A file of an installed app, such as the admin."""
    found = await asyncio.get_running_loop().run_in_executor(reader, collected, name)
    if found is None:
        raise Refused("not_found")
    headers = {"Cache-Control": REVALIDATE, "ETag": found.etag}
    if found.etag in request.headers.get("if-none-match", ""):
        return Response(status_code=NOT_MODIFIED, headers=headers)
    return file_response(request, found.file, headers)


async def page_file(request: Request, digest: str, name: str) -> Response:
    """A file of the page. The address of an older build gets the current file, which must then not be cached."""
    current = await asyncio.get_running_loop().run_in_executor(reader, build)
    if name not in current.files:
        raise Refused("not_found")
    headers = {"Cache-Control": IMMUTABLE if digest == current.digest else REVALIDATE}
    return file_response(request, current.files[name], headers)


def collected(name: str) -> CollectedFile | None:
    """Read and compressed when it is asked for the first time; with DEBUG, again when it has changed."""
    path = paths().get(name)
    return None if path is None else read(path, path.stat().st_mtime if settings.DEBUG else 0)


@cache
def paths() -> dict[str, Path]:
    """All files that Django's finders know, by name: a name that is not among them costs no access to the disk."""
    found: dict[str, Path] = {}
    for finder in finders.get_finders():
        for path, storage in finder.list([]):
            prefix = getattr(storage, "prefix", None)
            found.setdefault(f"{prefix}/{path}" if prefix else path, Path(storage.path(path)))
    return found


@lru_cache(maxsize=1024)  # installed apps have about 270 files of 15 MB
def read(path: Path, _modified_at: float) -> CollectedFile:
    body, compressed, content_type = read_file(path)
    file = StaticFile(body, compressed, content_type.partition(";")[0])  # others' files need not be UTF-8
    return CollectedFile(file, f'"{hashlib.sha256(body).hexdigest()[:24]}"')


def file_response(request: Request, file: StaticFile, headers: dict[str, str]) -> Response:
    body = file.body
    headers |= {"Content-Type": file.content_type, "Vary": "Accept-Encoding", **NO_SNIFFING, **NO_SCRIPTS}
    if file.compressed and "gzip" in request.headers.get("accept-encoding", ""):
        body = file.compressed
        headers["Content-Encoding"] = "gzip"
    if len(body) <= PIECE:
        return Response(body, headers=headers)
    return StreamingResponse(pieces(body), headers={**headers, "Content-Length": str(len(body))})


async def pieces(body: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(body), PIECE):
        yield body[start : start + PIECE]


routes = [Route("/static/{name:path}", StaticFiles)]
