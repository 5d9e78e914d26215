"""The form of a tournament, on the desk and on the site."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from matches.plan_form import DealsField, control_choices
from matches.rules_form import RulesPart
from tournaments.models import Tournament
from tournaments.services import drawing_up

TAKEN_SLUGS = frozenset({"new"})
"""Addresses below /t/ that are pages of the site."""


class TournamentForm(RulesPart, forms.ModelForm):
    deals = DealsField()

    class Meta:
        model = Tournament
        fields = list(drawing_up.DRAWN_UP)
        widgets = {"description": forms.Textarea({"rows": 4})}

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        if "control" in self.fields:
            self.fields["control"].widget = forms.Select(choices=control_choices())

    def clean_slug(self) -> str:
        slug = self.cleaned_data["slug"]
        if slug in TAKEN_SLUGS:
            raise forms.ValidationError(_("That address is a page of the site: choose another."), "taken")
        return slug

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if self.rules_chosen is not None and not self.rules_chosen.pairs and self._has_pairs():
            self.add_error("rules", _("There are entries of two here: take them out, or play in pairs."))
        return cleaned

    def _has_pairs(self) -> bool:
        row = self.instance
        return bool(row.pk) and row.entries.filter(members__position__gt=0).exists()


class SiteTournamentForm(TournamentForm):
    """The same for the site, where whoever draws a tournament up is its organiser."""

    class Meta(TournamentForm.Meta):
        fields = [name for name in drawing_up.DRAWN_UP if name != "organiser"]

    house = forms.BooleanField(
        label=gettext_lazy("House programs play too"),
        required=False,
        help_text=gettext_lazy(
            "random, greedy, pimc, and where two play solver: they never change, so results can be compared."
        ),
    )

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["slug"].required = False
        self.fields["slug"].help_text = gettext_lazy("The page is /t/…/; left empty, it follows from the name.")

    def clean_slug(self) -> str:
        if not self.cleaned_data["slug"]:
            self.cleaned_data["slug"] = self._slug_of_the_name()
        return super().clean_slug()

    def _slug_of_the_name(self) -> str:
        longest = Tournament._meta.get_field("slug").max_length
        slug = slugify(self.cleaned_data.get("name", ""))[:longest].strip("-")
        if not slug and self.cleaned_data.get("name"):
            raise forms.ValidationError(_("The name has no Latin letters: type an address."), "missing")
        return slug
