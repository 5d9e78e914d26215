"""What bodies of requests have in common."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class Strict(serializers.Serializer):
    """Names every field that it does not know, where a typing error would be passed over in silence."""

    def to_internal_value(self, given: Any) -> Any:
        if isinstance(given, dict) and (unknown := sorted(set(given) - set(self.fields))):
            told = f"No such field. There are: {', '.join(self.fields) or 'none'}."
            raise serializers.ValidationError(dict.fromkeys(unknown, told), "unknown_field")
        return super().to_internal_value(given)
