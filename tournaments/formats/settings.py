"""A stage's settings: from JSON to frozen values and back. What is unknown is an error that says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, field, fields
from enum import StrEnum
from typing import Any, TypeVar, get_type_hints

Settings = TypeVar("Settings")


class SettingsError(ValueError):
    """A setting that the format does not have, or a value that it cannot take."""

    code = "bad_settings"


def number(default: int, least: int, most: int) -> Any:
    """A whole number within bounds, for a settings class."""
    return field(default=default, metadata={"least": least, "most": most})


def parse_settings(kind: type[Settings], given: Mapping[str, object]) -> Settings:
    """Reads a settings class (a frozen dataclass of bool, int, StrEnum fields) from JSON; raises SettingsError.

    What is left out keeps its default.
    """
    known: dict[str, Field[Any]] = {one.name: one for one in fields(kind)}  # type: ignore[arg-type]
    if unknown := sorted(set(given) - set(known)):
        raise SettingsError(f"{', '.join(unknown)}: no such setting. There are: {', '.join(known) or 'none'}.")
    hints = get_type_hints(kind)
    return kind(**{name: _read(known[name], hints[name], value) for name, value in given.items()})


def _read(one: Field[Any], kind: Any, value: object) -> object:
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        if value not in [member.value for member in kind]:
            raise SettingsError(f"{one.name}: expected one of {', '.join(kind)}, not {value!r}.")
        return kind(str(value))
    if kind is bool:
        if not isinstance(value, bool):
            raise SettingsError(f"{one.name}: expected true or false, not {value!r}.")
        return value
    if isinstance(value, bool) or not isinstance(value, int):
        raise SettingsError(f"{one.name}: expected a whole number, not {value!r}.")
    least, most = one.metadata.get("least", 0), one.metadata.get("most", 10_000)
    if not least <= value <= most:
        raise SettingsError(f"{one.name}: expected {least} to {most}, not {value}.")
    return value


def format_settings(settings: object) -> dict[str, Any]:
    """The settings as JSON, every one of them, so that a later default changes nothing that was decided."""
    written = {}
    for one in fields(settings):  # type: ignore[arg-type]
        value = getattr(settings, one.name)
        written[one.name] = value.value if isinstance(value, StrEnum) else value
    return written


def defaults_of(kind: type) -> dict[str, Any]:
    """Every setting's default, as JSON."""
    return {
        one.name: one.default.value if isinstance(one.default, StrEnum) else one.default
        for one in fields(kind)
        if one.default is not MISSING
    }
