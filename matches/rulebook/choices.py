"""What a form offers: for every option its values at every kind of table, in sentences; for every preset its values.

The engine alone decides what fits where: a value is offered at a table if the engine takes it there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import cast

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from engine import EngineError, preset_values, presets, rules_of
from engine.kinds import Flag, JackpotKind, Number, Word
from engine.options import BY_NAME, OPTIONS, TABLES
from engine.sentences import sentence_of
from matches.rulebook.sheet import BY_LOT, told
from matches.rulebook.words import FAMILIES, family_and_table

FAMILY_OF_ALL_TABLES = "encyclopedia"
"""A family that is played at every kind of table and has no jackpot, to try single values at."""
NEEDS = {"dava": {"short": "plain"}}
"""What must be agreed on before an option can be, for the trying alone."""
NOT_OFFERED = ("deals", BY_LOT)
"""The plan's: the one is asked for elsewhere in a form, the other is nobody's choice."""
OFFERED = tuple(spec.name for spec in OPTIONS if spec.name not in NOT_OFFERED)

NUMBER = "number"
OWN = "own"
"""Keys of a form for values that are typed: another number, a jackpot of one's own."""


class Shape(StrEnum):
    """How an option is asked for: one of a few values, a number, or a jackpot."""

    WORDS = "words"
    NUMBER = "number"
    JACKPOT = "jackpot"


def shape_of(option: str) -> Shape:
    kind = BY_NAME[option].kind
    if isinstance(kind, JackpotKind):
        return Shape.JACKPOT
    return Shape.NUMBER if isinstance(kind, Number) and not kind.allowed else Shape.WORDS


@cache
def named_jackpots() -> Mapping[str, object]:
    """The jackpots that presets play with, by the family that has them first."""
    found: dict[str, object] = {}
    for preset in presets():
        value = preset_values(preset)["jackpot"]
        if value != "off" and value not in found.values():
            found[family_and_table(preset)[0]] = value
    return found


@cache
def values_of(option: str) -> Mapping[str, object]:
    """The values of an option that need no typing, by the key that a form has for them."""
    kind = BY_NAME[option].kind
    if isinstance(kind, JackpotKind):
        return {"off": "off", **named_jackpots()}
    if isinstance(kind, Flag):
        return {"on": "on", "off": "off"}
    if isinstance(kind, Word):
        return {word: word for word in [*map(str, kind.words), *["off"] * kind.or_off]}
    number = cast(Number, kind)
    return {str(one): one for one in number.allowed} | ({"off": "off"} if number.or_off else {})


def key_of(option: str, value: object) -> str:
    """The key that a form has for a value; `number` and `own` for those that are typed."""
    for key, known in values_of(option).items():
        if type(known) is type(value) and known == value:
            return key
    return OWN if shape_of(option) is Shape.JACKPOT else NUMBER


@cache
def fits(option: str, key: str, table: str) -> bool:
    """Whether the engine takes this value at such a table, whatever the preset."""
    try:
        rules_of(f"{FAMILY_OF_ALL_TABLES}/{table}", {**NEEDS.get(option, {}), option: values_of(option)[key]})
    except EngineError:
        return False
    return True


def is_asked_for(option: str, table: str) -> bool:
    """Whether there is anything to choose at such a table: one value alone, or none but off, is no choice."""
    if not BY_NAME[option].fits(table):
        return False
    return shape_of(option) is not Shape.WORDS or sum(fits(option, key, table) for key in values_of(option)) > 1


def says(option: str, value: object, table: str) -> str:
    """The sentence of a value; a named jackpot is not named here."""
    return told(sentence_of(option, value, table))


def number_parts(option: str, table: str) -> tuple[str, str]:
    """The sentence of a number, cut where the number stands."""
    # A number that has no sentence of its own: its sentence is the pattern of all the others.
    before, _place, after = _(sentence_of(option, 7_777, table).text).partition("%(number)s")
    return before, after


def family_of_jackpot(key: str) -> str:
    """“as in Klabor”; empty for what no family has given its name to."""
    return _("as in %(family)s") % {"family": FAMILIES[key].name} if key in FAMILIES else ""


@dataclass(frozen=True, slots=True)
class Base:
    """What a form starts from: a preset of the book, or one's own. `key` is what the form has for it."""

    key: str
    rules: str
    overrides: Mapping[str, object] = field(default_factory=dict)
    name: str = ""

    @property
    def table(self) -> str:
        return family_and_table(self.rules)[1]

    @property
    def values(self) -> dict[str, object]:
        return {**preset_values(self.rules), **self.overrides}


def presets_by_family() -> Sequence[tuple[str, Sequence[str]]]:
    """Versioned names, as they are stored, under the codes of their families."""
    found: dict[str, list[str]] = {}
    for preset in presets():
        found.setdefault(family_and_table(preset)[0], []).append(rules_of(preset).name)
    return tuple(found.items())


def book() -> Sequence[Base]:
    """Every preset of the rule book, to start from."""
    return tuple(Base(name, name) for _family, names in presets_by_family() for name in names)


class _Sentences:
    """Every sentence once: a form knows some hundred of them and needs each in many places."""

    def __init__(self, known: Sequence[str] = ()) -> None:
        self.all = list(known)
        self._places = {sentence: place for place, sentence in enumerate(known)}

    def place(self, sentence: str) -> int:
        if sentence not in self._places:
            self._places[sentence] = len(self.all)
            self.all.append(sentence)
        return self._places[sentence]


def catalogue(own: Sequence[Base]) -> dict[str, object]:
    """What the form's script needs to let its labels follow the preset: the book and one's own presets, plain JSON."""
    tables, bases, known = _book_catalogue(get_language() or "")
    sentences = _Sentences(known)
    mine = {base.key: _base_of_catalogue(base, sentences) for base in own}
    return {"tables": tables, "bases": {**mine, **bases}, "sentences": sentences.all}


@cache
def _book_catalogue(language: str) -> tuple[dict[str, object], dict[str, object], tuple[str, ...]]:
    """The same for everybody who reads this language."""
    sentences = _Sentences()
    tables: dict[str, object] = {table: _table_of_catalogue(table, sentences) for table in TABLES}
    bases: dict[str, object] = {base.key: _base_of_catalogue(base, sentences) for base in book()}
    return tables, bases, tuple(sentences.all)


def _table_of_catalogue(table: str, sentences: _Sentences) -> dict[str, object]:
    asked = [option for option in OFFERED if is_asked_for(option, table)]
    return {
        option: {
            key: sentences.place(says(option, value, table))
            for key, value in values_of(option).items()
            if fits(option, key, table)
        }
        for option in asked
    }


def _base_of_catalogue(base: Base, sentences: _Sentences) -> dict[str, object]:
    values = base.values
    return {
        "table": base.table,
        "short": values["short"] != "off",
        "options": {
            option: [key_of(option, values[option]), sentences.place(says(option, values[option], base.table))]
            for option in OFFERED
        },
    }
