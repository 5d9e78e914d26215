"""How the values of options are written in JSON, and what they become in `Rules` (§15)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from engine.rules import Jackpot, Prize


class Kind(Protocol):
    """How the values of an option are written and read."""

    @property
    def expected(self) -> str:
        """The allowed values in words."""

    def parse(self, value: object) -> object:
        """The value as `Rules` holds it; raises ValueError if it is not allowed."""


@dataclass(frozen=True, slots=True)
class Flag:
    """`"on"` or `"off"`; a bool in `Rules`."""

    @property
    def expected(self) -> str:
        return '"on" or "off"'

    def parse(self, value: object) -> bool:
        if value not in ("on", "off"):
            raise ValueError(value)
        return value == "on"


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a closed set; with `or_off` also `"off"`, which is None in `Rules`."""

    words: type[StrEnum]
    or_off: bool = False

    @property
    def expected(self) -> str:
        return " or ".join(f'"{word}"' for word in [*self.words, *["off"] * self.or_off])

    def parse(self, value: object) -> StrEnum | None:
        if value == "off" and self.or_off:
            return None
        if not isinstance(value, str):
            raise ValueError(value)
        return self.words(value)


@dataclass(frozen=True, slots=True)
class Number:
    """An integer from `minimum`, or one of `allowed`; with `or_off` also `"off"`, which is None in `Rules`."""

    minimum: int = 0
    allowed: tuple[int, ...] = ()
    or_off: bool = False

    @property
    def expected(self) -> str:
        numbers = " or ".join(map(str, self.allowed)) or f"an integer from {self.minimum}"
        return numbers + ' or "off"' * self.or_off

    def parse(self, value: object) -> int | None:
        if value == "off" and self.or_off:
            return None
        # True is an int to Python and not to a record.
        if type(value) is not int or value < self.minimum or (self.allowed and value not in self.allowed):
            raise ValueError(value)
        return value


@dataclass(frozen=True, slots=True)
class JackpotKind:
    """`"off"`, or an object with exactly R25's five keys."""

    @property
    def expected(self) -> str:
        return (
            '"off" or an object with length (6 or 7), trumps_only, from_ace, first_cards (true or false) '
            'and prize ("party" or "target")'
        )

    def parse(self, value: object) -> Jackpot | None:
        if value == "off":
            return None
        if not isinstance(value, Mapping) or set(value) != set(Jackpot.__slots__):
            raise ValueError(value)
        flags = [value[name] for name in ("trumps_only", "from_ace", "first_cards")]
        if not all(isinstance(flag, bool) for flag in flags):
            raise ValueError(value)
        length = Number(allowed=(6, 7)).parse(value["length"])
        if not isinstance(value["prize"], str):  # an enumeration would print what it does not know
            raise ValueError(value["prize"])
        return Jackpot(length or 7, flags[0], flags[1], flags[2], Prize(value["prize"]))
