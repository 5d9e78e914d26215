"""The form of a score: a number a side, who did not come, and why it is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from matches.core.agreement import MOST_POINTS, ReportedScore, ScoreTerms, why_not_score
from matches.core.outcome import Unit
from matches.services.reports import LONGEST_REASON


@dataclass(frozen=True, slots=True)
class SideFields:
    """What is typed for one side. `parties`: none where parties are what the match counts."""

    name: str
    points: forms.BoundField
    parties: forms.BoundField | None
    absent: forms.BoundField


class ScoreForm(forms.Form):
    """A score on these terms, for sides of these names; `score` is what was typed, once the form is valid."""

    reason = forms.CharField(
        label=gettext_lazy("Why"),
        required=False,
        max_length=LONGEST_REASON,
        help_text=gettext_lazy("The page of the match shows it."),
    )
    score: ReportedScore

    def __init__(
        self,
        terms: ScoreTerms,
        names: Sequence[str],
        *arguments: Any,
        told: ReportedScore | None = None,
        **options: Any,
    ) -> None:
        """`told`: the score that it begins with."""
        super().__init__(*arguments, **options)
        self.initial = _typed(told) if told else {}
        self.terms, self.names = terms, names
        for side, name in enumerate(names):
            self.fields[f"points_{side}"] = _points_field(terms, name)
            self.fields[f"absent_{side}"] = forms.BooleanField(
                label=_("%(name)s did not come") % {"name": name}, required=False
            )
            if self.tells_parties:
                self.fields[f"parties_{side}"] = _parties_field(terms, name)

    @property
    def tells_parties(self) -> bool:
        """Whether parties won may be told beside what the match counts."""
        return self.terms.unit is not Unit.PARTIES

    @property
    def sides(self) -> list[SideFields]:
        """For the template."""
        return [
            SideFields(
                name,
                self[f"points_{side}"],
                self[f"parties_{side}"] if self.tells_parties else None,
                self[f"absent_{side}"],
            )
            for side, name in enumerate(self.names)
        ]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        absent = frozenset(side for side in range(len(self.names)) if cleaned.get(f"absent_{side}"))
        points = [self._points(cleaned, side, absent) for side in range(len(self.names))]
        if not self.errors:
            self.score = ReportedScore(tuple(points), self._parties(cleaned), absent)
            if why := why_not_score(self.score, self.terms):
                self.add_error(None, why)
        return cleaned

    def _points(self, cleaned: dict[str, Any], side: int, absent: frozenset[int]) -> int:
        """What was typed for a side; nothing need be where somebody did not come."""
        field = f"points_{side}"
        typed = cleaned.get(field)
        if typed is None and not absent and field not in self.errors:
            self.add_error(field, _("Type a number for %(name)s.") % {"name": self.names[side]})
        return typed or 0

    def _parties(self, cleaned: dict[str, Any]) -> tuple[int, ...] | None:
        """Parties won if they were told at all; a side left out among them has won none."""
        told = [cleaned.get(f"parties_{side}") for side in range(len(self.names))]
        return None if all(one is None for one in told) else tuple(one or 0 for one in told)


def _typed(score: ReportedScore) -> dict[str, Any]:
    """A score as it would have been typed."""
    typed: dict[str, Any] = {}
    for side, points in enumerate(score.points):
        typed[f"absent_{side}"] = side in score.absent
        typed[f"points_{side}"] = None if side in score.absent else points
        typed[f"parties_{side}"] = score.parties[side] if score.parties else None
    return typed


def _points_field(terms: ScoreTerms, name: str) -> forms.IntegerField:
    """A phone shows its digits alone where no minus can be needed: some of them have none beside the digits."""
    if terms.unit is Unit.PARTIES:
        attrs: dict[str, Any] = {"min": 0, "max": terms.parties, "inputmode": "numeric", "class": "score-number"}
    else:
        attrs = {"min": -MOST_POINTS, "max": MOST_POINTS, "class": "score-number"}
    return forms.IntegerField(
        label=name,
        required=False,
        min_value=attrs["min"],
        max_value=attrs["max"],
        widget=forms.NumberInput({**attrs, "autocomplete": "off"}),
    )


def _parties_field(terms: ScoreTerms, name: str) -> forms.IntegerField:
    attrs = {"inputmode": "numeric", "class": "score-number score-parties", "autocomplete": "off"}
    return forms.IntegerField(
        label=_("Parties won by %(name)s") % {"name": name},
        required=False,
        min_value=0,
        max_value=terms.parties,
        widget=forms.NumberInput(attrs),
    )
