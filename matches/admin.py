"""Matches on the organiser's desk: to be looked at, annulled, or given back to the workers."""

from __future__ import annotations

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from matches.core.lifecycle import MatchStatus, may_move
from matches.core.names import NameRefused
from matches.desk import DeskAdmin, ReadOnlyAdmin, Verb
from matches.models import Agent, Match, MatchSeat, Outbox, Player, PlayerKind, Result, User
from matches.services.desk import IllegalMove, resume_match, void_match
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
        return ["public_id", "kind"] if obj and _may_change_hands(obj, request) else ["public_id", "kind", "owner"]

    def has_add_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        return False


class MatchSeatInline(admin.TabularInline):
    model = MatchSeat
    extra = 0
    can_delete = False
    fields = ["index", "agent"]
    readonly_fields = ["index", "agent"]

    def has_add_permission(self, request: HttpRequest, obj: Match | None = None) -> bool:
        return False


def _void(match: Match, request: HttpRequest) -> None:
    reason = request.POST.get("reason", "").strip()
    if not reason:
        raise IllegalMove("Say why the match is void: the page shows it.")
    void_match(match.pk, reason)


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin):
    list_display = ["title", "round_number", "status", "status_reason", "rules", "created_at", "finished_at"]
    list_filter = ["status", "control"]
    search_fields = ["title", "public_id"]
    fields = [
        "title",
        "public_id",
        "status",
        "status_reason",
        "rules",
        "overrides",
        "boards_planned",
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
    inlines = [MatchSeatInline]
    refusals = (IllegalMove,)
    verbs = (
        Verb(
            "resume",
            _("Give it back to the workers"),
            lambda match, request: resume_match(match.pk),
            lambda match: match.status == MatchStatus.STALLED,
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


@admin.register(Result)
class ResultAdmin(ReadOnlyAdmin):
    list_display = ["__str__", "forfeited_parties", "recorded_at"]
    list_select_related = ["match"]
    fields = ["match", "forfeited_parties", "recorded_at"]


@admin.register(Outbox)
class OutboxAdmin(ReadOnlyAdmin):
    list_display = ["kind", "match", "consumer", "attempts", "created_at", "delivered_at"]
    list_filter = [("delivered_at", admin.EmptyFieldListFilter), "kind", "consumer"]
    list_select_related = ["match"]
    fields = ["kind", "match", "consumer", "attempts", "last_error", "next_try_at", "created_at", "delivered_at"]
