"""A table's rules as a sheet to read: the engine's sentences under their titles, with clauses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import gettext

from engine import EngineError, Rules, rules_of
from engine.comparing import differences, rules_digest
from engine.sentence_texts import GROUPS
from engine.sentences import GROUP_OF, Sentence, sentences
from engine.texts import filled
from matches.core.plan import OF_THE_PLAN
from matches.rulebook.words import TITLES, preset_title

BY_LOT = "party_dealer"
"""R15 is of no effect on boards: R69's lot says who deals first on each, whole parties and Short included."""


def told(sentence: Sentence) -> str:
    """A sentence of the engine in the reader's language."""
    return filled(gettext(sentence.text), sentence.values)


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One rule. `instead_of`: what the preset says there, empty where nothing was changed; `is_of_plan`: it follows
    from how boards are played, and nobody chose it."""

    option: str
    clause: str
    sentence: str
    instead_of: str = ""
    is_of_plan: bool = False


@dataclass(frozen=True, slots=True)
class SheetGroup:
    title: str
    lines: tuple[SheetLine, ...]


@dataclass(frozen=True, slots=True)
class RulesSheet:
    """What `matches/rules_sheet.html` shows.

    `preset` is the name as it is stored, `title` what a page calls it; `digest` is equal for equal rules; `changes` are
    the options that somebody set otherwise than the preset has them.
    """

    preset: str
    title: str
    digest: str
    groups: tuple[SheetGroup, ...]
    changes: tuple[SheetLine, ...]


def rules_sheet(rules: Rules, *, on_boards: bool = True) -> RulesSheet:
    """The rules of one table in sentences; those that differ from the preset say what they stand in place of.

    `on_boards`: as matches of boards are played; False: as the rule book has them, and matches of parties, with R15.
    """
    changes = {line.option: line for line in _changes(rules)}
    lines = {one.option: SheetLine(one.option, one.clause, told(one)) for one in sentences(rules)}
    if on_boards:
        changes[BY_LOT] = _lot()
    return RulesSheet(
        preset=rules.name,
        title=preset_title(rules.name),
        digest=rules_digest(rules),
        groups=grouped((lines | changes).values()),
        changes=tuple(line for line in changes.values() if not line.is_of_plan),
    )


def sheet_of(preset: str, overrides: Mapping[str, object], *, on_boards: bool = True) -> RulesSheet | None:
    """The sheet of stored rules; None if this engine no longer knows them."""
    try:
        return rules_sheet(rules_of(preset, overrides), on_boards=on_boards)
    except EngineError:
        return None


def grouped(lines: Iterable[SheetLine]) -> tuple[SheetGroup, ...]:
    """Lines under the titles of the engine's groups, in its reading order."""
    order = [option for group in GROUPS for option in group.options]
    by_order = sorted(lines, key=lambda line: order.index(line.option))
    by_title = groupby(by_order, key=lambda line: GROUP_OF[line.option].title)
    return tuple(SheetGroup(gettext(title), tuple(group)) for title, group in by_title)


def _changes(rules: Rules) -> tuple[SheetLine, ...]:
    """The options in which a table differs from its preset."""
    return tuple(
        SheetLine(one.option, one.clause, told(one.right), told(one.left), _is_of_plan(one.option, rules))
        for one in differences(rules_of(rules.name), rules)
    )


def _lot() -> SheetLine:
    sentence = gettext("The first dealer of every board is drawn by lot.")
    return SheetLine(BY_LOT, "R69", sentence, is_of_plan=True)


def _is_of_plan(option: str, rules: Rules) -> bool:
    """R71: where a party has a number of deals, the plan says who deals, and nobody closes."""
    return rules.deals is not None and (option in OF_THE_PLAN or (option == "close" and option not in rules.overrides))


@dataclass(frozen=True, slots=True)
class DifferenceLine:
    """One option in which two tables differ, in both tables' words."""

    option: str
    title: str
    clause: str
    left: str
    right: str


def difference_lines(left: Rules, right: Rules) -> Sequence[DifferenceLine]:
    """What differs between two sets of rules, in the order of the rule book."""
    return tuple(
        DifferenceLine(
            option=one.option,
            title=str(TITLES[one.option]),
            clause=one.clause,
            left=told(one.left),
            right=told(one.right),
        )
        for one in differences(left, right)
    )
