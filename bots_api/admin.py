"""Programs on the desk: registered with an owner, given versions, admitted by a ping. Logs and secrets are not here."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from bots_api.addresses import AddressRefused, check_url
from bots_api.models import ApiToken, Bot, BotVersion
from bots_api.services import add_version, ping, register_bot
from bots_api.tokens import revoke
from matches.core.names import NameRefused
from matches.desk import DeskAdmin, ReadOnlyAdmin, Verb
from matches.models import AgentStatus, User
from matches.services.versions import free_name, set_status


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
    url = forms.URLField(label=gettext_lazy("Address"), max_length=500, assume_scheme="https")

    class Meta:
        model = BotVersion
        fields = ["bot", "label", "url"]

    def clean_url(self) -> str:
        url: str = self.cleaned_data["url"]
        try:
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
        set_status(version.agent_id, AgentStatus.ACTIVE)
        return _("It answered in %(ms)d ms and may play.") % {"ms": delivery.elapsed_ms}
    raise AddressRefused(_("No good answer: %(detail)s") % {"detail": delivery.detail or delivery.outcome})


def _retire(version: BotVersion, request: HttpRequest) -> None:
    set_status(version.agent_id, AgentStatus.RETIRED, _("retired at the desk"))


@admin.register(BotVersion)
class BotVersionAdmin(ReadOnlyAdmin):
    list_display = ["agent", "status", "created_at"]
    list_select_related = ["agent__player"]
    fields = ["agent", "status", "created_at"]
    refusals = (AddressRefused,)
    verbs = (
        Verb("ping", gettext_lazy("Ping it and admit it"), _ping, lambda version: version.agent.status != "retired"),
        Verb(
            "retire",
            gettext_lazy("Retire it"),
            _retire,
            lambda version: version.agent.status != "retired",
            is_grave=True,
        ),
    )

    @admin.display(description=gettext_lazy("status"))
    def status(self, version: BotVersion) -> str:
        return version.agent.get_status_display()

    def has_add_permission(self, request: HttpRequest, obj: BotVersion | None = None) -> bool:
        return super(ReadOnlyAdmin, self).has_add_permission(request)

    def get_fields(self, request: HttpRequest, obj: BotVersion | None = None) -> list[Any]:
        return ["agent", "status", "created_at"] if obj else ["bot", "label", "url"]

    def get_readonly_fields(self, request: HttpRequest, obj: BotVersion | None = None) -> list[str]:
        return ["agent", "status", "created_at"] if obj else []

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
