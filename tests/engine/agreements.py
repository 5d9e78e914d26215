"""All that tables can agree on: every option with its values, and what a value asks for beside itself (rules.md §15).

`NEEDS` is written from the rule book, not from the engine: by it the tests say which agreements are refused.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Final

from engine import Rules, preset_values, rules_of
from engine.kinds import Flag, JackpotKind, Kind, Word
from engine.options import OPTIONS

FULL: Final = os.environ.get("MANELA_PROOF") == "full"
"""The size of `make proof`, instead of one for every day."""

Values = tuple[object, ...]

JACKPOTS: Final[Values] = tuple(
    {"length": length, "trumps_only": trumps, "from_ace": ace, "first_cards": first, "prize": prize}
    for length, trumps, ace, first, prize in product(
        (6, 7), (False, True), (False, True), (False, True), ("party", "target")
    )
)
NUMBERS: Final[Mapping[str, Values]] = {
    "target": (60, 301, 501, 1001),
    "buy_in": (2, 3, 4),
    "hundred": ("off", 5, 6),
    "bait_fine_from": ("off", 1, 3),
    "bait_fine": (0, 100),
    "no_tricks_fine": (0, 50, 100),
    "redeal_below": ("off", 2, 30),
    "redeal_poor": ("off", 13, 40),
    "lead_limit": ("off", 100, 250),
    "deals": ("off", 1, 4),
}


def _values(name: str, kind: Kind) -> Values:
    if isinstance(kind, Flag):
        return ("on", "off")
    if isinstance(kind, Word):
        return (*(word.value for word in kind.words), *["off"] * kind.or_off)
    return ("off", *JACKPOTS) if isinstance(kind, JackpotKind) else NUMBERS[name]


VALUES: Final[Mapping[str, Values]] = {spec.name: _values(spec.name, spec.kind) for spec in OPTIONS}
"""Every value of every option, of those that are numbers some."""


@dataclass(frozen=True, slots=True)
class Need:
    """What must be agreed on beside a value of an option, and by which clauses.

    `wants`: of other options, and of the kind of table, the values of which it must be one.
    """

    option: str
    values: Values
    wants: Mapping[str, Values]
    clauses: tuple[str, ...] = field(default=())


def _numbers(option: str) -> Values:
    return tuple(value for value in VALUES[option] if value != "off")


NEEDS: Final = (
    Need("buy_in", (2,), {"table": ("4", "pairs")}, ("R9",)),
    Need("buy_in", (3, 4), {"table": ("2", "3")}, ("R9",)),
    Need("upcard", ("table", "under"), {"table": ("2", "3")}, ("R10",)),
    Need("overtrump_partner", ("on",), {"table": ("pairs",)}, ("R40",)),
    Need("defenders_pool", ("on",), {"table": ("3",)}, ("R30",)),
    Need("beat", ("sum",), {"table": ("3",)}, ("R44",)),
    Need("ask_terz", ("on",), {"table": ("2",)}, ("R22",)),
    Need("offer", ("fifty",), {"table": ("2",)}, ("R19",)),
    Need("offer", ("fifty",), {"short": ("off",)}, ("R58",)),
    Need("jackpot", JACKPOTS, {"short": ("off",)}, ("R58",)),
    Need("deals", _numbers("deals"), {"short": ("off",)}, ("R71",)),
    Need("short", ("bait",), {"table": ("2", "3")}, ("R58",)),
    Need("dava", ("arithmetic", "geometric"), {"table": ("2",)}, ("R59",)),
    Need("dava", ("arithmetic", "geometric"), {"short": ("plain", "bait")}, ("R59",)),
)
"""Everything in §15 that an option asks for elsewhere; without it, it is refused."""

EFFECTS: Final = (
    Need("close", ("on",), {"short": ("off",)}, ("R58",)),
    Need("close", ("on",), {"deals": ("off",)}, ("R71",)),
)
"""What is not refused, and is off all the same where this is not met."""


def table_of(preset: str) -> str:
    """The kind of table a preset is for."""
    return preset.partition("/")[2]


def needs_of(option: str, value: object, needs: tuple[Need, ...] = NEEDS) -> Iterator[Need]:
    """What a value of an option asks for."""
    return (need for need in needs if need.option == option and value in need.values)


def unmet(preset: str, overrides: Mapping[str, object], needs: tuple[Need, ...] = NEEDS) -> tuple[Need, ...]:
    """The needs that a preset with these overrides does not meet; of `NEEDS` none where it can be played."""
    agreed = {"table": table_of(preset), **preset_values(preset), **overrides}
    return tuple(
        need
        for option, value in agreed.items()
        for need in needs_of(option, value, needs)
        if any(agreed[other] not in wanted for other, wanted in need.wants.items())
    )


def in_effect(preset: str, overrides: Mapping[str, object], option: str) -> bool:
    """Whether an option is as it was asked for: only what `EFFECTS` lists may be off all the same."""
    return option not in {need.option for need in unmet(preset, overrides, EFFECTS)}


def named(option: str, value: object) -> str:
    """`jackpot 7 trumps from_ace party`, `target 501`."""
    if not isinstance(value, dict):
        return f"{option} {value}"
    kinds = {"trumps_only": "trumps", "from_ace": "ace", "first_cards": "first"}
    words = [str(value["length"]), *(word for key, word in kinds.items() if value[key]), value["prize"]]
    return f"{option} {' '.join(words)}"


@dataclass(frozen=True, slots=True)
class Agreement:
    """A preset with overrides, both as asked for, and a text for a failing test."""

    preset: str
    overrides: Mapping[str, object]

    @property
    def rules(self) -> Rules:
        return rules_of(self.preset, self.overrides)


def single(preset: str) -> list[dict[str, object]]:
    """Every override of one option that a preset can be played with."""
    every = ({option: value} for option, values in VALUES.items() for value in values)
    return [overrides for overrides in every if not unmet(preset, overrides)]


Wants = Mapping[str, Values]
TABLES: Final = ("2", "3", "pairs", "4")


def merged(*all_wants: Wants) -> dict[str, Values] | None:
    """What satisfies all of these at once; None if nothing does."""
    out: dict[str, Values] = {}
    for wants in all_wants:
        for option, values in wants.items():
            out[option] = tuple(value for value in out.get(option, values) if value in values)
            if not out[option]:
                return None
    return out


def settled(wants: Wants, open_options: Sequence[str] | None = None) -> Iterator[dict[str, object]]:
    """Every agreement on just these options that is none of those refused; with the kind of table as `table`."""
    wants = {"table": TABLES, **wants}
    names = list(wants) if open_options is None else list(open_options)
    if not names:
        yield {option: values[0] for option, values in wants.items()}
        return
    option = names[0]
    for value in wants[option]:
        both = merged(wants, {option: (value,)}, *(n.wants for n in needs_of(option, value, NEEDS + EFFECTS)))
        if both is not None:
            new = [name for name in both if name not in wants and name not in names]
            yield from settled(both, [*names[1:], *new])


def agreement(asked: Mapping[str, object]) -> Agreement:
    """An agreement for a table of that kind, over the plainest preset that there is for it."""
    overrides = {option: value for option, value in asked.items() if option != "table"}
    return Agreement(f"encyclopedia/{asked['table']}", overrides)
