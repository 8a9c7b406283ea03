"""What a page says to whoever looks at it or has it read out: its texts, its labels and its charts."""

import json
import re
from html.parser import HTMLParser

SPOKEN = ("placeholder", "title", "aria-label", "alt", "data-label", "data-sure")
SILENT = ("script", "style", "pre")
WORD = re.compile(r"[^\W\d_]{2,}")


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._within: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._within.append(tag)
        classes = dict(attrs).get("class") or ""
        # Icons are drawn by a font from their names; `qx-mono` is what the log has, letter by letter.
        if "material-symbols" in classes or "qx-mono" in classes:
            self._within[-1] = "script"
        for name, value in attrs:
            if name in SPOKEN and value:
                self.said.append(value)
            if name == "data-value" and value:
                chart = json.loads(value)
                self.said += [*chart["labels"], *(found["label"] for found in chart["datasets"])]
        if tag in ("input", "img", "br", "meta", "link", "hr"):
            self._within.pop()

    def handle_endtag(self, tag: str) -> None:
        if self._within and tag not in ("input", "img", "br", "meta", "link", "hr"):
            self._within.pop()

    def handle_data(self, data: str) -> None:
        if not set(self._within) & set(SILENT):
            self.said.append(" ".join(data.split()))


def said_on(page: str) -> set[str]:
    """Texts with at least one word."""
    reader = Reader()
    reader.feed(page)
    return {text for text in reader.said if WORD.search(text)}
