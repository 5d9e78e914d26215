"""Titles of families, tables and options, for pages and forms. Groups and sentences are the engine's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class FamilyWords:
    """A family of presets: what it is called, and a line that says how it differs from its neighbours."""

    name: Any
    line: Any


FAMILIES = {
    "moscow": FamilyWords(
        _("Moscow"), _("Nobody must name trumps, eldest leads, and of equal sequences the one in trumps is better.")
    ),
    "kharkov": FamilyWords(_("Kharkov"), _("Moscow in all but one thing: of equal sequences the earlier is better.")),
    "kharkov_full": FamilyWords(
        _("Kharkov, in full"), _("With jackpots, a fine for every third bait, and a false close that costs double.")
    ),
    "klabor": FamilyWords(
        _("Klabor"), _("A hang forces the next deal, and bella goes to whoever takes the trick it is said in.")
    ),
    "site": FamilyWords(
        _("Card site"), _("Sequences declare themselves; a hang upon a hang goes to the maker who made it.")
    ),
    "fpclub": FamilyWords(
        _("FPClub"), _("Six in a row are a hundred, seven win the party; a tie is settled by the last trick.")
    ),
    "doezd": FamilyWords(_("Doezd"), _("For two: where both reach the target, the maker has arrived first.")),
    "encyclopedia": FamilyWords(
        _("Encyclopedia"), _("As card books print it: bella is said with one's first card or not at all.")
    ),
    "classic": FamilyWords(
        _("Classic"), _("The seven is exchanged before the buy-in, and four sevens may be thrown in.")
    ),
    "house": FamilyWords(
        _("House"), _("Seven trumps in a row win the party; every third bait is fined, and so is taking no trick.")
    ),
    "short": FamilyWords(_("Short"), _("One deal for one stake: whoever scores most wins it from each other.")),
    "short_bait": FamilyWords(_("Short with bait"), _("One deal; a maker who does not beat the others pays.")),
    "short_dava": FamilyWords(_("Short with dava"), _("One deal, and the stake may be raised while it is played.")),
    "fifties": FamilyWords(_("Fifties"), _("Moscow where the defender may offer fifty, and a lead of 250 ends it.")),
}
TABLES = {
    "2": _("two players"),
    "3": _("three players"),
    "4": _("four players, each for himself"),
    "pairs": _("four players in pairs"),
}
TABLES_SHORT = {"2": _("two"), "3": _("three"), "4": _("four"), "pairs": _("pairs")}

TITLES = {
    "target": _("Target"),
    "buy_in": _("Buy-in"),
    "next_dealer": _("Next dealer"),
    "party_dealer": _("First dealer of the next party"),
    "hang_dealer": _("Dealer after a hang"),
    "obligation": _("Obligation"),
    "first_lead": _("First lead"),
    "upcard": _("The upcard"),
    "seven_swap": _("Exchange of the seven"),
    "bottom_card": _("Bottom card"),
    "overtrump": _("Beating a trump"),
    "overtrump_partner": _("Beating the partner's trump"),
    "sequence_tie": _("Equal sequences"),
    "declare": _("Declaring"),
    "declare_until": _("Declaring until"),
    "sequence_needs_trick": _("Sequences without a trick"),
    "bella_needs_trick": _("Bella without a trick"),
    "hundred": _("A hundred"),
    "jackpot": _("Jackpot"),
    "split_runs": _("Long runs"),
    "bella_when": _("When bella is said"),
    "bella_to": _("Whose bella is"),
    "defenders_pool": _("Sequences of the defenders"),
    "beat": _("Whom the maker must beat"),
    "bait_to": _("The points of a bait"),
    "hang": _("A hang"),
    "hang_to": _("Who may win a hang"),
    "hang_repeat": _("A hang upon a hang"),
    "bait_fine_from": _("First fined bait"),
    "bait_fine": _("Fine for a bait"),
    "bait_fine_then": _("Later baits"),
    "no_tricks_fine": _("Fine for no tricks"),
    "redeal_four_sevens": _("Four sevens"),
    "redeal_below": _("Poor first cards"),
    "redeal_poor": _("A poor hand"),
    "both_reach": _("Several reach the target"),
    "hang_blocks_end": _("A hang at the end"),
    "lead_limit": _("Decisive lead"),
    "close": _("Closing early"),
    "false_close": _("A false close"),
    "close_not_on_jack": _("Closing after the jack"),
    "ask_terz": _("Asking about the terz"),
    "offer": _("Offer of fifty"),
    "deals": _("Number of deals"),
    "short": _("Short"),
    "dava": _("Dava"),
    "illegal_move": _("A program's illegal card"),
    "fault_table": _("Faults at a live table"),
}


def family_and_table(preset: str) -> tuple[str, str]:
    """`klabor/pairs@1` → `klabor`, `pairs`."""
    family, _slash, table = preset.partition("@")[0].partition("/")
    return family, table


def preset_title(preset: str) -> str:
    """`klabor/pairs@1` → “Klabor, four players in pairs”; what is not known is named as it is."""
    family, table = family_and_table(preset)
    known = FAMILIES.get(family)
    return f"{known.name if known else family}, {TABLES.get(table, table)}"
