"""Tournaments on the organiser's desk: drawn up in a form, run by buttons."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine import RulesError, rules_of
from engine.presets import playable
from matches.core.plan import board_overrides
from matches.desk import DeskAdmin, ReadOnlyAdmin, Verb
from matches.models import AgentStatus, Player, User
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import TournamentStatus, may_move
from tournaments.models import Entry, StandingsSnapshot, Tournament
from tournaments.options import OptionsField
from tournaments.services import drawing_up, entries, publishing, running


class TournamentForm(forms.ModelForm):
    overrides = OptionsField(label=gettext_lazy("Other options"), required=False, widget=forms.Textarea({"rows": 3}))
    rules = forms.ChoiceField(label=gettext_lazy("Rules"), help_text=gettext_lazy("a preset of the rule book"))

    class Meta:
        model = Tournament
        fields = list(drawing_up.DRAWN_UP)
        widgets = {"description": forms.Textarea({"rows": 4})}

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        rules = self.fields.get("rules")
        if isinstance(rules, forms.ChoiceField):
            rules.choices = [(name, name) for name in playable()]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if {"rules", "overrides", "deals"} <= cleaned.keys():
            try:
                rules_of(cleaned["rules"], board_overrides({**cleaned["overrides"], "deals": cleaned["deals"]}))
            except RulesError as error:
                self.add_error("overrides", str(error))
        return cleaned


class EntryInline(admin.TabularInline):
    model = Entry
    extra = 0
    can_delete = False
    fields = ["number", "name", "agent", "status"]
    readonly_fields = ["number", "name", "agent", "status"]

    def has_add_permission(self, request: HttpRequest, obj: Tournament | None = None) -> bool:
        return False


class EnterForm(forms.Form):
    players = forms.ModelMultipleChoiceField(
        Player.objects.none(), label=gettext_lazy("Players"), widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, tournament: Tournament, *arguments: Any) -> None:
        super().__init__(*arguments)
        ready = Player.objects.filter(agents__status=AgentStatus.ACTIVE)
        self.choice.queryset = ready.exclude(memberships__tournament=tournament).distinct()

    @property
    def choice(self) -> forms.ModelMultipleChoiceField:
        return cast(forms.ModelMultipleChoiceField, self.fields["players"])


def _becomes(new: TournamentStatus) -> Any:
    return lambda tournament: may_move(TournamentStatus(tournament.status), new)


def _status_is(*statuses: TournamentStatus) -> Any:
    return lambda tournament: tournament.status in statuses


def _cancel(tournament: Tournament, request: HttpRequest) -> None:
    running.cancel(tournament.pk, request.POST.get("reason", ""))


_S = TournamentStatus


@admin.register(Tournament)
class TournamentAdmin(DeskAdmin):
    list_display = ["name", "status", "rules", "organiser", "created_at"]
    list_filter = ["status"]
    list_select_related = ["organiser"]
    search_fields = ["name", "slug"]
    prepopulated_fields = {"slug": ["name"]}
    form = TournamentForm
    inlines = [EntryInline]
    refusals = (TournamentError,)
    change_form_template = "admin/tournaments/tournament/change_form.html"
    verbs = (
        Verb(
            "open",
            gettext_lazy("Open registration"),
            lambda tournament, request: entries.open_registration(tournament.pk),
            _becomes(_S.REGISTRATION),
        ),
        Verb(
            "start",
            gettext_lazy("Start"),
            lambda tournament, request: running.start(tournament.pk),
            _status_is(_S.DRAFT, _S.REGISTRATION),
        ),
        Verb(
            "pause",
            gettext_lazy("Pause"),
            lambda tournament, request: running.pause(tournament.pk),
            _becomes(_S.PAUSED),
        ),
        Verb(
            "resume",
            gettext_lazy("Go on"),
            lambda tournament, request: running.resume(tournament.pk),
            _status_is(_S.PAUSED),
        ),
        Verb(
            "publish",
            gettext_lazy("Publish the standings"),
            lambda tournament, request: publishing.publish(tournament.pk, cast(User, request.user)),
            _status_is(_S.RUNNING, _S.PAUSED, _S.FINISHED, _S.PUBLISHED),
        ),
        Verb(
            "cancel",
            gettext_lazy("Cancel the tournament"),
            _cancel,
            _becomes(_S.CANCELLED),
            is_grave=True,
            needs_reason=True,
        ),
    )

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        return {"organiser": request.user.pk, **super().get_changeform_initial_data(request)}

    def get_readonly_fields(self, request: HttpRequest, obj: Tournament | None = None) -> list[str]:
        if obj is None or not obj.is_frozen:
            return []
        return [name for name in drawing_up.DRAWN_UP if name not in drawing_up.ALWAYS_FREE]

    def get_prepopulated_fields(self, request: HttpRequest, obj: Tournament | None = None) -> dict[str, Any]:
        return {} if obj else dict(self.prepopulated_fields)

    def has_delete_permission(self, request: HttpRequest, obj: Tournament | None = None) -> bool:
        return super().has_delete_permission(request, obj) and obj is not None and not obj.is_frozen

    def save_model(self, request: HttpRequest, obj: Tournament, form: forms.ModelForm, change: bool) -> None:
        """A form that was loaded a while ago writes what was changed in it, and nothing of what it was loaded with."""
        if change:
            drawing_up.redraw(obj.pk, {name: form.cleaned_data[name] for name in form.changed_data})
        else:
            super().save_model(request, obj, form, change)

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.enter_players)
        return [path("<int:object_id>/enter/", view, name="tournaments_tournament_enter"), *super().get_urls()]

    def enter_players(self, request: HttpRequest, object_id: int) -> HttpResponse:
        """Ticks players off a list and enters them, each with his newest active version."""
        tournament = get_object_or_404(self.get_queryset(request), pk=object_id)
        if not self.has_change_permission(request, tournament):
            raise PermissionDenied
        form = EnterForm(tournament, request.POST or None)
        if request.method == "POST" and form.is_valid():
            self._enter(request, tournament, form.cleaned_data["players"])
            return redirect(reverse("admin:tournaments_tournament_change", args=[object_id]))
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "tournament": tournament,
            "form": form,
            "title": _("Enter players in “%(name)s”") % {"name": tournament},
        }
        return TemplateResponse(request, "admin/tournaments/tournament/enter.html", context)

    def _enter(self, request: HttpRequest, tournament: Tournament, players: Any) -> None:
        entered = 0
        for player in players:
            try:
                entries.enter_player(tournament.pk, player)
            except TournamentError as refusal:
                messages.error(request, str(refusal))
            else:
                entered += 1
        messages.success(request, _("%(count)d entered.") % {"count": entered})


@admin.register(Entry)
class EntryAdmin(ReadOnlyAdmin):
    list_display = ["tournament", "number", "name", "status"]
    list_filter = ["tournament"]
    list_select_related = ["tournament"]
    fields = ["tournament", "number", "name", "agent", "status"]
    refusals = (TournamentError,)
    verbs = ()

    def has_delete_permission(self, request: HttpRequest, obj: Entry | None = None) -> bool:
        may = super(ReadOnlyAdmin, self).has_delete_permission(request, obj)
        return may and obj is not None and not obj.tournament.is_frozen

    def delete_model(self, request: HttpRequest, obj: Entry) -> None:
        entries.leave(obj.pk)


@admin.register(StandingsSnapshot)
class StandingsSnapshotAdmin(ReadOnlyAdmin):
    list_display = ["tournament", "number", "matches_counted", "matches_total", "published_by", "published_at"]
    list_select_related = ["tournament", "published_by"]
    fields = ["tournament", "number", "matches_counted", "matches_total", "sha256", "published_by", "published_at"]
