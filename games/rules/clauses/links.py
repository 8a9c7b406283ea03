"""Links between cells of two rows."""

from collections.abc import Sequence
from typing import Any

from games.rules.qwixx_sheets import Clause, MarkedSheet, Marking, Place, QwixxSheet, is_marked


class Links(Clause):
    """Marking one end of a link marks the other, even backwards or in a closed row."""

    key = "links"

    def __init__(self, sheet: QwixxSheet, links: Sequence[Sequence[tuple[str, int]]]) -> None:
        self.links = [(sheet.place(*one), sheet.place(*other)) for one, other in links]
        self.ends = {**dict(self.links), **{other: one for one, other in self.links}}

    def prints(self) -> dict[str, Any]:
        return {"links": self.links}

    def shows(self, marked: MarkedSheet, note: int) -> dict[str, Any]:
        return {"done": [at for at, (one, _) in enumerate(self.links) if is_marked(marked, *one)]}

    def follows(
        self, sheet: QwixxSheet, marked: MarkedSheet, note: int, marking: Marking
    ) -> tuple[int, tuple[Place, ...]]:
        end = self.ends.get((marking.row, marking.column))
        return note, () if end is None or is_marked(marked, *end) else (end,)
