"""The forms in which an owner registers programs and versions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from bots_api.addresses import AddressRefused, check_url
from bots_api.models import Bot, BotVersion, ChallengePolicy
from bots_api.services import add_version
from bots_api.services.registering import BotRefused, change_bot, register_bot
from matches.core.names import NameRefused
from matches.models import User

PUSH, PULL = "push", "pull"
WAYS = (
    (PULL, gettext_lazy("My program calls Manela: it needs no address, and plays from behind any router")),
    (PUSH, gettext_lazy("Manela calls my program: it is a web server with an address of its own")),
)


class BotForm(forms.Form):
    """A new program, or with `bot` the changes of one that is there; its name stays."""

    name = forms.CharField(
        label=gettext_lazy("Name"), max_length=60, help_text=gettext_lazy("As standings show it; it cannot be changed.")
    )
    about = forms.CharField(
        label=gettext_lazy("About"),
        required=False,
        max_length=2_000,
        widget=forms.Textarea({"rows": 4}),
        help_text=gettext_lazy("For everybody to read: how it plays, who wrote it."),
    )
    challenges = forms.ChoiceField(
        label=gettext_lazy("When another program challenges it, it"),
        choices=ChallengePolicy.choices,
        initial=ChallengePolicy.ALL.value,
    )

    def __init__(self, typed: Mapping[str, Any] | None = None, bot: Bot | None = None) -> None:
        super().__init__(typed, initial={"about": bot.about, "challenges": bot.challenges} if bot else {})
        self.bot = bot
        if bot:
            del self.fields["name"]

    def register(self, owner: User) -> Bot | None:
        """The new program; None if it was refused, which the form then says."""
        chosen = self.cleaned_data
        try:
            return register_bot(chosen["name"], owner, chosen["about"], ChallengePolicy(chosen["challenges"]))
        except NameRefused as refusal:
            self.add_error("name", str(refusal))
        except BotRefused as refusal:
            self.add_error(None, str(refusal))
        return None

    def change(self, bot: Bot) -> None:
        change_bot(bot, about=self.cleaned_data["about"], challenges=ChallengePolicy(self.cleaned_data["challenges"]))


class VersionForm(forms.Form):
    """Another version of a program."""

    label = forms.CharField(
        label=gettext_lazy("Version"), max_length=40, help_text=gettext_lazy("Such as v1: results stand beside it.")
    )
    way = forms.ChoiceField(label=gettext_lazy("Who calls whom"), choices=WAYS, widget=forms.RadioSelect, initial=PULL)
    url = forms.CharField(
        label=gettext_lazy("Address"),
        required=False,
        max_length=500,
        widget=forms.URLInput({"placeholder": "https://", "autocomplete": "off"}),
        help_text=gettext_lazy("If Manela calls your program. Another address is another version."),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("way") == PUSH:
            self._check_address(cleaned.get("url") or "")
        elif cleaned.get("way") == PULL and cleaned.get("url"):
            told = _("Choose “Manela calls my program” above, or clear this: a program that calls us needs no address.")
            self.add_error("url", told)
        return cleaned

    def _check_address(self, url: str) -> None:
        if not url:
            self.add_error("url", _("Where is it to be called? Or choose that it calls us."))
            return
        try:
            check_url(url, allow_http=settings.PUSH_ALLOW_HTTP, allow_loopback=settings.PUSH_ALLOW_LOOPBACK)
        except AddressRefused as refusal:
            self.add_error("url", str(refusal))

    def add_to(self, bot: Bot) -> BotVersion | None:
        """The new version; None if it was refused, which the form then says."""
        try:
            return add_version(bot, self.cleaned_data["label"], self.cleaned_data["url"])
        except AddressRefused as refusal:
            self.add_error("url", str(refusal))
        except BotRefused as refusal:
            self.add_error("label", str(refusal))
        return None
