"""What bodies and queries of requests have in common."""

from __future__ import annotations

from typing import Any

from django import forms
from django_filters import rest_framework as filters
from rest_framework import serializers

from matches.core.plan import why_not_overrides


class Strict(serializers.Serializer):
    """Names every field that it does not know, where a typing error would be passed over in silence."""

    def to_internal_value(self, given: Any) -> Any:
        if isinstance(given, dict) and (unknown := sorted(set(given) - set(self.fields))):
            told = f"No such field. There are: {', '.join(self.fields) or 'none'}."
            raise serializers.ValidationError(dict.fromkeys(unknown, told), "unknown_field")
        return super().to_internal_value(given)


class _YesNo(forms.Field):
    """Reads nothing as false that may have been meant otherwise."""

    def clean(self, value: Any) -> bool | None:
        try:
            return {"": None, "true": True, "1": True, "false": False, "0": False}[str(value or "").lower()]
        except KeyError as unknown:
            raise forms.ValidationError("Expected true or false.", "invalid") from unknown


class YesNoFilter(filters.BooleanFilter):
    """`true` or `false`, and refuses what is neither."""

    field_class = _YesNo

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named | {"widget": forms.TextInput})


class OverridesField(serializers.DictField):
    """Options of the rules, with numbers as large as the site's forms take them; the rest is the engine's to check."""

    def to_internal_value(self, given: Any) -> Any:
        options = super().to_internal_value(given)
        if troubles := why_not_overrides(options):
            raise serializers.ValidationError(troubles, "bad_value")
        return options
