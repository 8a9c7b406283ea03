"""The tables of the statistics page, from the daily figures; each is a chart, a table and a CSV file."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import date, timedelta
from typing import NamedTuple

from django.utils.formats import number_format

from games.results.figure_models import DailyFigure
from players.admin.texts import EMPTY, label, text

Value = float | int | None
Row = tuple[str, list[Value]]  # a day or a level, and its values


class FigureTable(NamedTuple):
    name: str
    header: list[str]
    rows: list[Row]  # the oldest day first
    is_chart: bool = True

    def shown(self) -> list[tuple[str, list[str]]]:
        """The newest first, with numbers as the language writes them."""
        return [
            (first, [EMPTY if n is None else number_format(n) for n in values]) for first, values in self.rows[::-1]
        ]


class Figures:
    """The figures of a period, of one ruleset or of all."""

    def __init__(self, days: list[date], ruleset: str) -> None:
        self.days, self._sums = days, defaultdict[tuple[date, str, str], int](int)
        found = DailyFigure.objects.filter(day__gte=days[0], day__lte=days[-1])
        if ruleset:
            found = found.filter(ruleset__in=("", ruleset))
        self.by_ruleset: dict[tuple[date, str, str], int] = {}
        for day, name, of, key, value in found.values_list("day", "name", "ruleset", "label", "value"):
            self._sums[day, name, key] += value
            self.by_ruleset[day, name, of] = value
        self.labels: dict[str, list[str]] = defaultdict(list)
        for _, name, key in sorted(self._sums, key=lambda each: each[1:]):
            if key not in self.labels[name]:
                self.labels[name].append(key)

    def at(self, day: date, name: str, key: str = "") -> int:
        return self._sums.get((day, name, key), 0)

    def total(self, name: str, key: str) -> int:
        return sum(self.at(day, name, key) for day in self.days)

    def per_day(self, values: Callable[[date], Iterable[Value]]) -> list[Row]:
        return [(day.isoformat(), list(values(day))) for day in self.days]


def active(found: Figures) -> FigureTable:
    header = [text(f"stats.active_{span}") for span in (1, 7, 30)]
    return FigureTable(
        "active", header, found.per_day(lambda day: (found.at(day, "active", n) for n in ("1", "7", "30")))
    )


def people(found: Figures) -> FigureTable:
    names = ("new", "new_accounts", "upgrades", "returning")
    header = [text(f"stats.{name}") for name in names]
    return FigureTable("people", header, found.per_day(lambda day: (found.at(day, name) for name in names)))


def retention(found: Figures) -> FigureTable:
    """Of those who came on a day, how many per cent played 1, 7 and 30 days later; empty: that day has not been yet."""
    last = found.days[-1]

    def values(day: date) -> list[Value]:
        new = found.at(day, "new")
        return [new, *(_share(found.at(day, "retained", str(n)), new, day, n, last) for n in (1, 7, 30))]

    header = [text("stats.new"), *(text("stats.after_days", n) for n in (1, 7, 30))]
    return FigureTable("retention", header, found.per_day(values), is_chart=False)


def _share(part: int, whole: int, day: date, span: int, last: date) -> Value:
    return round(100 * part / whole, 1) if whole and day + timedelta(days=span) <= last else None


def games(found: Figures) -> FigureTable:
    keys = found.labels["games"]
    header = [label(key, "status") for key in keys]
    return FigureTable("games", header, found.per_day(lambda day: (found.at(day, "games", key) for key in keys)))


def per_player(found: Figures) -> FigureTable:
    def values(day: date) -> list[Value]:
        players = found.at(day, "active", "1")
        return [round(found.at(day, "seats") / players, 2) if players else None]

    return FigureTable("per_player", [text("stats.per_player")], found.per_day(values))


def ends(found: Figures) -> FigureTable:
    keys = found.labels["ends"]
    header = [text("status.voided") if key == "voided" else label(key, "reason") for key in keys]
    return FigureTable("ends", header, found.per_day(lambda day: (found.at(day, "ends", key) for key in keys)))


def length(found: Figures) -> FigureTable:
    """In minutes; the mean of all rulesets, and the median of each."""
    rulesets = sorted({of for _, name, of in found.by_ruleset if name == "median_seconds"})

    def values(day: date) -> list[Value]:
        ended = found.at(day, "ended")
        mean = round(found.at(day, "seconds") / ended / 60, 1) if ended else None
        medians = [found.by_ruleset.get((day, "median_seconds", of)) for of in rulesets]
        return [mean, *(None if median is None else round(median / 60, 1) for median in medians)]

    header = [text("dashboard.mean"), *(f"{text('dashboard.median')}: {label(of, 'ruleset')}" for of in rulesets)]
    return FigureTable("length", header, found.per_day(values))


def time_outs(found: Figures) -> FigureTable:
    return FigureTable(
        "time_outs", [text("dashboard.time_outs")], found.per_day(lambda day: [found.at(day, "time_outs")])
    )


def bots(found: Figures) -> FigureTable:
    """By level, over the whole period."""
    rows: list[Row] = []
    for level in found.labels["bot_games"]:
        played, won = found.total("bot_games", level), found.total("bot_wins", level)
        rows.append((label(level, "level"), [played, won, round(100 * won / played, 1) if played else None]))
    header = [text("stats.bot_games"), text("stats.bot_wins"), text("stats.win_rate")]
    return FigureTable("bots", header, rows, is_chart=False)


TABLES: Mapping[str, Callable[[Figures], FigureTable]] = {
    "active": active,
    "people": people,
    "retention": retention,
    "games": games,
    "per_player": per_player,
    "ends": ends,
    "length": length,
    "time_outs": time_outs,
    "bots": bots,
}
