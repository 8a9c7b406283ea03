"""One line of the bench's table, and how the table looks."""

from typing import NamedTuple

from rich.table import Table


class Line(NamedTuple):
    """A measured number. Where there is a bar it must be met; the aim is what we would like."""

    what: str
    value: float
    unit: str
    bar: float | None = None
    aim: float | None = None
    is_ceiling: bool = False  # the bar is the most it may be, not the least

    @property
    def verdict(self) -> str:
        if self.bar is None:
            return ""
        return "met" if (self.value <= self.bar if self.is_ceiling else self.value >= self.bar) else "MISSED"


def table(lines: list[Line]) -> Table:
    result = Table("measured in this run", "value", "", "bar", "aim", "", title="Bench: read the ratios")
    for line in lines:
        sign = "≤ " if line.is_ceiling else "≥ "
        bounds = ["" if bound is None else f"{sign}{bound:,g}" for bound in (line.bar, line.aim)]
        result.add_row(
            line.what,
            f"{line.value:,.2f}" if line.value < 100 else f"{line.value:,.0f}",
            line.unit,
            *bounds,
            line.verdict,
        )
    return result
