"""Base class of all admin pages: rows are read, and changed only by staff actions with a reason."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.admin import ShowFacets
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from unfold.admin import ModelAdmin

from players.admin.lists import CappedPaginator, CountedChangeList, uuid_or_none
from players.admin.staff import session_pages
from players.admin.texts import lazy_text
from players.models import Player


class ActionFailed(Exception):
    """A staff action that found something wrong; its text is shown as an error."""


@dataclass(frozen=True)
class PageObject:
    """The `object` of unfold's breadcrumbs: names the row and links to its list."""

    _meta: Any
    pk: UUID
    title: str

    def __str__(self) -> str:
        return self.title


def name_model(model: type[Model]) -> None:
    """Gives a model translated names on the class alone, so that no migration contains a language."""
    model._meta.verbose_name = lazy_text(f"{model._meta.model_name}.one")
    model._meta.verbose_name_plural = lazy_text(f"{model._meta.model_name}.many")


def staff_member(request: HttpRequest) -> Player:
    """The player who is logged in, on a page that only staff can open."""
    if not isinstance(request.user, Player):
        raise PermissionDenied
    return request.user


class ReadOnlyAdmin(ModelAdmin):  # type: ignore[misc]
    """A list and a page per row without any form but those of `staff_actions`.

    `template` renders the page of a row; `staff_actions` maps each action to the permission that it needs.
    Errors that `perform` raises are shown by `qwixx_service.admin.AdminMiddleware`.
    """

    template = ""
    staff_actions: dict[str, str] = {}
    sensitive: tuple[str, ...] = ()  # actions that ask for a code of the second factor
    paginator = CappedPaginator
    show_full_result_count = False
    show_facets = ShowFacets.NEVER  # facets would count every choice of every filter
    list_per_page = 50
    actions = None
    change_list_template = "players/list.html"

    def page_context(self, request: HttpRequest, pk: UUID) -> dict[str, Any] | None:
        """The template context of one row with its `title`, or None if there is no such row."""
        raise NotImplementedError

    def perform(self, request: HttpRequest, pk: UUID, action: str) -> str:
        """Performs a staff action and returns a message about its result."""
        raise NotImplementedError

    def success_url(self, pk: UUID) -> str:
        return reverse(f"admin:{self._url_name('change')}", args=[pk])

    def is_permitted(self, request: HttpRequest, action: str) -> bool:
        return action in self.staff_actions and request.user.has_perm(self.staff_actions[action])

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[CountedChangeList]:  # noqa: ARG002
        return CountedChangeList

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.action_view)
        return [path("<uuid:pk>/action/", view, name=self._url_name("action")), *super().get_urls()]

    def _url_name(self, view: str) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}_{view}"

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",  # noqa: ARG002
        extra_context: Any = None,  # noqa: ARG002
    ) -> HttpResponse:
        self.check_view_permission(request)
        pk = uuid_or_none(object_id)
        page = self.page_context(request, pk) if pk else None
        if pk is None or page is None:
            raise Http404
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "object": PageObject(self.opts, pk, page["title"]),
            "permitted": [action for action in self.staff_actions if self.is_permitted(request, action)],
            "sensitive": self.sensitive,
            "needs_code": bool(self.sensitive) and session_pages.needs_code(request),
            "action_url": reverse(f"admin:{self._url_name('action')}", args=[pk]),
            **page,
        }
        return TemplateResponse(request, self.template, context)

    def check_view_permission(self, request: HttpRequest) -> None:
        if not self.has_view_permission(request):
            raise PermissionDenied

    def action_view(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        action = request.POST.get("staff_action", "")
        if request.method != "POST" or not self.is_permitted(request, action):
            raise PermissionDenied
        if action in self.sensitive:
            session_pages.check_code(request)
        try:
            self.message_user(request, self.perform(request, pk, action), messages.SUCCESS)
        except ActionFailed as error:
            self.message_user(request, str(error), messages.ERROR)
        return HttpResponseRedirect(self.success_url(pk))
