"""Texts for people: marked for translation here, put together by whoever shows them."""

from __future__ import annotations

from collections.abc import Mapping


def gettext_noop(text: str) -> str:
    """The text itself: only marks it, so that the tools which collect texts for translation find it."""
    return text


def filled(text: str, values: Mapping[str, object]) -> str:
    """The text with its `%(name)s` places filled; lists are written with commas."""
    return text % {name: _written(value) for name, value in values.items()}


def _written(value: object) -> object:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else value
