"""The form of a stage: fields made from its format's settings, and what every stage has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from enum import StrEnum
from typing import Any, get_type_hints

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from matches.core.plan import MOST_BOARDS, MOST_DEALS, Length
from tournaments.formats.lifecycle import Seeding
from tournaments.formats.qualification import Take
from tournaments.formats.registry import Format
from tournaments.models import Stage
from tournaments.web.format_words import choice_words, setting_words
from tournaments.web.wording import SEEDING

PREFIX, TAKE = "setting-", "take-"
AS_THE_TOURNAMENT = ("", gettext_lazy("as the tournament has it"))
LENGTHS = [
    AS_THE_TOURNAMENT,
    (Length.BOARDS.value, gettext_lazy("boards, each from every seat")),
    (Length.PARTIES.value, gettext_lazy("a number of parties")),
    (Length.BEST_OF.value, gettext_lazy("best of a number of parties")),
]


def setting_field(format_name: str, one: Field[Any], kind: Any, given: Mapping[str, Any]) -> forms.Field:
    """The form's field for one setting: a box to tick, a choice, or a number within its bounds."""
    label, told = setting_words(format_name, one.name)
    default = None if one.default is MISSING else one.default
    words = {"label": label, "help_text": told, "initial": given.get(one.name, default), "required": False}
    if kind is bool:
        return forms.BooleanField(**words)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        offered = [(member.value, choice_words(format_name, one.name, member.value)) for member in kind]
        return forms.ChoiceField(choices=offered, **words)
    bounds = one.metadata.get("least", 0), one.metadata.get("most", 10_000)
    widget = forms.NumberInput({"min": bounds[0], "max": bounds[1], "inputmode": "numeric"})
    return forms.IntegerField(min_value=bounds[0], max_value=bounds[1], widget=widget, **words)


class StageForm(forms.Form):
    """One stage of a chain. `chosen`: its format, whose settings become fields; `number`: its place in the chain."""

    name = forms.CharField(label=gettext_lazy("Name"), required=False, max_length=60)
    seeding = forms.ChoiceField(label=gettext_lazy("Seeded"), required=False)
    carries_points = forms.BooleanField(
        label=gettext_lazy("Points of the stage before are carried over"), required=False
    )
    protected_rounds = forms.IntegerField(
        label=gettext_lazy("Clubs and owners are kept apart"),
        required=False,
        min_value=0,
        max_value=50,
        initial=0,
        help_text=gettext_lazy("In so many rounds from the first, where no rule of the format stands against it."),
    )
    length = forms.ChoiceField(label=gettext_lazy("A match is"), choices=LENGTHS, required=False)
    boards = forms.IntegerField(
        label=gettext_lazy("Boards or parties"),
        required=False,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_BOARDS)],
        help_text=gettext_lazy("Empty: as the tournament has it."),
    )
    deals = forms.IntegerField(
        label=gettext_lazy("Deals a board"),
        required=False,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_DEALS)],
        help_text=gettext_lazy("Empty: as the tournament has it."),
    )

    def __init__(
        self, chosen: Format, number: int, *arguments: Any, stage: Stage | None = None, **options: Any
    ) -> None:
        given = stage.settings if stage and stage.format == chosen.name else {}
        super().__init__(*arguments, **{"initial": _initial(stage, number), **options})
        self.chosen, self.number = chosen, number
        hints = get_type_hints(chosen.settings)
        for one in fields(chosen.settings):
            if not (one.name == "protect" and hints[one.name] is int):  # every stage has that beside its settings
                self.fields[PREFIX + one.name] = setting_field(chosen.name, one, hints[one.name], given)
        seedings = [seeding for seeding in Seeding if number > 1 or seeding is not Seeding.EARLIER]
        self.fields["seeding"].choices = [(one.value, SEEDING[one]) for one in seedings]  # type: ignore[attr-defined]
        if number == 1:
            del self.fields["carries_points"]
        else:
            for one in fields(Take):
                self.fields[TAKE + one.name] = setting_field("take", one, int, stage.takes if stage else {})

    @property
    def settings_fields(self) -> list[forms.BoundField]:
        """Those of the format, in the order of its settings."""
        return [self[name] for name in self.fields if name.startswith(PREFIX)]

    @property
    def taking_fields(self) -> list[forms.BoundField]:
        """Who goes on from the stage before."""
        return [self[name] for name in self.fields if name.startswith(TAKE)]

    @property
    def settings(self) -> dict[str, Any]:
        """What was typed; an empty number keeps its default."""
        return self._typed(PREFIX)

    def _typed(self, prefix: str) -> dict[str, Any]:
        typed = {name.removeprefix(prefix): self.cleaned_data[name] for name in self.fields if name.startswith(prefix)}
        return {name: value for name, value in typed.items() if value not in (None, "")}

    @property
    def columns(self) -> dict[str, Any]:
        """What the stage has beside its format's settings."""
        sent = self.cleaned_data
        columns = {
            "name": sent["name"],
            "seeding": sent["seeding"] or self.initial["seeding"],
            "protected_rounds": sent["protected_rounds"] or 0,
            "length": sent["length"],
            "boards": sent["boards"],
            "deals": sent["deals"],
        }
        if self.number > 1:
            columns |= {"carries_points": sent["carries_points"], "takes": self._typed(TAKE)}
        return columns

    def clean_boards(self) -> int | None:
        boards: int | None = self.cleaned_data["boards"]
        if self.cleaned_data.get("length") == Length.BEST_OF and boards is not None and boards % 2 == 0:
            raise forms.ValidationError(_("Best of an odd number: 3, 5, 7 …"), "even")
        return boards


def _initial(stage: Stage | None, number: int) -> dict[str, Any]:
    if stage is None:
        return {"seeding": Seeding.ENTERED.value if number == 1 else Seeding.EARLIER.value}
    names = ("name", "seeding", "carries_points", "protected_rounds", "length", "boards", "deals")
    return {name: getattr(stage, name) for name in names}
