"""The options of rules.md §15 as data: names, clauses, allowed values, defaults, a word of help.

How a value is written (JSON) and what it becomes in `Rules` is decided by its kind (`kinds.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine import rules as r
from engine.kinds import Flag, JackpotKind, Kind, Number, Word

TABLES: Final = ("2", "3", "4", "pairs")
"""Kinds of table: two, three, four each for himself, four in pairs."""


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option of a table.

    `default`: a value, or {table: value} where the key `else` stands for the tables not named.
    `tables`: where its clause gives it; elsewhere only the value that switches it off is taken. `help`: for an
    organiser who has never seen the rule book.
    """

    name: str
    clause: str
    kind: Kind
    default: object
    help: str
    tables: tuple[str, ...] = TABLES

    @property
    def values(self) -> str:
        """The allowed values in words."""
        return self.kind.expected

    def fits(self, table: str) -> bool:
        """Whether anything but "off" can be asked for at a table of this kind."""
        return table in self.tables


_FOUR_UPCARD: Final = {"else": "table", "4": "dealer", "pairs": "dealer"}
_FOUR_BUY_IN: Final = {"else": 3, "4": 2, "pairs": 2}


OPTIONS: Final = (
    OptionSpec("target", "R52", Number(1), 501, "How many points end the party. Customary are 301, 501 and 1001."),
    OptionSpec(
        "buy_in",
        "R9",
        Number(allowed=(2, 3, 4)),
        _FOUR_BUY_IN,
        "How many cards everybody gets after trumps are named: 3 or 4, with four players always 2.",
    ),
    OptionSpec(
        "next_dealer",
        "R12",
        Word(r.NextDealer),
        "rotate",
        "Who deals next: the player on the dealer's left, or whoever wrote most in the deal.",
    ),
    OptionSpec(
        "party_dealer",
        "R15",
        Word(r.PartyDealer),
        "rotate",
        "Who deals first when a new party begins in the same match: the next in turn, or the winner of the last.",
    ),
    OptionSpec(
        "hang_dealer",
        "R14",
        Word(r.HangDealer),
        "next",
        "Who deals after a deal that hangs: whoever would deal anyway, or the player who named trumps.",
    ),
    OptionSpec(
        "obligation",
        "R17",
        Flag(),
        "on",
        "When everybody has passed twice, the dealer must name trumps. Off: the cards are thrown in.",
    ),
    OptionSpec(
        "first_lead",
        "R37",
        Word(r.FirstLead),
        "maker",
        "Who leads to the first trick: the player on the dealer's left, or the one who named trumps.",
    ),
    OptionSpec(
        "upcard",
        "R10",
        Word(r.UpcardGoes),
        _FOUR_UPCARD,
        "Where the turned card goes: it stays on the table, out of play, or into the dealer's or the maker's hand.",
    ),
    OptionSpec(
        "seven_swap",
        "R20",
        Word(r.SevenSwap, True),
        "first_card",
        "When the trump seven may be changed for the turned card: before one's first card, before the buy-in, never.",
    ),
    OptionSpec(
        "bottom_card",
        "R11",
        Word(r.BottomCard),
        "shown",
        "Which card of the stock is shown for information: the lowest, the top one after the first trick, or none.",
    ),
    OptionSpec(
        "overtrump",
        "R39",
        Word(r.Overtrump),
        "led",
        "When a higher trump must be beaten if one can: only where trumps are led, or also when ruffing.",
    ),
    OptionSpec(
        "overtrump_partner",
        "R40",
        Flag(),
        "off",
        "Whether even the partner's trump must be beaten when it is winning the trick.",
        tables=("pairs",),
    ),
    OptionSpec(
        "sequence_tie",
        "R28",
        Word(r.SequenceTie),
        "trump_order",
        "Which of two equal sequences counts: the one in trumps, the earlier one, or that of the last trick's taker.",
    ),
    OptionSpec(
        "declare",
        "R27",
        Word(r.Declare),
        "manual",
        "Whether the players declare their sequences themselves, and can forget it, or the table does it for them.",
    ),
    OptionSpec(
        "declare_until",
        "R27",
        Word(r.DeclareUntil),
        "first_card",
        "Until when a sequence can be declared: before one's first card, or still before the second.",
    ),
    OptionSpec(
        "sequence_needs_trick",
        "R31",
        Flag(),
        "on",
        "Whether a side that took no trick loses the points of its sequences.",
    ),
    OptionSpec(
        "bella_needs_trick",
        "R31",
        Flag(),
        "off",
        "Whether a side that took no trick loses the 20 points of bella.",
    ),
    OptionSpec(
        "hundred",
        "R24",
        Number(allowed=(5, 6), or_off=True),
        "off",
        "How many cards in a row are worth 100. Off: a longer run is a fifty and what is left of it.",
    ),
    OptionSpec(
        "jackpot",
        "R25",
        JackpotKind(),
        "off",
        "A run of six or seven cards that ends the deal at once and wins the party, or the target's points.",
    ),
    OptionSpec(
        "split_runs",
        "R26",
        Flag(),
        "on",
        "Whether what is left of a long run counts as another sequence: seven in a row are a fifty and a terz.",
    ),
    OptionSpec(
        "bella_when",
        "R34",
        Word(r.BellaWhen),
        "any_card",
        "With which card bella (king and queen of trumps) is said: any, one of the two, or the first that one plays.",
    ),
    OptionSpec(
        "bella_to",
        "R35",
        Word(r.BellaTo),
        "holder",
        "Who gets the points of bella: its holder at once or if its cards take tricks, or the taker of the trick.",
    ),
    OptionSpec(
        "defenders_pool",
        "R30",
        Flag(),
        "off",
        "Whether both defenders score their sequences as soon as one of them has the best.",
        tables=("3",),
    ),
    OptionSpec(
        "beat",
        "R44",
        Word(r.Beat),
        "each",
        "What the maker must have more than: each other side or, with three players, both defenders together.",
    ),
    OptionSpec(
        "bait_to",
        "R46",
        Word(r.BaitTo),
        "highest",
        "Who gets the points of a maker who scored too little: the best defender, or all of them in equal parts.",
    ),
    OptionSpec(
        "hang",
        "R47",
        Word(r.Hang),
        "wait",
        "When the maker has exactly as much as the others: his points wait, or nobody writes and he plays again.",
    ),
    OptionSpec(
        "hang_to",
        "R49",
        Word(r.HangTo),
        "all",
        "Who may win the waiting points of a deal that hangs: everybody, or only those who defended in it.",
    ),
    OptionSpec(
        "hang_repeat",
        "R50",
        Word(r.HangRepeat),
        "sum",
        "When the next deal hangs too, waiting points add up, queue, go to the new maker, or are split among the rest.",
    ),
    OptionSpec(
        "bait_fine_from",
        "R51",
        Number(1, or_off=True),
        "off",
        "From which bait of a party on a side pays a fine. Customary is the third.",
    ),
    OptionSpec("bait_fine", "R51", Number(0), 100, "How many points a fined bait costs."),
    OptionSpec(
        "bait_fine_then",
        "R51",
        Word(r.BaitFineThen),
        "each",
        "Whether every bait after the first fined one is fined too, or only every third.",
    ),
    OptionSpec("no_tricks_fine", "R51", Number(0), 0, "How many points a side pays that took no trick; 0 for nothing."),
    OptionSpec(
        "redeal_four_sevens",
        "R21",
        Flag(),
        "off",
        "Whether a hand with all four sevens may be shown and the cards dealt again.",
    ),
    OptionSpec(
        "redeal_below",
        "R21",
        Number(1, or_off=True),
        "off",
        "Six first cards worth fewer points than this may be shown and dealt again.",
    ),
    OptionSpec(
        "redeal_poor",
        "R21",
        Number(0, or_off=True),
        "off",
        "A whole hand worth so many points or fewer may be shown and dealt again.",
    ),
    OptionSpec(
        "both_reach",
        "R52",
        Word(r.BothReach),
        "highest",
        "Who wins when several reach the target at once: the highest, the last trick's taker, or who named trumps.",
    ),
    OptionSpec(
        "hang_blocks_end",
        "R53",
        Flag(),
        "off",
        "Whether the party goes on after a deal that hangs, even if somebody has reached the target.",
    ),
    OptionSpec(
        "lead_limit",
        "R54",
        Number(1, or_off=True),
        "off",
        "A lead of so many points over everybody else ends the party, too.",
    ),
    OptionSpec(
        "close",
        "R55",
        Flag(),
        "off",
        "Whether a player who has counted the target reached may end the party in the middle of a deal.",
    ),
    OptionSpec(
        "false_close",
        "R56",
        Word(r.FalseClose),
        "nothing",
        "What it costs to close by a wrong count: the party, twice one's own total to the others, or nothing.",
    ),
    OptionSpec(
        "close_not_on_jack",
        "R57",
        Flag(),
        "off",
        "Whether a player who took a trick with the trump jack must take another one before he may close.",
    ),
    OptionSpec(
        "ask_terz",
        "R22",
        Flag(),
        "off",
        "Whether the holder of seven, eight and nine of trumps may ask if they are good before he changes the seven.",
        tables=("2",),
    ),
    OptionSpec(
        "offer",
        "R19",
        Word(r.Offer, True),
        "off",
        "Whether the other player may offer fifty points to the one who named trumps, to save playing the deal.",
        tables=("2",),
    ),
    OptionSpec(
        "deals",
        "R71",
        Number(1, or_off=True),
        "off",
        "The party is exactly so many deals and the highest total wins, without a target. For duplicate boards.",
    ),
    OptionSpec(
        "short",
        "R58",
        Word(r.Short, True),
        "off",
        "A party of one deal for stakes: the highest count wins, or whoever named trumps plays for it.",
    ),
    OptionSpec(
        "dava",
        "R59",
        Word(r.Dava, True),
        "off",
        "Whether the stake of a Short can be raised during play, by one each time or doubled each time.",
        tables=("2",),
    ),
    OptionSpec(
        "illegal_move",
        "R66",
        Word(r.IllegalMove, True),
        "off",
        "Whether a program's illegal card costs what a revoke costs at the table, and ends the deal.",
    ),
    OptionSpec(
        "fault_table",
        "R65",
        Word(r.FaultTable),
        "none",
        "Whose customs say what a revoke and other faults at a live table cost.",
    ),
)
BY_NAME: Final = {spec.name: spec for spec in OPTIONS}


def at_table(cell: object, table: str, default: object) -> object:
    """The value that a cell of §15 gives to a table: its own, the one for the other tables, or the default's."""
    if not isinstance(cell, Mapping) or "prize" in cell:  # a jackpot is an object itself
        return cell
    if table in cell:
        return cell[table]
    return cell["else"] if "else" in cell else at_table(default, table, None)
