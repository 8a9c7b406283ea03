"""The files of the page in memory, compressed once, with one digest of all of them in their address."""

import gzip
import hashlib
import mimetypes
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from django.conf import settings

FOLDER = Path(__file__).parent / "static" / "page"
VERIFIER = Path(__file__).resolve().parents[2] / "verifier" / "verify.js"
PREFIX = "/static/page/"
COMPRESSED = (".js", ".css", ".json", ".svg")
CONTENT_TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}
# The import map: the names by which the modules of lit import each other.
IMPORT_MAP = {
    "lit": "vendor/lit-element.js",
    "lit-html": "vendor/lit-html.js",
    "@lit/reactive-element": "vendor/reactive-element.js",
}
# Every first visit needs these modules; the other views are imported when they are opened.
ENTRY_POINTS = ("js/main.js", "js/view-home.js")
IMPORT = re.compile(r"""(?:\bfrom\s*|\bimport\s*)["']([^"']+)["']""")


class StaticFile(NamedTuple):
    body: bytes
    compressed: bytes | None
    content_type: str


class Build(NamedTuple):
    """All files by name; `preloaded` are the modules that every first visit fetches.

    With the digest in the address, browsers may cache files for ever and never mix two builds. Modules import each
    other by relative names, so no file has to be rewritten.
    """

    digest: str
    files: dict[str, StaticFile]
    preloaded: tuple[str, ...]

    def address(self, name: str) -> str:
        return f"{PREFIX}{self.digest}/{name}"


def build() -> Build:
    """The files as they were at the first call; with DEBUG, as they are now."""
    return _read_build() if settings.DEBUG else _cached_build()


@cache
def _cached_build() -> Build:
    return _read_build()


def _read_build() -> Build:
    paths = {str(path.relative_to(FOLDER)): path for path in sorted(FOLDER.rglob("*")) if path.is_file()}
    if VERIFIER.exists():
        paths["js/verify.js"] = VERIFIER
    files = {name: read_file(path) for name, path in paths.items()}
    digest = hashlib.sha256(b"".join(name.encode() + files[name].body for name in files)).hexdigest()[:12]
    return Build(digest, files, tuple(_imported_modules(files)))


def read_file(path: Path) -> StaticFile:
    body, suffix = path.read_bytes(), path.suffix
    content_type = CONTENT_TYPES.get(suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    if suffix not in COMPRESSED:
        return StaticFile(body, None, content_type)
    return StaticFile(body, gzip.compress(body, 9, mtime=0), f"{content_type}; charset=utf-8")


def _imported_modules(files: dict[str, StaticFile]) -> dict[str, None]:
    """The entry points and every module that they import, breadth first."""
    found = dict.fromkeys(name for name in ENTRY_POINTS if name in files)
    for name in (queue := list(found)):
        for imported in IMPORT.findall(files[name].body.decode()):
            target = IMPORT_MAP.get(imported) or f"{Path(name).parent}/{imported.removeprefix('./')}"
            if target in files and target not in found:
                found[target] = None
                queue.append(target)
    return found
