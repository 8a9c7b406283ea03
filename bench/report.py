"""One measured number, and how it is printed."""

from typing import NamedTuple

HEADER = f"{'measured':<58} {'value':>10}  {'result':<7} {'bar':<10} {'aim':<10} unit"


class Line(NamedTuple):
    """A measured number. The bar must be met; the aim is wanted."""

    what: str
    value: float
    unit: str
    bar: float | None = None
    aim: float | None = None
    is_ceiling: bool = False  # the value may be at most the bar, not at least

    @property
    def verdict(self) -> str:
        if self.bar is None:
            return ""
        return "met" if (self.value <= self.bar if self.is_ceiling else self.value >= self.bar) else "MISSED"

    def __str__(self) -> str:
        sign = "≤ " if self.is_ceiling else "≥ "
        bar, aim = ("" if bound is None else f"{sign}{bound:,g}" for bound in (self.bar, self.aim))
        value = f"{self.value:,.2f}" if self.value < 100 else f"{self.value:,.0f}"
        return f"{self.what:<58} {value:>10}  {self.verdict:<7} {bar:<10} {aim:<10} {self.unit}".rstrip()
