"""The page's files in memory, each compressed once, all under one digest: what they are, not who asks for them.

The digest is part of their address, so that a browser may keep a file for ever and never sees two builds mixed.
Modules import each other by relative names: nothing has to be rewritten, and there is no build step.
"""

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
SQUEEZED = (".js", ".css", ".json", ".svg")
TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}
# What lit's own modules call each other.
MODULES = {
    "lit": "vendor/lit-element.js",
    "lit-html": "vendor/lit-html.js",
    "@lit/reactive-element": "vendor/reactive-element.js",
}
# What every first visit needs; the rest of the modules come with the pages that want them.
ENTRIES = ("js/main.js", "js/view-home.js")
IMPORTED = re.compile(r"""(?:\bfrom\s*|\bimport\s*)["']([^"']+)["']""")


class File(NamedTuple):
    body: bytes
    squeezed: bytes | None
    kind: str


class Build(NamedTuple):
    """All files by name. `first` are the modules that a first visit fetches, whatever page it is on."""

    digest: str
    files: dict[str, File]
    first: tuple[str, ...]

    def address(self, name: str) -> str:
        return f"{PREFIX}{self.digest}/{name}"


def build() -> Build:
    """As found at the first call; while debugging, as found now."""
    return _read() if settings.DEBUG else _kept()


@cache
def _kept() -> Build:
    return _read()


def _read() -> Build:
    paths = {str(path.relative_to(FOLDER)): path for path in sorted(FOLDER.rglob("*")) if path.is_file()}
    if VERIFIER.exists():
        paths["js/verify.js"] = VERIFIER
    files = {name: _file(path) for name, path in paths.items()}
    digest = hashlib.sha256(b"".join(name.encode() + files[name].body for name in files)).hexdigest()[:12]
    return Build(digest, files, tuple(_imports(files)))


def _file(path: Path) -> File:
    body, suffix = path.read_bytes(), path.suffix
    squeezed = gzip.compress(body, 9, mtime=0) if suffix in SQUEEZED else None
    kind = TYPES.get(suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return File(body, squeezed, f"{kind}; charset=utf-8" if suffix in SQUEEZED else kind)


def _imports(files: dict[str, File]) -> dict[str, None]:
    """The entries and all that they import, in the order of their finding."""
    found = dict.fromkeys(name for name in ENTRIES if name in files)
    for name in (waiting := list(found)):
        for wanted in IMPORTED.findall(files[name].body.decode()):
            target = MODULES.get(wanted) or f"{Path(name).parent}/{wanted.removeprefix('./')}"
            if target in files and target not in found:
                found[target] = None
                waiting.append(target)
    return found
