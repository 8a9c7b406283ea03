"""Filters of the admin's lists: fixed choices, and fields in which staff type a date or a name."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from players.admin.texts import label, lazy_text, text
from players.database.ids import earliest


class ChoiceFilter(admin.SimpleListFilter):
    """A filter with fixed choices; Django's own filters would scan all rows for them."""

    values: tuple[str, ...] = ()
    table = ""  # of the labels; empty: that of the parameter

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, str]]:  # noqa: ARG002
        return [(choice, label(choice, self.table or str(self.parameter_name))) for choice in self.values]

    def queryset(self, request: Any, queryset: QuerySet[Any]) -> QuerySet[Any]:  # noqa: ARG002
        return self.filtered(queryset, self.value() or "") if self.value() in self.values else queryset

    def filtered(self, queryset: QuerySet[Any], choice: str) -> QuerySet[Any]:
        return queryset.filter(**{str(self.parameter_name): choice})


class YesNoFilter(ChoiceFilter):
    values, table = ("yes", "no"), "word"

    def filtered(self, queryset: QuerySet[Any], choice: str) -> QuerySet[Any]:
        return queryset.filter(**{str(self.parameter_name): choice == "yes"})


class FieldFilter(admin.SimpleListFilter):
    """A filter with a field of its own in place of choices."""

    template = "players/field_filter.html"
    kind = "text"  # of the HTML input

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:  # noqa: ARG002
        return [("", text("word.filter"))]  # a filter without lookups is not shown

    def choices(self, changelist: Any) -> Iterator[Any]:
        """The other parameters, which the form sends again."""
        yield {"filter_params": changelist.filter_params, "value": self.value() or ""}

    def queryset(self, request: Any, queryset: QuerySet[Any]) -> QuerySet[Any]:  # noqa: ARG002
        typed = (self.value() or "").strip()
        return self.filtered(queryset, typed) if typed else queryset

    def filtered(self, queryset: QuerySet[Any], typed: str) -> QuerySet[Any]:
        raise NotImplementedError


class FromFilter(FieldFilter):
    """Rows from this day on. Ids sort by time, so that the index of ids serves it."""

    title, parameter_name, kind = lazy_text("list.from"), "from", "date"
    field = "pk"

    def filtered(self, queryset: QuerySet[Any], typed: str) -> QuerySet[Any]:
        day = day_or_none(typed)
        return queryset.filter(**{f"{self.field}__gte": bound(self.field, day)}) if day else queryset


class ToFilter(FieldFilter):
    """Rows up to this day, which is included."""

    title, parameter_name, kind = lazy_text("list.to"), "to", "date"
    field = "pk"

    def filtered(self, queryset: QuerySet[Any], typed: str) -> QuerySet[Any]:
        day = day_or_none(typed)
        return queryset.filter(**{f"{self.field}__lt": bound(self.field, day + timedelta(days=1))}) if day else queryset


def bound(field: str, day: datetime) -> object:
    return earliest(day) if field == "pk" else day


def day_or_none(typed: str) -> datetime | None:
    """
    >>> day_or_none("2026-02-30"), day_or_none("2026-02-03")
    (None, datetime.datetime(2026, 2, 3, 0, 0, tzinfo=datetime.timezone.utc))
    """
    try:
        day = date.fromisoformat(typed)
    except ValueError:
        return None
    return datetime(day.year, day.month, day.day, tzinfo=UTC) if 1970 <= day.year < 9999 else None
