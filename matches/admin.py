"""Matches on the organiser's desk: to be made, looked at, annulled, or given back to the workers."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin import helpers
from django.contrib.auth.admin import UserAdmin
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from matches.core.agreement import ScoreRefused, parse_score
from matches.core.lifecycle import MatchStatus, may_move
from matches.core.names import NameRefused
from matches.desk import DeskAdmin, ReadOnlyAdmin, Verb
from matches.directing import enter_ruling
from matches.models import Agent, Match, MatchSeat, Outbox, Player, PlayerKind, Result, ScoreReport, User
from matches.organising.forms import MatchForm
from matches.organising.views import made_words
from matches.rules_form import rules_in_words
from matches.services.desk import IllegalMove, resume_match, void_match
from matches.services.players import person
from matches.services.reports import ReportRefused
from matches.services.versions import free_name

admin.site.register(User, UserAdmin)


class AgentInline(admin.TabularInline):
    model = Agent
    extra = 0
    can_delete = False
    fields = ["label", "kind", "status", "status_reason", "created_at"]
    readonly_fields = ["label", "kind", "status", "status_reason", "created_at"]

    def has_add_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        return False


def _may_change_hands(player: Player, request: HttpRequest) -> bool:
    """An owner reads the secrets of his program: once there is one, only a superuser gives it to another."""
    is_superuser = isinstance(request.user, User) and request.user.is_superuser
    return player.kind != PlayerKind.HOUSE and (player.owner_id is None or is_superuser)


class PlayerForm(forms.ModelForm):
    class Meta:
        model = Player
        fields = ["name", "owner"]

    def clean_name(self) -> str:
        try:
            return free_name(self.cleaned_data["name"], but=self.instance)
        except NameRefused as refusal:
            raise forms.ValidationError(str(refusal), refusal.code) from refusal


@admin.register(Player)
class PlayerAdmin(DeskAdmin):
    list_display = ["name", "kind", "owner", "created_at"]
    list_filter = ["kind"]
    search_fields = ["name", "owner__username"]
    list_select_related = ["owner"]
    form = PlayerForm
    fields = ["name", "kind", "owner", "public_id"]
    inlines = [AgentInline]

    def get_readonly_fields(self, request: HttpRequest, obj: Player | None = None) -> list[str]:
        kept = obj is not None and not _may_change_hands(obj, request)
        return ["public_id", "kind", "owner"] if kept else ["public_id", "kind"]

    def save_model(self, request: HttpRequest, obj: Player, form: forms.ModelForm, change: bool) -> None:
        """Who is added here is a person; programs are registered, and the house has its own."""
        if change:
            super().save_model(request, obj, form, change)
            return
        made = person(obj.name, obj.owner)
        obj.pk, obj.kind, obj.public_id = made.pk, made.kind, made.public_id

    def has_delete_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        return False


class MatchSeatInline(admin.TabularInline):
    model = MatchSeat
    extra = 0
    can_delete = False
    fields = ["index", "side", "agent"]
    readonly_fields = ["index", "side", "agent"]

    def has_add_permission(self, request: HttpRequest, obj: Match | None = None) -> bool:
        return False


def _void(match: Match, request: HttpRequest) -> None:
    reason = request.POST.get("reason", "").strip()
    if not reason:
        raise IllegalMove("Say why the match is void: the page shows it.")
    void_match(match.pk, reason)


def _rule(match: Match, request: HttpRequest) -> None:
    """The score as text: 2:1, or +:- where a side did not come."""
    score = parse_score(request.POST.get("score", ""))
    enter_ruling(match, cast(User, request.user), score, request.POST.get("reason", ""))


class ScoreReportInline(admin.TabularInline):
    model = ScoreReport
    fk_name = "match"
    extra = 0
    can_delete = False
    fields = ["version", "kind", "side", "points", "parties", "absent", "status", "reason", "submitter", "created_at"]
    readonly_fields = [
        "version",
        "kind",
        "side",
        "points",
        "parties",
        "absent",
        "status",
        "reason",
        "submitter",
        "created_at",
    ]

    def has_add_permission(self, request: HttpRequest, obj: Match | None = None) -> bool:
        return False


MATCH_FIELDSETS: list[Any] = [
    (_("Rules"), {"fields": ["rules", "overrides", "save_as"]}),
    (
        _("Who plays"),
        {
            "fields": ["seat_1", "seat_2", "seat_3", "seat_4", "title"],
            "description": _(
                "As many seats as the table has, clockwise. In pairs partners sit opposite: seats 1 and 3, seats 2 "
                "and 4; one version may play both hands of a pair."
            ),
        },
    ),
    (_("A match"), {"fields": ["length", "boards", "deals", "control", "strict", "rated"]}),
]


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin):
    list_display = ["title", "round_number", "status", "status_reason", "rules", "created_at", "finished_at"]
    list_filter = ["status", "is_reported", "control"]
    search_fields = ["title", "public_id"]
    fields = [
        "title",
        "public_id",
        "status",
        "status_reason",
        "rules",
        "rules_in_words",
        "length",
        "boards_planned",
        "is_reported",
        "control",
        "strict",
        "forfeit_points",
        "round_number",
        "rated",
        "attempts",
        "lease_owner",
        "lease_until",
        "created_at",
        "started_at",
        "finished_at",
    ]
    inlines = [MatchSeatInline, ScoreReportInline]
    refusals = (IllegalMove, ReportRefused, ScoreRefused)
    verbs = (
        Verb(
            "resume",
            _("Give it back to the workers"),
            lambda match, request: resume_match(match.pk),
            lambda match: match.status == MatchStatus.STALLED,
        ),
        Verb(
            "rule",
            _("Rule how it ended"),
            _rule,
            lambda match: match.status != MatchStatus.VOID,
            needs_score=True,
            needs_reason=True,
        ),
        Verb(
            "void",
            _("Declare it void"),
            _void,
            lambda match: may_move(MatchStatus(match.status), MatchStatus.VOID),
            is_grave=True,
            needs_reason=True,
        ),
    )

    @admin.display(description=_("in words"))
    def rules_in_words(self, match: Match) -> str:
        return rules_in_words(match.rules, match.overrides)

    def has_add_permission(self, request: HttpRequest, obj: Match | None = None) -> bool:
        """A match is drawn up in a form of its own; nobody edits one that is there."""
        return super(ReadOnlyAdmin, self).has_add_permission(request)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Without buttons to save: there is nothing here that could be."""
        unsaved = dict.fromkeys(("show_save", "show_save_and_continue", "show_save_and_add_another"), False)
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), **unsaved})

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Makes a match from versions, rules and a plan."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = MatchForm(request.POST if request.method == "POST" else None, owner=cast(User, request.user))
        if form.is_valid() and (made := self._made(request, form)):
            return made
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "form": form,
            "adminform": helpers.AdminForm(cast(Any, form), MATCH_FIELDSETS, {}, model_admin=self),
            "title": gettext("Make a match"),
            **(extra_context or {}),
        }
        return TemplateResponse(request, "admin/matches/match/new.html", context)

    def _made(self, request: HttpRequest, form: MatchForm) -> HttpResponse | None:
        with transaction.atomic():
            match = form.create()
            if match is None:
                return None
            self.log_addition(request, match, [{"added": {}}])
        messages.success(request, made_words(match))
        return redirect(reverse("admin:matches_match_change", args=[match.pk]))


@admin.register(Result)
class ResultAdmin(ReadOnlyAdmin):
    list_display = ["__str__", "kind", "forfeited_parties", "recorded_at"]
    list_select_related = ["match"]
    fields = ["match", "kind", "report", "forfeited_parties", "recorded_at"]


@admin.register(ScoreReport)
class ScoreReportAdmin(ReadOnlyAdmin):
    list_display = ["match", "version", "kind", "side", "points", "absent", "status", "submitter", "created_at"]
    list_filter = ["status", "kind"]
    search_fields = ["match__title", "match__public_id"]
    list_select_related = ["match", "submitter"]
    fields = [
        "match",
        "version",
        "kind",
        "side",
        "points",
        "parties",
        "absent",
        "status",
        "reason",
        "submitter",
        "confirmed_by",
        "created_at",
        "settled_at",
    ]


@admin.register(Outbox)
class OutboxAdmin(ReadOnlyAdmin):
    list_display = ["kind", "match", "consumer", "attempts", "created_at", "delivered_at"]
    list_filter = [("delivered_at", admin.EmptyFieldListFilter), "kind", "consumer"]
    list_select_related = ["match"]
    fields = ["kind", "match", "consumer", "attempts", "last_error", "next_try_at", "created_at", "delivered_at"]
