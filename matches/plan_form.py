"""The part of a form in which it is decided how long a match is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from matches.core.clocks import Control
from matches.core.plan import BOARD_DEALS, MOST_DEALS, Length
from matches.web.wording import control_words

WHOLE = "parties"
LENGTHS = {
    Length.BOARDS: gettext_lazy("boards, each played once from every seat"),
    Length.PARTIES: gettext_lazy("whole parties, one after the other"),
    Length.BEST_OF: gettext_lazy("best of so many parties: over when it is decided"),
}


class DealsWidget(forms.Widget):
    """A number of deals, or whole parties."""

    template_name = "matches/rules_form/deals.html"
    use_fieldset = True

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        typed = BOARD_DEALS if value is None else value
        return super().get_context(name, value, attrs) | {"whole": value is None, "typed": typed, "most": MOST_DEALS}

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        """What was typed; None for whole parties. Empty where a number was promised and none typed."""
        if data.get(f"{name}-as") == WHOLE:
            return None
        return data.get(name, "")

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        return False  # whole parties are a choice too

    def id_for_label(self, id_: str) -> str:
        return ""


class DealsField(forms.IntegerField):
    """Cleans to the number of deals a board has, None for whole parties."""

    widget = DealsWidget

    def __init__(self, **options: Any) -> None:
        words: dict[str, Any] = {
            "label": gettext_lazy("Length of a board"),
            "required": False,
            "initial": BOARD_DEALS,
            **options,
        }
        super().__init__(min_value=1, max_value=MOST_DEALS, **words)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {}  # its template has them where they belong

    def clean(self, value: Any) -> int | None:
        if value is not None and not str(value).strip():
            raise forms.ValidationError(_("Say how many deals, or choose whole parties."), "deals_missing")
        return super().clean(value)


def length_choices() -> list[tuple[str, str]]:
    """What the number of boards of a match may mean."""
    return [(length.value, str(words)) for length, words in LENGTHS.items()]


def control_choices() -> list[tuple[str, str]]:
    """The time controls with what they mean."""
    return [(control.value, control_words(control.value)) for control in Control]
