"""Fields that forms of tournaments need: points in quarters, and an ordered list of tie-breaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from tournaments.models.tournament import MOST_POINTS
from tournaments.web.criteria_words import CRITERIA, TIE_BREAKS

MOVE = "tie_breaks-move"
"""Name of the buttons that move, add and take out: they only show the list anew."""
UP, DOWN, OUT, IN = "up", "down", "out", "in"


class QuartersField(forms.DecimalField):
    """Points as people write them (1, 0.5, 0.25); cleans to whole quarters."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("widget", forms.NumberInput({"step": "0.25", "inputmode": "decimal"}))
        super().__init__(min_value=0, max_value=MOST_POINTS // 4, decimal_places=2, **options)

    def prepare_value(self, value: Any) -> Any:
        """Whole quarters come from the row; what was typed stays as it was typed."""
        return f"{value / 4:g}" if isinstance(value, int) else value

    def clean(self, value: Any) -> int | None:
        typed: Decimal | None = super().clean(value)
        if typed is None:
            return None
        if typed * 4 % 1:
            raise forms.ValidationError(_("Whole quarters only: 0.25, 0.5, 0.75, 1 …"), "not_quarters")
        return int(typed * 4)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(super().has_changed(self.prepare_value(initial), data))


class TieBreaksWidget(forms.Widget):
    """A numbered list with buttons to move each line, and a choice of what is not in it yet."""

    template_name = "tournaments/organising/tie_breaks.html"
    use_fieldset = True

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> list[str]:
        getlist = getattr(data, "getlist", None)
        chosen = list(getlist(name)) if getlist else list(data.get(name) or [])
        if more := data.get(f"{name}-more"):
            chosen.append(more)
        return moved(chosen, data.get(f"{name}-move", ""))

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        return f"{name}-shown" not in data and name not in data

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        chosen = [code for code in value or [] if code in CRITERIA]
        lines = [(code, CRITERIA[code].title, CRITERIA[code].help) for code in chosen]
        left = [(code, CRITERIA[code].title) for code in TIE_BREAKS if code not in chosen]
        return super().get_context(name, value, attrs) | {"lines": lines, "left": left}

    def id_for_label(self, id_: str) -> str:
        return ""


def moved(chosen: Sequence[str], button: str) -> list[str]:
    """The list after a button was pressed: `up:wins`, `down:wins`, `out:wins`; any other leaves it as it is."""
    verb, _sep, code = button.partition(":")
    order = list(chosen)
    if code not in order:
        return order
    place = order.index(code)
    order.remove(code)
    if verb != OUT:
        order.insert(max(place + {UP: -1, DOWN: 1}.get(verb, 0), 0), code)
    return order


class TieBreaksField(forms.Field):
    """Cleans to the codes in their order."""

    widget = TieBreaksWidget

    def clean(self, value: Any) -> list[str]:
        chosen = list(value or [])
        if unknown := [code for code in chosen if code not in TIE_BREAKS]:
            raise forms.ValidationError(_("There is no such tie-break: %(code)s.") % {"code": unknown[0]}, "unknown")
        if len(set(chosen)) < len(chosen):
            raise forms.ValidationError(_("Each tie-break once only."), "twice")
        return chosen

    def has_changed(self, initial: Any, data: Any) -> bool:
        return list(initial or []) != list(data or [])
