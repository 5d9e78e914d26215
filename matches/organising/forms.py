"""The form of a single match between versions that are there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine import Rules
from matches.core.clocks import Control
from matches.core.house import KIND, why_not_house
from matches.core.plan import MOST_BOARDS, Length, MatchPlan, why_not_plan
from matches.models import Agent, AgentStatus, Match
from matches.plan_form import DealsField, control_choices, length_choices
from matches.rules_form import RulesPart
from matches.services.create import create_match

MOST_SEATS = 4
LONGEST_TITLE = 300


def _seat(number: int) -> forms.ModelChoiceField:
    return forms.ModelChoiceField(
        Agent.objects.none(),
        label=gettext_lazy("Seat %(number)s") % {"number": number},
        required=False,
        empty_label=gettext_lazy("nobody yet"),
        widget=forms.Select({"data-seat": number}),
    )


class MatchForm(RulesPart):
    """Seats, rules and plan of one match. `owner`: whose own presets are offered."""

    title = forms.CharField(
        label=gettext_lazy("Title"),
        required=False,
        max_length=LONGEST_TITLE,
        help_text=gettext_lazy("By default the names of those who meet."),
        widget=forms.TextInput({"class": "vTextField"}),
    )
    seat_1, seat_2, seat_3, seat_4 = (_seat(number) for number in range(1, MOST_SEATS + 1))
    length = forms.ChoiceField(
        label=gettext_lazy("A match is"), choices=length_choices, initial=Length.BOARDS.value, required=False
    )
    boards = forms.IntegerField(
        label=gettext_lazy("How many"),
        initial=2,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_BOARDS)],
        help_text=gettext_lazy("Boards or parties. Best of is an odd number, for two sides."),
        widget=forms.NumberInput({"min": 1, "max": MOST_BOARDS}),
    )
    deals = DealsField()
    control = forms.ChoiceField(
        label=gettext_lazy("Time control"), choices=control_choices, initial=Control.LADDER.value
    )
    strict = forms.BooleanField(
        label=gettext_lazy("The first fault forfeits a party"),
        required=False,
        help_text=gettext_lazy("Otherwise three faults in a party, or two running."),
    )
    rated = forms.BooleanField(label=gettext_lazy("Rated"), required=False, initial=True)

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        active = Agent.objects.filter(status=AgentStatus.ACTIVE).select_related("player")
        for name in self._seat_names():
            cast(forms.ModelChoiceField, self.fields[name]).queryset = active.order_by("player__name", "-created_at")

    @staticmethod
    def _seat_names() -> list[str]:
        return [f"seat_{number}" for number in range(1, MOST_SEATS + 1)]

    @property
    def seats(self) -> list[forms.BoundField]:
        """The fields of the seats, for the template."""
        return [self[name] for name in self._seat_names()]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if self.rules_chosen is not None:
            self._check_seats(cleaned, self.rules_chosen)
            self._check_length(cleaned, self.rules_chosen)
        return cleaned

    def _check_length(self, cleaned: dict[str, Any], rules: Rules) -> None:
        """Nothing chosen means boards, as it did before there was a choice."""
        cleaned["length"] = Length(cleaned.get("length") or Length.BOARDS)
        if cleaned.get("boards") is None:
            return
        plan = MatchPlan((), length=cleaned["length"], boards=cleaned["boards"])
        if refusal := why_not_plan(plan, rules):
            self.add_error("boards", refusal)

    def _check_seats(self, cleaned: dict[str, Any], rules: Rules) -> None:
        """A version on every seat of the table, and none on two sides."""
        side_of: dict[Agent, int] = {}
        for index, name in enumerate(self._seat_names()[: rules.players]):
            agent = cleaned.get(name)
            if agent is None:
                if name not in self.errors:
                    self.add_error(name, _("This table has %(seats)s seats.") % {"seats": rules.players})
            elif agent.kind == KIND and (refusal := why_not_house(agent.label, rules)):
                self.add_error(name, refusal)
            elif side_of.setdefault(agent, rules.side_of(index)) != rules.side_of(index):
                self.add_error(name, _("This version sits on another side already; nobody plays against himself."))

    def _agents(self) -> Sequence[Agent]:
        players = self.rules_chosen.players if self.rules_chosen else 0
        return [self.cleaned_data[name] for name in self._seat_names()[:players]]

    def _default_title(self) -> str:
        """“Anna & Bohdan – Chrystyna”: partners together, each named once."""
        sides: dict[int, dict[str, None]] = {}
        for index, agent in enumerate(self._agents()):
            side = self.rules_chosen.side_of(index) if self.rules_chosen else index
            sides.setdefault(side, {})[agent.player.name] = None
        return " – ".join(" & ".join(names) for names in sides.values())

    def create(self) -> Match | None:
        """Keeps the rules as a preset if a name was typed, draws the match up and hands it to the workers.

        None if the preset's name was taken meanwhile: the form says so, and nothing is written.
        """
        if not self.save_preset():
            return None
        chosen = self.cleaned_data
        plan = MatchPlan(
            agents=tuple(agent.pk for agent in self._agents()),
            rules=chosen["rules"],
            overrides=chosen["overrides"],
            length=chosen["length"],
            boards=chosen["boards"],
            deals=chosen["deals"],
            control=Control(chosen["control"]),
            strict=chosen["strict"],
            title=(chosen["title"] or self._default_title())[:LONGEST_TITLE],
            rated=chosen["rated"],
        )
        return create_match(plan)
