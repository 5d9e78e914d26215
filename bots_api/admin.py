"""Programs on the desk: registered, admitted, taken off the table and retired. Logs and secrets are not here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from bots_api.addresses import AddressRefused, check_url
from bots_api.models import ApiToken, Bot, BotVersion, Challenge, ChallengeSeat, Qualification, QuarantinedBy, Webhook
from bots_api.qualifying.services import admit
from bots_api.services import add_version, ping, register_bot
from bots_api.services.registering import BotRefused
from bots_api.services.states import quarantine, retire
from bots_api.tokens import revoke
from bots_api.web.answers import line_of
from bots_api.webhooks.delivering import switch_off
from matches.core.names import NameRefused
from matches.desk import DeskAdmin, ReadOnlyAdmin, Verb
from matches.models import AgentStatus, User
from matches.services.versions import free_name

LONGEST_REASON = 200


class ReasonMissing(Exception):
    """A verb that takes a reason was sent without one."""


class BotForm(forms.ModelForm):
    name = forms.CharField(label=gettext_lazy("Name"), max_length=60, help_text=gettext_lazy("as standings show it"))
    owner = forms.ModelChoiceField(User.objects.filter(is_active=True), label=gettext_lazy("Owner"))

    class Meta:
        model = Bot
        fields = ["name", "owner", "about"]

    def clean_name(self) -> str:
        try:
            return free_name(self.cleaned_data["name"])
        except NameRefused as refusal:
            raise forms.ValidationError(str(refusal), refusal.code) from refusal


class VersionForm(forms.ModelForm):
    label = forms.CharField(label=gettext_lazy("Version"), max_length=40, help_text=gettext_lazy("such as v1"))
    url = forms.URLField(
        label=gettext_lazy("Address"),
        max_length=500,
        assume_scheme="https",
        required=False,
        help_text=gettext_lazy("nothing, if the program calls us; its owner makes its play token"),
    )

    class Meta:
        model = BotVersion
        fields = ["bot", "label", "url"]

    def clean_url(self) -> str:
        url: str = self.cleaned_data["url"]
        try:
            if url:
                check_url(url, allow_http=settings.PUSH_ALLOW_HTTP, allow_loopback=settings.PUSH_ALLOW_LOOPBACK)
        except AddressRefused as refusal:
            raise forms.ValidationError(str(refusal)) from refusal
        return url

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        bot, label = cleaned.get("bot"), cleaned.get("label")
        if bot and label and bot.player.agents.filter(label=label).exists():
            self.add_error("label", _("This program has a version of that name already."))
        return cleaned


@admin.register(Bot)
class BotAdmin(DeskAdmin):
    list_display = ["player", "owner", "created_at"]
    list_select_related = ["player__owner"]
    search_fields = ["player__name", "player__owner__username"]
    refusals = (BotRefused,)
    form = BotForm

    @admin.display(description=gettext_lazy("owner"))
    def owner(self, bot: Bot) -> str:
        return str(bot.player.owner)

    def get_fields(self, request: HttpRequest, obj: Bot | None = None) -> list[Any]:
        return ["player", "about"] if obj else ["name", "owner", "about"]

    def get_readonly_fields(self, request: HttpRequest, obj: Bot | None = None) -> list[str]:
        return ["player"] if obj else []

    def get_form(self, request: HttpRequest, obj: Bot | None = None, change: bool = False, **kwargs: Any) -> Any:
        if obj:
            kwargs["form"] = forms.ModelForm
        return super().get_form(request, obj, change, **kwargs)

    def save_model(self, request: HttpRequest, obj: Bot, form: forms.ModelForm, change: bool) -> None:
        if change:
            obj.save(update_fields=["about"])
            return
        made = register_bot(form.cleaned_data["name"], form.cleaned_data["owner"], form.cleaned_data["about"])
        obj.pk, obj.player, obj.public_id = made.pk, made.player, made.public_id

    def has_delete_permission(self, request: HttpRequest, obj: Bot | None = None) -> bool:
        return False


def _ping(version: BotVersion, request: HttpRequest) -> str:
    delivery = ping(version)
    if delivery.outcome == "ok":
        return _("It answered in %(ms)d ms.") % {"ms": delivery.elapsed_ms}
    raise AddressRefused(_("No good answer: %(detail)s") % {"detail": delivery.detail or delivery.outcome})


def _quarantine(version: BotVersion, request: HttpRequest) -> None:
    quarantine(version.agent_id, QuarantinedBy.DESK, reason_of(request))


def _retire(version: BotVersion, request: HttpRequest) -> None:
    retire(version, reason_of(request))


def reason_of(request: HttpRequest) -> str:
    """What was typed beside the verb; raises ReasonMissing for nothing."""
    reason = line_of(request.POST, "reason", LONGEST_REASON)
    if not reason:
        raise ReasonMissing(_("Say why: it is shown on the program's page."))
    return reason


def _is(*statuses: AgentStatus) -> Callable[[BotVersion], bool]:
    return lambda version: version.agent.status in statuses


SHOWN_OF_VERSION = ("agent", "status", "reason", "accepting", "created_at")
NEW, ACTIVE, QUARANTINED = AgentStatus.NEW, AgentStatus.ACTIVE, AgentStatus.QUARANTINED


@admin.register(BotVersion)
class BotVersionAdmin(ReadOnlyAdmin):
    list_display = SHOWN_OF_VERSION
    list_select_related = ["agent__player"]
    list_filter = ["agent__status"]
    search_fields = ["agent__player__name", "agent__public_id"]
    fields = SHOWN_OF_VERSION
    refusals = (AddressRefused, BotRefused, ReasonMissing)
    verbs = (
        Verb("ping", gettext_lazy("Ping it"), _ping, lambda row: not row.is_pull and row.agent.status != "retired"),
        Verb("admit", gettext_lazy("Admit it unexamined"), lambda row, request: admit(row), _is(NEW)),
        Verb("return", gettext_lazy("Let it return"), lambda row, request: admit(row), _is(QUARANTINED)),
        Verb("quarantine", gettext_lazy("Take it off the table"), _quarantine, _is(NEW, ACTIVE), needs_reason=True),
        Verb(
            "retire",
            gettext_lazy("Retire it"),
            _retire,
            _is(NEW, ACTIVE, QUARANTINED),
            is_grave=True,
            needs_reason=True,
        ),
    )

    @admin.display(description=gettext_lazy("reason"))
    def reason(self, version: BotVersion) -> str:
        return version.agent.status_reason

    @admin.display(description=gettext_lazy("takes new matches"), boolean=True)
    def accepting(self, version: BotVersion) -> bool:
        return version.is_accepting

    @admin.display(description=gettext_lazy("status"))
    def status(self, version: BotVersion) -> str:
        return version.agent.get_status_display()

    def has_add_permission(self, request: HttpRequest, obj: BotVersion | None = None) -> bool:
        return super(ReadOnlyAdmin, self).has_add_permission(request)

    def get_fields(self, request: HttpRequest, obj: BotVersion | None = None) -> list[Any]:
        return list(SHOWN_OF_VERSION) if obj else ["bot", "label", "url"]

    def get_readonly_fields(self, request: HttpRequest, obj: BotVersion | None = None) -> list[str]:
        return list(SHOWN_OF_VERSION) if obj else []

    def get_form(self, request: HttpRequest, obj: BotVersion | None = None, change: bool = False, **kwargs: Any) -> Any:
        kwargs["form"] = forms.ModelForm if obj else VersionForm
        return super().get_form(request, obj, change, **kwargs)

    def save_model(self, request: HttpRequest, obj: BotVersion, form: forms.ModelForm, change: bool) -> None:
        if change:
            return
        made = add_version(obj.bot, form.cleaned_data["label"], obj.url)
        obj.pk, obj.agent, obj.secret = made.pk, made.agent, made.secret


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    """Whose tokens there are and when they were used; owners make their own on their page."""

    list_display = ["owner", "name", "hint", "scopes", "expires_at", "last_used_at", "revoked_at"]
    list_select_related = ["owner"]
    fields = ["owner", "name", "hint", "scopes", "created_at", "expires_at", "last_used_at", "revoked_at"]
    verbs = (
        Verb(
            "revoke",
            gettext_lazy("Revoke"),
            lambda token, request: revoke(token),
            lambda token: token.revoked_at is None,
            is_grave=True,
        ),
    )


@admin.register(Qualification)
class QualificationAdmin(ReadOnlyAdmin):
    """That a version was examined, and how it ended. The cases, with requests and replies, are its owner's."""

    list_display = ["version", "status", "reason", "created_at", "finished_at"]
    list_select_related = ["version__agent__player"]
    list_filter = ["status"]
    fields = ["version", "status", "reason", "created_at", "started_at", "finished_at"]


class SeatInline(admin.TabularInline):
    model = ChallengeSeat
    fields = ["index", "agent", "answer"]
    readonly_fields = ["index", "agent", "answer"]
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Challenge)
class ChallengeAdmin(ReadOnlyAdmin):
    """Who challenged whom; its match, once there is one, has its own verbs."""

    list_display = ["public_id", "made_by", "status", "rules", "created_at"]
    list_select_related = ["made_by"]
    list_filter = ["status"]
    fields = ["made_by", "status", "reason", "rules", "length", "boards", "rated", "match", "created_at", "expires_at"]
    inlines = [SeatInline]


def _switch_off(webhook: Webhook, request: HttpRequest) -> None:
    reason = reason_of(request)
    with transaction.atomic():
        switch_off(Webhook.objects.select_for_update(no_key=True).get(pk=webhook.pk), reason)


@admin.register(Webhook)
class WebhookAdmin(ReadOnlyAdmin):
    """Where news goes to. What was sent and what came back is the owner's to read."""

    list_display = ["owner", "url", "is_active", "failing_since", "reason"]
    list_select_related = ["owner"]
    list_filter = ["is_active"]
    fields = ["owner", "url", "events", "tournament", "is_active", "failing_since", "reason", "created_at"]
    refusals = (ReasonMissing,)
    verbs = (
        Verb(
            "switch_off",
            gettext_lazy("Switch it off"),
            _switch_off,
            lambda webhook: webhook.is_active,
            is_grave=True,
            needs_reason=True,
        ),
    )
