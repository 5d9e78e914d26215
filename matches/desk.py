"""What the organiser's desk has in common: read-only rows, verbs as buttons, errors as messages.

The desk is one zone of trust: whoever is staff and has Django's permission for a kind of row has it for every row of
that kind, whoever organises or owns it. A verb needs the permission to change. What nobody may do, such as to edit a
result, is refused whatever the permissions say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import get_object_or_404, redirect
from django.urls import path, reverse
from django.utils.translation import gettext as _

Refusal = type[Exception]
SAVING = ("show_save", "show_save_and_continue", "show_save_and_add_another")


@dataclass(frozen=True, slots=True)
class Verb:
    """A button on a row's page: what it says, when it stands there, the one service that it calls."""

    name: str
    label: Any
    call: Callable[[Any, HttpRequest], object]
    stands_for: Callable[[Any], bool]
    is_grave: bool = False
    needs_reason: bool = False
    needs_score: bool = False


class DeskAdmin(admin.ModelAdmin):
    """A model whose changes are verbs. `verbs` become buttons of the change page; `refusals` become messages."""

    verbs: Sequence[Verb] = ()
    refusals: tuple[Refusal, ...] = ()
    change_form_template = "admin/desk_change_form.html"

    def get_urls(self) -> list[Any]:
        name = f"{self.opts.app_label}_{self.opts.model_name}_verb"
        own = [path("<int:object_id>/do/<str:verb>/", self.admin_site.admin_view(self.do), name=name)]
        return own + super().get_urls()

    def do(self, request: HttpRequest, object_id: int, verb: str) -> HttpResponse:
        """Carries out a verb by POST and returns to the row's page."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        row = get_object_or_404(self.get_queryset(request), pk=object_id)
        chosen = next((one for one in self.verbs if one.name == verb and one.stands_for(row)), None)
        if not self.has_change_permission(request, row):
            messages.error(request, _("You may not change this."))
        elif chosen is None:
            messages.error(request, _("That cannot be done any more: the page was out of date."))
        else:
            self._carry_out(request, chosen, row)
        return redirect(reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[object_id]))

    def _carry_out(self, request: HttpRequest, verb: Verb, row: Any) -> None:
        try:
            told = verb.call(row, request)
        except self.refusals as refusal:
            messages.error(request, str(refusal))
        else:
            self.log_change(request, row, f"{verb.name}")
            messages.success(request, told if isinstance(told, str) else _("Done: %(verb)s.") % {"verb": verb.label})

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except self.refusals as refusal:
            return self._refused(request, refusal)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        try:
            return super().delete_view(request, object_id, extra_context)
        except self.refusals as refusal:
            return self._refused(request, refusal)

    def _refused(self, request: HttpRequest, refusal: Exception) -> HttpResponse:
        """A service said no to what the page still offered, since the row has moved on meanwhile."""
        messages.error(request, str(refusal))
        return redirect(reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist"))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        row = self.get_object(request, object_id)
        standing = [verb for verb in self.verbs if row is not None and verb.stands_for(row)]
        may = row is not None and self.has_change_permission(request, row)
        context = {**(extra_context or {}), "verbs": standing if may else []}
        return super().change_view(request, object_id, form_url, context)


class ReadOnlyAdmin(DeskAdmin):
    """Rows that services write and nobody edits; their verbs still stand."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        if self.fields:
            return [str(name) for name in self.fields]
        return [field.name for field in self.opts.fields if field.editable or field.auto_created]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Without buttons that would save nothing."""
        context = {**dict.fromkeys(SAVING, False), **(extra_context or {})}
        return super().change_view(request, object_id, form_url, context)
