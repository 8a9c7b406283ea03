"""The languages of the clients: where their examples and guides are, and how an example is started."""

import re
import sys
from pathlib import Path
from typing import NamedTuple

from clients.build import node_folder

ROOT = Path(__file__).resolve().parents[2]
# Node.js 20 has no WebSocket; later ones have it taken away by an option.
WITHOUT_SOCKET = ("--no-experimental-websocket",)


def node(*options: str) -> list[str]:
    folder = node_folder()
    assert folder
    return [str(folder / "node"), *options]


class Language(NamedTuple):
    name: str
    suffix: str  # of its files, and of its blocks in documents
    fence: str

    @property
    def folder(self) -> Path:
        return ROOT / "clients" / self.name

    @property
    def examples(self) -> list[Path]:
        return sorted((self.folder / "examples").glob(f"*.{self.suffix}"))

    @property
    def guide(self) -> Path:
        return ROOT / f"docs/guides/{self.name}.md"

    def blocks(self, document: Path) -> list[str]:
        return re.findall(rf"^```{self.fence}\n(.*?)```", document.read_text(), re.MULTILINE | re.DOTALL)

    def command(self, example: str, *options: str) -> list[str]:
        if self.suffix == "ts":
            return node(*options, f"dist/examples/{example.replace('_', '-')}.js")
        return [sys.executable, f"examples/{example}.py"]


TYPESCRIPT = Language("typescript", "ts", "ts")
PYTHON = Language("python", "py", "python")
LANGUAGES = (TYPESCRIPT, PYTHON)
