"""The options of rules.md §15 as data: names, clauses, allowed values, defaults, a word of help.

How a value is written (JSON) and what it becomes in `Rules` is decided by its kind: `Flag`, `Word`, `Number`,
`JackpotKind`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from engine import rules as r

TABLES: Final = ("2", "3", "4", "pairs")
"""Kinds of table: two, three, four each for himself, four in pairs."""


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

    def parse(self, value: object) -> r.Jackpot | None:
        if value == "off":
            return None
        if not isinstance(value, Mapping) or set(value) != set(r.Jackpot.__slots__):
            raise ValueError(value)
        flags = [value[name] for name in ("trumps_only", "from_ace", "first_cards")]
        if not all(isinstance(flag, bool) for flag in flags):
            raise ValueError(value)
        length = Number(allowed=(6, 7)).parse(value["length"])
        if not isinstance(value["prize"], str):  # an enumeration would print what it does not know
            raise ValueError(value["prize"])
        return r.Jackpot(length or 7, flags[0], flags[1], flags[2], r.Prize(value["prize"]))


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option of a table.

    `default`: a value, or {table: value} where the key `else` stands for the tables not named.
    `tables`: where its clause gives it; elsewhere only the value that switches it off is taken.
    `not_yet`: this engine plays only the default of it so far.
    """

    name: str
    clause: str
    kind: Kind
    default: object
    help: str
    tables: tuple[str, ...] = TABLES
    not_yet: tuple[object, ...] = ()

    @property
    def values(self) -> str:
        """The allowed values in words."""
        return self.kind.expected


_TWO: Final = ("2",)
_FOUR_TABLE: Final = {"else": "table", "4": "dealer", "pairs": "dealer"}
_PLAYERS_BUY_IN: Final = {"else": 3, "4": 2, "pairs": 2}

OPTIONS: Final = (
    OptionSpec("target", "R52", Number(1), 501, "Points that end the party."),
    OptionSpec("buy_in", "R9", Number(allowed=(2, 3, 4)), _PLAYERS_BUY_IN, "Cards dealt after the bidding."),
    OptionSpec("next_dealer", "R12", Word(r.NextDealer), "rotate", "Who deals the next deal."),
    OptionSpec("party_dealer", "R15", Word(r.PartyDealer), "rotate", "Who deals first in the next party of a match."),
    OptionSpec("hang_dealer", "R14", Word(r.HangDealer), "next", "Who deals after a hang."),
    OptionSpec("obligation", "R17", Flag(), "on", "The dealer may not pass in round two."),
    OptionSpec("first_lead", "R37", Word(r.FirstLead), "maker", "Who leads to the first trick."),
    OptionSpec("upcard", "R10", Word(r.UpcardGoes), _FOUR_TABLE, "Where the upcard goes."),
    OptionSpec("seven_swap", "R20", Word(r.SevenSwap, True), "first_card", "When the trump seven may be exchanged."),
    OptionSpec("bottom_card", "R11", Word(r.BottomCard), "shown", "What is shown of the stock."),
    OptionSpec("overtrump", "R39", Word(r.Overtrump), "led", "When a higher trump is a duty."),
    OptionSpec(
        "overtrump_partner", "R40", Flag(), "off", "A partner's winning trump must be beaten.", tables=("pairs",)
    ),
    OptionSpec("sequence_tie", "R28", Word(r.SequenceTie), "trump_order", "Which of two equal sequences is better."),
    OptionSpec("declare", "R27", Word(r.Declare), "manual", "Whether sequences declare themselves."),
    OptionSpec("declare_until", "R27", Word(r.DeclareUntil), "first_card", "Until when sequences may be declared."),
    OptionSpec("sequence_needs_trick", "R31", Flag(), "on", "Without a trick no sequences are scored."),
    OptionSpec("bella_needs_trick", "R31", Flag(), "off", "Without a trick bella is not scored."),
    OptionSpec("hundred", "R24", Number(allowed=(5, 6), or_off=True), "off", "How many in a row are a hundred."),
    OptionSpec("jackpot", "R25", JackpotKind(), "off", "A long run that ends the deal at once.", not_yet=(r.Jackpot,)),
    OptionSpec("split_runs", "R26", Flag(), "on", "A long run counts as several sequences."),
    OptionSpec("bella_when", "R34", Word(r.BellaWhen), "any_card", "With which card bella may be said."),
    OptionSpec("bella_to", "R35", Word(r.BellaTo), "holder", "Who gets the points of bella."),
    OptionSpec(
        "defenders_pool",
        "R30",
        Flag(),
        "off",
        "Both defenders score if one has the best.",
        tables=("3",),
        not_yet=(True,),
    ),
    OptionSpec("beat", "R44", Word(r.Beat), "each", "Whom the maker must beat."),
    OptionSpec("bait_to", "R46", Word(r.BaitTo), "highest", "Who gets the maker's points at a bait."),
    OptionSpec("hang", "R47", Word(r.Hang), "wait", "What a hang does.", not_yet=(r.Hang.FORCED,)),
    OptionSpec("hang_to", "R49", Word(r.HangTo), "all", "Who may win the points of a hang."),
    OptionSpec("hang_repeat", "R50", Word(r.HangRepeat), "sum", "What a hang upon a hang does."),
    OptionSpec("bait_fine_from", "R51", Number(1, or_off=True), "off", "Which bait is the first to be fined."),
    OptionSpec("bait_fine", "R51", Number(0), 100, "What a fined bait costs."),
    OptionSpec("bait_fine_then", "R51", Word(r.BaitFineThen), "each", "Which later baits are fined."),
    OptionSpec("no_tricks_fine", "R51", Number(0), 0, "What a deal without a trick costs."),
    OptionSpec("redeal_four_sevens", "R21", Flag(), "off", "Four sevens in a hand may be thrown in."),
    OptionSpec("redeal_below", "R21", Number(1, or_off=True), "off", "First cards below so many may be thrown in."),
    OptionSpec("redeal_poor", "R21", Number(0, or_off=True), "off", "A hand of so many or fewer may be thrown in."),
    OptionSpec("both_reach", "R52", Word(r.BothReach), "highest", "Who wins when several reach the target."),
    OptionSpec("hang_blocks_end", "R53", Flag(), "off", "A deal that ends in a hang ends no party."),
    OptionSpec("lead_limit", "R54", Number(1, or_off=True), "off", "A lead of so many ends the party."),
    OptionSpec("close", "R55", Flag(), "off", "Who counts the target reached may close early."),
    OptionSpec("false_close", "R56", Word(r.FalseClose), "nothing", "What a false close costs."),
    OptionSpec("close_not_on_jack", "R57", Flag(), "off", "No close right after the trump jack's trick."),
    OptionSpec("ask_terz", "R22", Flag(), "off", "The holder of 9-8-7 of trumps may ask whether it is good.", _TWO),
    OptionSpec("offer", "R19", Word(r.Offer, True), "off", "The defender may offer fifty.", _TWO),
    OptionSpec("deals", "R71", Number(1, or_off=True), "off", "The party is so many played deals."),
    OptionSpec(
        "short", "R58", Word(r.Short, True), "off", "One deal for stakes.", not_yet=(r.Short.PLAIN, r.Short.BAIT)
    ),
    OptionSpec(
        "dava", "R59", Word(r.Dava, True), "off", "The stake may be raised in a deal.", _TWO, not_yet=tuple(r.Dava)
    ),
    OptionSpec(
        "illegal_move",
        "R66",
        Word(r.IllegalMove, True),
        "off",
        "An illegal card costs what the table's rules say.",
        not_yet=(r.IllegalMove.RULES,),
    ),
    OptionSpec("fault_table", "R65", Word(r.FaultTable), "none", "What faults at a live table cost."),
)
BY_NAME: Final = {spec.name: spec for spec in OPTIONS}


def at_table(cell: object, table: str, default: object) -> object:
    """The value that a cell of §15 gives to a table: its own, the one for the other tables, or the default's."""
    if not isinstance(cell, Mapping) or "prize" in cell:  # a jackpot is an object itself
        return cell
    if table in cell:
        return cell[table]
    return cell["else"] if "else" in cell else at_table(default, table, None)
