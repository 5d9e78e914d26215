"""All formats in one shape: what kind each is, at which tables it is played, and the functions of its module."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from tournaments.formats import (
    double_elimination,
    gauntlet,
    groups,
    partner_swiss,
    round_robin,
    single_elimination,
    swiss,
    table_elimination,
    tables,
    tables_swiss,
    whist,
)
from tournaments.formats.brackets import Bracket
from tournaments.formats.lots import Lots
from tournaments.formats.meetings import Draw, Entrant, Position
from tournaments.formats.settings import parse_settings

DrawAll = Callable[[Sequence[Entrant], Any, Lots, int], tuple[Draw, ...]]
DrawNext = Callable[[Position, Any], Draw]
RoundsOf = Callable[[int, Any, int], int]
BracketOf = Callable[[int, Any], Bracket]
WhyNot = Callable[[int, Any, int], str | None]


class FormatKind(StrEnum):
    """When its rounds are drawn."""

    AHEAD = "ahead"
    """all at once, at the start"""
    ROUND_BY_ROUND = "round_by_round"
    """each from the results of those before"""
    BRACKET = "bracket"
    """all at once, with seats that results fill"""


class Meets(StrEnum):
    """Who meets at a table."""

    TWO_SIDES = "two_sides"
    LARGE_TABLES = "large_tables"
    """three or four, each for himself"""
    INDIVIDUALS = "individuals"
    """four at a table of pairs, whose partners the draw chooses"""


@dataclass(frozen=True, slots=True)
class Format:
    """One format. `version` goes into every stored draw: the same version draws the same again."""

    name: str
    kind: FormatKind
    meets: Meets
    settings: type[Any]
    version: int
    why_not: WhyNot
    draw_all: DrawAll | None = None
    draw_next: DrawNext | None = None
    rounds_of: RoundsOf | None = None
    bracket_of: BracketOf | None = None

    @property
    def engine(self) -> str:
        """What a stored draw names: the format and its version."""
        return f"{self.name}/{self.version}"

    def read_settings(self, given: Mapping[str, object]) -> Any:
        """The format's settings from JSON; raises SettingsError."""
        return parse_settings(self.settings, given)


def _ahead(name: str, meets: Meets, module: Any) -> Format:
    return _format(name, FormatKind.AHEAD, meets, module, draw_all=module.draw_all)


def _round_by_round(name: str, meets: Meets, module: Any) -> Format:
    functions = {"draw_next": module.draw_next, "rounds_of": module.rounds_of}
    return _format(name, FormatKind.ROUND_BY_ROUND, meets, module, **functions)


def _bracket(name: str, module: Any) -> Format:
    return _format(name, FormatKind.BRACKET, Meets.TWO_SIDES, module, bracket_of=module.bracket_of)


def _format(name: str, kind: FormatKind, meets: Meets, module: Any, **functions: Any) -> Format:
    return Format(name, kind, meets, module.Settings, module.VERSION, module.why_not, **functions)


_ALL = (
    _ahead("round_robin", Meets.TWO_SIDES, round_robin),
    _ahead("groups", Meets.TWO_SIDES, groups),
    _round_by_round("swiss", Meets.TWO_SIDES, swiss),
    _bracket("single_elimination", single_elimination),
    _bracket("double_elimination", double_elimination),
    _bracket("gauntlet", gauntlet),
    _ahead("tables", Meets.LARGE_TABLES, tables),
    _round_by_round("tables_swiss", Meets.LARGE_TABLES, tables_swiss),
    _round_by_round("table_elimination", Meets.LARGE_TABLES, table_elimination),
    _ahead("whist", Meets.INDIVIDUALS, whist),
    _round_by_round("partner_swiss", Meets.INDIVIDUALS, partner_swiss),
)
FORMATS: Mapping[str, Format] = MappingProxyType({one.name: one for one in _ALL})
"""By name, in the order in which an organiser is offered them."""
_DEFAULTS = {Meets.TWO_SIDES: "round_robin", Meets.LARGE_TABLES: "tables", Meets.INDIVIDUALS: "whist"}


def meets_at(table_kind: str, *, individuals: bool = False) -> Meets:
    """Who meets at tables of this kind (`2`, `3`, `4`, `pairs`)."""
    if table_kind in ("3", "4"):
        return Meets.LARGE_TABLES
    return Meets.INDIVIDUALS if table_kind == "pairs" and individuals else Meets.TWO_SIDES


def seats_at(table_kind: str, *, individuals: bool = False) -> int:
    """How many entrants meet at a full table."""
    meets = meets_at(table_kind, individuals=individuals)
    return {Meets.TWO_SIDES: 2, Meets.INDIVIDUALS: 4}.get(meets) or int(table_kind)


def default_format(meets: Meets) -> str:
    """What is played where nothing was chosen."""
    return _DEFAULTS[meets]


def formats_for(meets: Meets) -> tuple[Format, ...]:
    """The formats that an organiser can choose from."""
    return tuple(one for one in FORMATS.values() if one.meets is meets)
