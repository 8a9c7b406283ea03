"""Extracts every text of a page that a reader or a screen reader gets: contents, labels and charts."""

import json
import re
from html.parser import HTMLParser

TEXT_ATTRIBUTES = ("placeholder", "title", "aria-label", "alt", "data-label", "data-sure")
HIDDEN_TAGS = ("script", "style", "pre")
VOID_TAGS = ("input", "img", "br", "meta", "link", "hr")
WORD = re.compile(r"[^\W\d_]{2,}")


class TextParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._open_tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open_tags.append(tag)
        classes = dict(attrs).get("class") or ""
        # A font draws icons from their names; `qx-mono` contains data of the log.
        if "material-symbols" in classes or "qx-mono" in classes:
            self._open_tags[-1] = "script"
        for name, value in attrs:
            if name in TEXT_ATTRIBUTES and value:
                self.texts.append(value)
            if name == "data-value" and value:
                chart = json.loads(value)
                self.texts += [*chart["labels"], *(found["label"] for found in chart["datasets"])]
        if tag in VOID_TAGS:
            self._open_tags.pop()

    def handle_endtag(self, tag: str) -> None:
        if self._open_tags and tag not in VOID_TAGS:
            self._open_tags.pop()

    def handle_data(self, data: str) -> None:
        if not set(self._open_tags) & set(HIDDEN_TAGS):
            self.texts.append(" ".join(data.split()))


def visible_texts(page: str) -> set[str]:
    """The texts with at least one word."""
    parser = TextParser()
    parser.feed(page)
    return {text for text in parser.texts if WORD.search(text)}
