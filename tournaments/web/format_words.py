"""The formats in an organiser's words: what each is called, what it is for, how long it takes, what can be set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from tournaments.formats.registry import FORMATS as PLAYED
from tournaments.formats.registry import Format, Meets

Words = str | Promise


MEETS: Mapping[Meets, Words] = {
    Meets.TWO_SIDES: gettext_lazy("two sides at a table"),
    Meets.LARGE_TABLES: gettext_lazy("three or four at a table"),
    Meets.INDIVIDUALS: gettext_lazy("individuals at tables of pairs"),
}


@dataclass(frozen=True, slots=True)
class FormatWords:
    """`purpose`: whom it suits; `rounds`: how many it takes."""

    title: Words
    purpose: Words
    rounds: Words


FORMATS: Mapping[str, FormatWords] = {
    "round_robin": FormatWords(
        gettext_lazy("Round robin"),
        gettext_lazy("Everybody meets everybody. The fairest table there is, for small fields and leagues."),
        gettext_lazy("One round less than there are entrants; one more where their number is odd."),
    ),
    "groups": FormatWords(
        gettext_lazy("Groups"),
        gettext_lazy("A round robin in each group, side by side; the best of each go on to the next stage."),
        gettext_lazy("As many as the largest group needs."),
    ),
    "swiss": FormatWords(
        gettext_lazy("Swiss"),
        gettext_lazy("Each round those meet who stand alike, and nobody twice. For large fields and few rounds."),
        gettext_lazy("As many as you choose: five to nine are usual."),
    ),
    "single_elimination": FormatWords(
        gettext_lazy("Single elimination"),
        gettext_lazy("Who loses is out. The quickest way to a winner, and a good end after a Swiss or groups."),
        gettext_lazy("Three for 8 entrants, four for 16, one more for each doubling."),
    ),
    "double_elimination": FormatWords(
        gettext_lazy("Double elimination"),
        gettext_lazy("Who loses twice is out: one bad match costs nobody the event."),
        gettext_lazy("About twice as many as single elimination."),
    ),
    "gauntlet": FormatWords(
        gettext_lazy("Gauntlet"),
        gettext_lazy("A ladder from the lowest seed to the best, or one challenger who meets everybody else."),
        gettext_lazy("One match less than there are entrants, one after another."),
    ),
    "tables": FormatWords(
        gettext_lazy("Tables, fixed movement"),
        gettext_lazy("Three or four at a table, each for himself; everybody meets as many others as can be."),
        gettext_lazy("As many as it takes to have met everybody, or as you choose."),
    ),
    "tables_swiss": FormatWords(
        gettext_lazy("Tables, Swiss"),
        gettext_lazy("Three or four at a table; each round those sit together who stand alike, and seldom meet again."),
        gettext_lazy("As many as you choose."),
    ),
    "table_elimination": FormatWords(
        gettext_lazy("Tables, elimination"),
        gettext_lazy("The best of each table go on, until one table is left."),
        gettext_lazy("Few: the field shrinks by half or more each round."),
    ),
    "whist": FormatWords(
        gettext_lazy("Individual pairs, whist movement"),
        gettext_lazy("Everybody is partner of everybody once and opponent twice: a personal table in a game of pairs."),
        gettext_lazy("One less than there are players for the whole movement, or fewer."),
    ),
    "partner_swiss": FormatWords(
        gettext_lazy("Individual pairs, Swiss"),
        gettext_lazy("A new partner each round, at tables of those who stand alike."),
        gettext_lazy("As many as you choose."),
    ),
}

SETTINGS: Mapping[str, tuple[Words, Words]] = {
    "rounds": (gettext_lazy("Rounds"), gettext_lazy("0: as many as the format needs.")),
    "tables_swiss.rounds": (gettext_lazy("Rounds"), ""),
    "partner_swiss.rounds": (gettext_lazy("Rounds"), ""),
    "whist.rounds": (gettext_lazy("Rounds"), gettext_lazy("0: the whole movement.")),
    "cycles": (gettext_lazy("Cycles"), gettext_lazy("How often everybody meets everybody.")),
    "reverse": (gettext_lazy("In every second cycle seats are the other way round"), ""),
    "groups": (gettext_lazy("Number of groups"), gettext_lazy("0: as many as their size makes.")),
    "size": (gettext_lazy("Size of a group"), gettext_lazy("Where no number of groups is given.")),
    "snake": (
        gettext_lazy("Groups are filled to and fro by seed"),
        gettext_lazy("Otherwise one after another, so that the first group is the strongest."),
    ),
    "first_seat": (
        gettext_lazy("The first seat is shared out evenly"),
        gettext_lazy("Otherwise the better one has it."),
    ),
    "acceleration": (
        gettext_lazy("Acceleration"),
        gettext_lazy("Virtual points for the better half in the first rounds, so that the best meet sooner."),
    ),
    "infeasible": (
        gettext_lazy("A round that cannot be paired by the rules"),
        gettext_lazy("In small fields, late: when those who are left have all met."),
    ),
    "protect": (
        gettext_lazy("Clubs and owners are kept apart"),
        gettext_lazy("Where that costs no more meetings than needed."),
    ),
    "third_place": (gettext_lazy("A match for the third place"), gettext_lazy("Otherwise two share it.")),
    "grand_final": (gettext_lazy("The grand final"), ""),
    "kind": (gettext_lazy("Kind"), ""),
    "advance": (gettext_lazy("How many of each table go on"), ""),
    "short_tables": (
        gettext_lazy("When the field does not fill its tables"),
        gettext_lazy("A table of three is played by the same rules as they are for three."),
    ),
    "take.first": (
        gettext_lazy("The first so many go on"),
        gettext_lazy("Of the whole field. Nothing given here and below: everybody goes on."),
    ),
    "take.of_each": (gettext_lazy("The first so many of each group go on"), ""),
    "take.best": (
        gettext_lazy("And the best so many of the next place"),
        gettext_lazy("Of all groups together, by points a game and then by difference a game."),
    ),
}
"""Label and help of each setting; one of a single format alone has its own under `format.setting`."""

CHOICES: Mapping[str, Words] = {
    "acceleration.none": gettext_lazy("none"),
    "acceleration.baku": gettext_lazy("Baku acceleration"),
    "infeasible.stop": gettext_lazy("is not drawn: the organiser decides"),
    "infeasible.rematch": gettext_lazy("has as few rematches as can be, the oldest first"),
    "grand_final.none": gettext_lazy("none: the winner of the winners' bracket has won"),
    "grand_final.single": gettext_lazy("one match"),
    "grand_final.reset": gettext_lazy("a second match if the unbeaten side loses the first"),
    "kind.ladder": gettext_lazy("ladder: the winner meets the next better seed"),
    "kind.challenger": gettext_lazy("challenger: the first entrant meets everybody else"),
    "short_tables.allow": gettext_lazy("shorter tables"),
    "short_tables.sit_out": gettext_lazy("the rest sits out in turn"),
}


@dataclass(frozen=True, slots=True)
class Offered:
    """A format as an organiser is offered it; `where` says at which tables it is played."""

    name: str
    title: Words
    purpose: Words
    rounds: Words
    where: Words


def offered(formats: Iterable[Format] = tuple(PLAYED.values())) -> tuple[Offered, ...]:
    return tuple(_offered(one) for one in formats)


def _offered(one: Format) -> Offered:
    words = FORMATS[one.name]
    return Offered(one.name, words.title, words.purpose, words.rounds, MEETS[one.meets])


def setting_words(format_name: str, setting: str) -> tuple[Words, Words]:
    """Label and help of a setting; one without words is called as it is in the code."""
    own = SETTINGS.get(f"{format_name}.{setting}")
    return own or SETTINGS.get(setting) or (setting.replace("_", " ").capitalize(), "")


def choice_words(format_name: str, setting: str, value: Any) -> Words:
    own = CHOICES.get(f"{format_name}.{setting}.{value}")
    return own or CHOICES.get(f"{setting}.{value}") or str(value).replace("_", " ")
