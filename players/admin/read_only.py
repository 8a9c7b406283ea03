"""What all pages of the admin share: they are read, counted only so far, and changed by orders with a reason alone."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.admin import ShowFacets
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from unfold.admin import ModelAdmin
from unfold.views import ChangeList

from players.admin.texts import later, said
from players.models import Player

MOST = 10_000  # rows that are counted: whoever looks for something further back searches
# How a refusal is told to whoever was refused: the texts of errors belong to the wiring, which adds this.
EXPLAINERS: list[Callable[[Exception], str | None]] = []


def staff(request: HttpRequest) -> Player:
    """Who is logged in, on a page that only staff get to."""
    if not isinstance(request.user, Player):
        raise PermissionDenied
    return request.user


class CappedPaginator(Paginator):  # type: ignore[type-arg]
    """A list of millions is not counted to its end to show its first page."""

    @cached_property
    def count(self) -> int:
        rows: Any = self.object_list
        return len(rows.values_list("pk", flat=True)[:MOST])


def uuid_or_none(text: str) -> UUID | None:
    try:
        return UUID(text.strip())
    except ValueError:
        return None


class Unwell(Exception):
    """An order that was carried out and has brought something bad to light, in words."""


class Pages(ChangeList):  # type: ignore[misc]
    """A list that says itself how many rows it has, for a language may have three words for it."""

    def elided(self) -> Iterator[int | str]:
        pages: Iterator[int | str] = self.paginator.get_elided_page_range(self.page_num)
        return pages

    def counted(self) -> str:
        return said("list.most" if self.result_count >= MOST else f"{self.opts.model_name}.counted", self.result_count)


@dataclass(frozen=True)
class Headline:
    """What unfold takes for the row on show: it names the row at the head of the page, and the list it is from."""

    _meta: Any
    pk: UUID
    title: str

    def __str__(self) -> str:
        return self.title


def name_model(model: type[Model]) -> None:
    """Models know no language: what they are called is said here, on the class alone, which no migration sees."""
    model._meta.verbose_name = later(f"{model._meta.model_name}.one")
    model._meta.verbose_name_plural = later(f"{model._meta.model_name}.many")


class ReadOnlyAdmin(ModelAdmin):  # type: ignore[misc]
    """No form anywhere. `template` shows one row; `orders` are what may be done to it, and who may."""

    template = ""
    orders: dict[str, str] = {}  # name: the permission it takes
    paginator = CappedPaginator
    show_full_result_count = False
    show_facets = ShowFacets.NEVER  # nor is every choice of a filter counted
    list_per_page = 50
    actions = None
    change_list_template = "players/list.html"

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[Pages]:  # noqa: ARG002
        return Pages

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False

    def get_urls(self) -> list[Any]:
        order = path("<uuid:pk>/order/", self.admin_site.admin_view(self.order_view), name=self._name("order"))
        return [order, *super().get_urls()]

    def _name(self, view: str) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}_{view}"

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",  # noqa: ARG002
        extra_context: Any = None,  # noqa: ARG002
    ) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        pk = uuid_or_none(object_id)
        shown = self.shown(request, pk) if pk else None
        if pk is None or shown is None:
            gone: HttpResponse = self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
            return gone
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "object": Headline(self.opts, pk, shown["title"]),
            "orders": [name for name in self.orders if self.may(request, name)],
            "order_url": reverse(f"admin:{self._name('order')}", args=[pk]),
            **shown,
        }
        return TemplateResponse(request, self.template, context)

    def shown(self, request: HttpRequest, pk: UUID) -> dict[str, Any] | None:
        """What the page of one row shows; None: there is no such row."""
        raise NotImplementedError

    def may(self, request: HttpRequest, order: str) -> bool:
        return request.user.has_perm(self.orders[order])

    def order_view(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Whatever comes of it is told on the page it was given on."""
        name = request.POST.get("order", "")
        if request.method != "POST" or name not in self.orders or not self.may(request, name):
            raise PermissionDenied
        try:
            self.message_user(request, self.carry_out(request, pk, name), messages.SUCCESS)
        except Unwell as error:
            self.message_user(request, str(error), messages.ERROR)
        except Exception as error:
            told = next((told for explain in EXPLAINERS if (told := explain(error))), None)
            if told is None:
                raise
            self.message_user(request, told, messages.ERROR)
        return HttpResponseRedirect(self.where_to(pk))

    def where_to(self, pk: UUID) -> str:
        return reverse(f"admin:{self._name('change')}", args=[pk])

    def carry_out(self, request: HttpRequest, pk: UUID, order: str) -> str:
        """Does it, and says what was done."""
        raise NotImplementedError


def minute(moment: datetime | None) -> str | None:
    """A time in a list: as on all pages, and short."""
    return f"{moment:%Y-%m-%d %H:%M}" if moment else None


def column(name: str, order: str | None = None) -> Callable[[Any], Any]:
    """A column of a list, by the function that fills it and the name of its title."""

    def named(function: Any) -> Any:
        function.short_description, function.admin_order_field = later(name), order
        return function

    return named
