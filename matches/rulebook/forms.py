"""The form of one's own preset."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from matches.core.names import LONGEST, NameRefused
from matches.models.saved_rules import SavedRules
from matches.rules_form import RulesPart
from matches.services.saved_rules import change_rules, free_rules_name, save_rules


class SavedRulesForm(RulesPart):
    """A name and rules. `saved`: the preset that is being changed; None makes a new one."""

    has_plan = False
    save_as = None  # type: ignore[assignment]  # the whole form is about that
    name = forms.CharField(label=gettext_lazy("Name"), max_length=LONGEST)
    field_order = ["name"]

    def __init__(self, *arguments: Any, saved: SavedRules | None = None, **options: Any) -> None:
        self.saved = saved
        if saved is not None:
            options["initial"] = {"name": saved.name, "rules": saved.rules, "overrides": saved.overrides}
        super().__init__(*arguments, **options)

    def clean_name(self) -> str:
        if self.owner is None:
            raise ValueError("a saved preset has an owner")
        try:
            return free_rules_name(self.owner, self.cleaned_data["name"], but=self.saved)
        except NameRefused as refusal:
            raise forms.ValidationError(str(refusal), refusal.code) from refusal

    def save(self) -> SavedRules | None:
        """Writes what was typed; None if the name was taken since the form looked at it, which it then says."""
        try:
            return self._write()
        except NameRefused as refusal:
            self.add_error("name", str(refusal))
            return None

    def _write(self) -> SavedRules:
        chosen = (self.cleaned_data["name"], self.cleaned_data["rules"], self.cleaned_data["overrides"])
        if self.saved is not None:
            return change_rules(self.saved.pk, *chosen)
        if self.owner is None:
            raise ValueError("a saved preset has an owner")
        return save_rules(self.owner, *chosen)
