"""Tournaments on the organiser's desk: drawn up in a form, run by buttons."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from matches.core.names import LONGEST, NameRefused, parse_name
from matches.desk import DeskAdmin, ReadOnlyAdmin, Verb
from matches.models import Agent, AgentStatus, Player, User
from matches.rules_form import rules_in_words
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import TournamentStatus, may_move
from tournaments.forms import TournamentForm
from tournaments.models import Entry, StandingsSnapshot, Tournament, Venue, VenueTable
from tournaments.services import drawing_up, entries, publishing, running
from tournaments.services.members import newest_version


class EntryInline(admin.TabularInline):
    model = Entry
    extra = 0
    can_delete = False
    fields = ["number", "name", "versions", "status"]
    readonly_fields = ["number", "name", "versions", "status"]

    def has_add_permission(self, request: HttpRequest, obj: Tournament | None = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entry]:
        return super().get_queryset(request).prefetch_related("members__agent__player")

    @admin.display(description=gettext_lazy("versions"))
    def versions(self, entry: Entry) -> str:
        return versions_of(entry)


def versions_of(entry: Entry) -> str:
    """Who plays each hand, in the order of the hands."""
    return ", ".join(str(member.agent) for member in entry.members.all())


class EnterForm(forms.Form):
    """Players who are not entered yet; in pairs also who plays with whom."""

    players = forms.ModelMultipleChoiceField(
        Player.objects.none(),
        label=gettext_lazy("Players"),
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("Each becomes an entry with his newest active version."),
    )

    def __init__(self, tournament: Tournament, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.choice.queryset = _ready_for(tournament)

    @property
    def choice(self) -> forms.ModelMultipleChoiceField:
        return cast(forms.ModelMultipleChoiceField, self.fields["players"])


class EnterPairForm(forms.Form):
    """One pair: two players, or one whose program plays both hands."""

    first = forms.ModelChoiceField(Player.objects.none(), label=gettext_lazy("First hand"))
    second = forms.ModelChoiceField(
        Player.objects.none(),
        label=gettext_lazy("Second hand"),
        required=False,
        empty_label=gettext_lazy("the same, playing both hands"),
    )
    name = forms.CharField(
        label=gettext_lazy("Name of the pair"),
        required=False,
        max_length=LONGEST,
        help_text=gettext_lazy("By default the names of both."),
    )

    def __init__(self, tournament: Tournament, *arguments: Any) -> None:
        super().__init__(*arguments)
        for name in ("first", "second"):
            cast(forms.ModelChoiceField, self.fields[name]).queryset = _ready_for(tournament)

    def clean_name(self) -> str:
        if not self.cleaned_data["name"]:
            return ""
        try:
            return parse_name(self.cleaned_data["name"])
        except NameRefused as refusal:
            raise forms.ValidationError(str(refusal), refusal.code) from refusal

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("first") is not None and cleaned["first"] == cleaned.get("second"):
            self.add_error("second", _("Leave this empty for a program that plays both hands."))
        return cleaned

    @property
    def chosen(self) -> list[Agent]:
        """The newest active version of each; raises TournamentError if one has none any more."""
        players = [self.cleaned_data["first"], self.cleaned_data["second"]]
        return [newest_version(player) for player in players if player]


def _ready_for(tournament: Tournament) -> QuerySet[Player]:
    ready = Player.objects.filter(agents__status=AgentStatus.ACTIVE)
    return ready.exclude(memberships__tournament=tournament).distinct()


def _becomes(new: TournamentStatus) -> Any:
    return lambda tournament: may_move(TournamentStatus(tournament.status), new)


def _status_is(*statuses: TournamentStatus) -> Any:
    return lambda tournament: tournament.status in statuses


def _enter_house(tournament: Tournament, request: HttpRequest) -> str:
    entered = entries.enter_house(tournament.pk, cast(User, request.user))
    if not entered:
        return _("Every house program that plays these rules is entered already.")
    return _("Entered: %(names)s.") % {"names": ", ".join(map(str, entered))}


def _cancel(tournament: Tournament, request: HttpRequest) -> None:
    running.cancel(tournament.pk, request.POST.get("reason", ""), cast(User, request.user))


_S = TournamentStatus
RULES_IN_WORDS = "rules_in_words"


@admin.register(Tournament)
class TournamentAdmin(DeskAdmin):
    list_display = ["name", "status", "rules", "organiser", "created_at"]
    list_filter = ["status"]
    list_select_related = ["organiser"]
    search_fields = ["name", "slug"]
    prepopulated_fields = {"slug": ["name"]}
    form = TournamentForm
    fieldsets = (
        (None, {"fields": ["name", "slug", "description", "organiser"]}),
        (gettext_lazy("Rules"), {"fields": ["rules", "overrides", "save_as"]}),
        (gettext_lazy("A match"), {"fields": ["length", "boards", "deals", "control", "strict"]}),
        (gettext_lazy("Entries"), {"fields": ["entries_are", "late_until_round"]}),
        (gettext_lazy("Rounds"), {"fields": ["auto_draw", "starts_at", "venue"]}),
        (
            gettext_lazy("Standings"),
            {
                "fields": [
                    "count",
                    ("win_points", "draw_points", "loss_points"),
                    "tie_breaks",
                    "rated",
                    "auto_publish",
                ]
            },
        ),
    )
    inlines = [EntryInline]
    refusals = (TournamentError,)
    change_form_template = "admin/tournaments/tournament/change_form.html"
    verbs = (
        Verb(
            "open",
            gettext_lazy("Open registration"),
            lambda tournament, request: entries.open_registration(tournament.pk, cast(User, request.user)),
            _becomes(_S.REGISTRATION),
        ),
        Verb(
            "check_in",
            gettext_lazy("Open check-in"),
            lambda tournament, request: running.open_check_in(tournament.pk, cast(User, request.user)),
            _becomes(_S.CHECK_IN),
        ),
        Verb(
            "house",
            gettext_lazy("Add house programs"),
            _enter_house,
            _status_is(_S.DRAFT, _S.REGISTRATION),
        ),
        Verb(
            "start",
            gettext_lazy("Start"),
            lambda tournament, request: running.start(tournament.pk, by=cast(User, request.user)),
            _status_is(_S.DRAFT, _S.REGISTRATION, _S.CHECK_IN),
        ),
        Verb(
            "pause",
            gettext_lazy("Pause"),
            lambda tournament, request: running.pause(tournament.pk, cast(User, request.user)),
            _becomes(_S.PAUSED),
        ),
        Verb(
            "resume",
            gettext_lazy("Go on"),
            lambda tournament, request: running.resume(tournament.pk, cast(User, request.user)),
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

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **options: Any) -> Any:
        form: Any = super().get_form(request, obj, change, **options)
        form.owner = request.user  # the class was made for this request
        return form

    def get_readonly_fields(self, request: HttpRequest, obj: Tournament | None = None) -> list[str]:
        if self._may_draw_up(request, obj):
            return []
        fixed = [name for name in drawing_up.DRAWN_UP if name not in drawing_up.ALWAYS_FREE]
        return [RULES_IN_WORDS, *fixed]

    def get_fieldsets(self, request: HttpRequest, obj: Tournament | None = None) -> Any:
        """What froze is read and no longer chosen: the rules stand there as sentences."""
        if self._may_draw_up(request, obj):
            return self.fieldsets
        read = (gettext_lazy("Rules"), {"fields": ["rules", RULES_IN_WORDS]})
        return tuple(
            read if "overrides" in options["fields"] else (title, options) for title, options in self.fieldsets
        )

    def _may_draw_up(self, request: HttpRequest, obj: Tournament | None) -> bool:
        return obj is None or (not obj.is_frozen and self.has_change_permission(request, obj))

    @admin.display(description=gettext_lazy("in words"))
    def rules_in_words(self, tournament: Tournament) -> str:
        return rules_in_words(tournament.rules, tournament.match_overrides)

    def get_prepopulated_fields(self, request: HttpRequest, obj: Tournament | None = None) -> dict[str, Any]:
        return {} if obj else dict(self.prepopulated_fields)

    def has_delete_permission(self, request: HttpRequest, obj: Tournament | None = None) -> bool:
        return super().has_delete_permission(request, obj) and obj is not None and not obj.is_frozen

    def save_model(self, request: HttpRequest, obj: Tournament, form: forms.ModelForm, change: bool) -> None:
        """A form that was loaded a while ago writes what was changed in it, and nothing of what it was loaded with."""
        with transaction.atomic():
            if change:
                changed = [name for name in form.changed_data if name in drawing_up.DRAWN_UP]
                drawing_up.redraw(obj.pk, {name: form.cleaned_data[name] for name in changed})
            else:
                super().save_model(request, obj, form, change)
            if isinstance(form, TournamentForm) and not form.save_preset():
                refused = " ".join(map(str, form.errors["save_as"]))
                messages.warning(request, _("Saved, but without a preset of these rules: %(why)s") % {"why": refused})

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.enter_players)
        return [path("<int:object_id>/enter/", view, name="tournaments_tournament_enter"), *super().get_urls()]

    def enter_players(self, request: HttpRequest, object_id: int) -> HttpResponse:
        """Ticks players off a list and enters them, each with his newest active version."""
        tournament = get_object_or_404(self.get_queryset(request), pk=object_id)
        if not self.has_change_permission(request, tournament):
            raise PermissionDenied
        in_pairs = tournament.hands > 1
        pair = EnterPairForm(tournament, request.POST if "first" in request.POST else None) if in_pairs else None
        form = EnterForm(tournament, request.POST if request.method == "POST" and "first" not in request.POST else None)
        done = reverse("admin:tournaments_tournament_change", args=[object_id])
        if pair is not None and pair.is_valid():
            self._enter_pair(request, tournament, pair)
            return redirect(reverse("admin:tournaments_tournament_enter", args=[object_id]))
        if form.is_valid():
            self._enter(request, tournament, form.cleaned_data["players"])
            return redirect(done)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "tournament": tournament,
            "form": form,
            "pair": pair,
            "title": _("Enter players in “%(name)s”") % {"name": tournament},
        }
        return TemplateResponse(request, "admin/tournaments/tournament/enter.html", context)

    def _enter_pair(self, request: HttpRequest, tournament: Tournament, pair: EnterPairForm) -> None:
        try:
            entry = entries.enter(tournament.pk, *pair.chosen, name=pair.cleaned_data["name"] or None)
        except TournamentError as refusal:
            messages.error(request, str(refusal))
        else:
            messages.success(request, _("“%(name)s” is entered.") % {"name": entry})

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
    fields = ["tournament", "number", "name", "versions", "status"]
    refusals = (TournamentError,)
    verbs = ()

    @admin.display(description=gettext_lazy("versions"))
    def versions(self, entry: Entry) -> str:
        return versions_of(entry)

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


class VenueTableInline(admin.TabularInline):
    model = VenueTable
    extra = 4
    fields = ["name", "position"]


@admin.register(Venue)
class VenueAdmin(DeskAdmin):
    """Halls and their tables, which several tournaments may share; one where something is planned stays."""

    list_display = ["name", "address", "time_zone"]
    search_fields = ["name"]
    fields = ["name", "address", "time_zone"]
    inlines = [VenueTableInline]
