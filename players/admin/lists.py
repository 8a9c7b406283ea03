"""Parts of the admin's lists: a capped count, columns, and what a search term can be."""

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cached_property
from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.utils.html import format_html
from django.utils.timesince import timesince
from unfold.views import ChangeList

from players.admin.texts import lazy_text, text

ONE_COLOUR = True  # badges that do not differ
MAX_COUNTED = 10_000  # rows beyond these are found by search


class CappedPaginator(Paginator):  # type: ignore[type-arg]
    """Counts at most MAX_COUNTED rows, so that the first page of a list of millions is fast."""

    @cached_property
    def count(self) -> int:
        rows: Any = self.object_list
        return len(rows.values_list("pk", flat=True)[:MAX_COUNTED])


class CountedChangeList(ChangeList):  # type: ignore[misc]
    """A list that names its number of rows in the plural form of the language."""

    def elided(self) -> Iterator[int | str]:
        pages: Iterator[int | str] = self.paginator.get_elided_page_range(self.page_num)
        return pages

    def counted(self) -> str:
        is_capped = self.result_count >= MAX_COUNTED
        return text("list.most" if is_capped else f"{self.opts.model_name}.counted", self.result_count)


def column(name: str, order: str | None = None, badges: dict[str, str] | bool | None = None) -> Callable[[Any], Any]:
    """Decorates a method of a ModelAdmin as a column, with the name of its title and the field that sorts it.

    `badges` are the colours of unfold by value: the method returns the value and its label."""

    def decorate(function: Any) -> Any:
        function.short_description, function.admin_order_field = lazy_text(name), order
        if badges is not None:
            function.label = badges
        return function

    return decorate


def short_time(moment: datetime | None) -> str | None:
    return f"{moment:%Y-%m-%d %H:%M}" if moment else None


def age(moment: datetime, now: datetime) -> str:
    """How long ago, in one unit, with the exact time as a title."""
    exact, since = f"{moment:%Y-%m-%d %H:%M:%S} UTC", timesince(moment, now, depth=1)
    return format_html('<time datetime="{}" title="{}">{}</time>', moment.isoformat(), exact, since)


def uuid_or_none(term: str) -> UUID | None:
    try:
        return UUID(term.strip())
    except ValueError:
        return None
