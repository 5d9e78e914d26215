"""The field of a form in which rules are set otherwise than their preset has them."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.forms.fields import InvalidJSONInput
from django.utils.translation import gettext as _

from matches.core.plan import board_overrides

OF_THE_PLAN = tuple(board_overrides({}))
"""Options that follow from the plan of a tournament and its boards."""


class OptionsField(forms.JSONField):
    """A JSON object of options; blank is the empty one. Whatever else was typed is told in words and shown again."""

    def to_python(self, value: Any) -> Any:
        options = self._read(value)
        if not isinstance(options, dict):
            raise forms.ValidationError(
                _('Options are a JSON object, such as {"first_lead": "maker"}.'), "not_an_object"
            )
        if taken := [name for name in OF_THE_PLAN if name in options]:
            raise forms.ValidationError(
                _("Leave out %(names)s: the plan sets these itself.") % {"names": ", ".join(taken)}, "of_the_plan"
            )
        return options

    def _read(self, value: Any) -> Any:
        if not isinstance(value, str):
            return {} if value is None else value
        try:
            read = json.loads(value.strip() or "{}", parse_constant=_refuse_constant)
            json.dumps(read, ensure_ascii=False).encode()
        except RecursionError as error:
            raise forms.ValidationError(_("This is nested too deeply."), "too_deep") from error
        except UnicodeEncodeError as error:
            raise forms.ValidationError(_("There are characters in this that are none."), "characters") from error
        except ValueError as error:
            raise forms.ValidationError(_("Enter valid JSON: %(error)s") % {"error": error}, "invalid") from error
        if "\\u0000" in value:
            raise forms.ValidationError(_("There are characters in this that are none."), "characters")
        return read

    def prepare_value(self, value: Any) -> Any:
        """A form that is still empty shows an empty object."""
        return super().prepare_value({} if value is None else value)

    def bound_data(self, data: Any, initial: Any) -> Any:
        """What was typed as it was typed: the base class would read it again, and trip over what we refuse."""
        return initial if self.disabled else InvalidJSONInput(data or "")

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(self.to_python(data) != (initial or {}))
        except forms.ValidationError:
            return True


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is no number of JSON")
