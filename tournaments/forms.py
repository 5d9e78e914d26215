"""The form of a tournament, on the desk and on the site."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from django import forms
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from matches.plan_form import DealsField, control_choices
from matches.rules_form import RulesPart
from tournaments.form_fields import MOVE, QuartersField, TieBreaksField
from tournaments.formats.registry import FORMATS, meets_at
from tournaments.models import EntriesAre, Tournament
from tournaments.services import drawing_up
from tournaments.web.format_words import MEETS, Offered, offered

MAY_BE_EMPTY = ("venue", "starts_at")
NEVER_EMPTY = (
    "length",
    "entries_are",
    "count",
    "win_points",
    "draw_points",
    "loss_points",
    "tie_breaks",
    "auto_draw",
    "late_until_round",
)
"""These and the ones above keep their value where they are not sent."""
DRAWN_BY = [
    ("True", gettext_lazy("by itself, as soon as the round before is over")),
    ("False", gettext_lazy("by the organiser, who confirms and releases it")),
]


class TournamentForm(RulesPart, forms.ModelForm):
    deals = DealsField()
    win_points = QuartersField(label=gettext_lazy("For a win"))
    draw_points = QuartersField(label=gettext_lazy("For a draw"))
    loss_points = QuartersField(label=gettext_lazy("For a loss"))
    tie_breaks = TieBreaksField(
        label=gettext_lazy("Tie-breaks"),
        help_text=gettext_lazy("One after another, until nobody is level. Whom nothing separates share the place."),
    )
    auto_draw = forms.TypedChoiceField(
        label=gettext_lazy("The next round is drawn"), choices=DRAWN_BY, coerce=lambda value: str(value) == "True"
    )
    starts_at = forms.DateTimeField(
        label=gettext_lazy("Starts at"),
        required=False,
        widget=forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S"],
    )

    class Meta:
        model = Tournament
        fields = list(drawing_up.DRAWN_UP)
        widgets = {"description": forms.Textarea({"rows": 4})}

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        if "control" in self.fields:
            self.fields["control"].widget = forms.Select(choices=control_choices())
        for name in NEVER_EMPTY:
            if name in self.fields:
                self.fields[name].required = False

    # The buttons that move a tie-break show the form anew, and save nothing

    @property
    def is_asked_to_show(self) -> bool:
        return super().is_asked_to_show or (self.is_bound and MOVE in self.data)

    def clean_slug(self) -> str:
        slug = self.cleaned_data["slug"]
        if slug in drawing_up.TAKEN_SLUGS:
            raise forms.ValidationError(_("That address is a page of the site: choose another."), "taken")
        return slug

    def clean(self) -> dict[str, Any]:
        self._keep_what_was_not_sent()
        cleaned = super().clean()
        if self.rules_chosen is not None:
            self._check_entries(cleaned, self.rules_chosen.pairs)
        self._check_points(cleaned)
        return cleaned

    def _keep_what_was_not_sent(self) -> None:
        """The row still holds what it was loaded with; to choose no tie-break at all is a choice."""
        for name in (*NEVER_EMPTY, *MAY_BE_EMPTY):
            empty = name in NEVER_EMPTY and self.cleaned_data.get(name) in (None, "")
            if name in self.cleaned_data and (empty or self._is_omitted(name)):
                self.cleaned_data[name] = getattr(self.instance, name)

    def _is_omitted(self, name: str) -> bool:
        widget = self.fields[name].widget
        return bool(widget.value_omitted_from_data(self.data, self.files, self.add_prefix(name)))

    @cached_property
    def changed_data(self) -> list[str]:
        kept = (*NEVER_EMPTY, *MAY_BE_EMPTY)
        return [name for name in super().changed_data if name not in kept or not self._is_omitted(name)]

    def _check_entries(self, cleaned: dict[str, Any], pairs: bool) -> None:
        if not pairs and self._has_pairs():
            self.add_error("rules", _("There are entries of two here: take them out, or play in pairs."))
        if not pairs and cleaned.get("entries_are") == EntriesAre.INDIVIDUALS:
            self.add_error("entries_are", _("Partners are drawn at tables of pairs alone: choose rules for pairs."))

    def _check_points(self, cleaned: dict[str, Any]) -> None:
        values = [cleaned[name] for name in ("win_points", "draw_points", "loss_points") if name in cleaned]
        if values != sorted(values, reverse=True):
            self.add_error("draw_points", _("A win brings no less than a draw, and a draw no less than a loss."))

    def _has_pairs(self) -> bool:
        row = self.instance
        return bool(row.pk) and row.entries.filter(members__position__gt=0).exists()


def format_choices() -> list[tuple[str, Offered]]:
    """What is played where nothing is chosen, then every format."""
    usual = Offered(
        "",
        gettext_lazy("The usual one"),
        gettext_lazy("Everybody meets everybody; at tables of three and four as many others as can be."),
        "",
        gettext_lazy("any table"),
    )
    return [("", usual), *((one.name, one) for one in offered())]


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

    format = forms.ChoiceField(
        label=gettext_lazy("Format"), choices=format_choices, required=False, initial="", widget=forms.RadioSelect
    )

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        if self.instance.pk:
            del self.fields["format"]
        self.fields["slug"].required = False
        self.fields["slug"].help_text = gettext_lazy("The page is /t/…/; left empty, it follows from the name.")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        chosen = FORMATS.get(cleaned.get("format", ""))
        if chosen and self.rules_chosen is not None:
            individuals = cleaned.get("entries_are") == EntriesAre.INDIVIDUALS
            table = cleaned["rules"].partition("@")[0].partition("/")[2]
            if chosen.meets is not meets_at(table, individuals=individuals):
                told = _("This is played by %(where)s: choose other rules, or another format.")
                self.add_error("format", told % {"where": MEETS[chosen.meets]})
        return cleaned

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
