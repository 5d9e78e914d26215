"""The controls of the rules form as its template reads them: every option with its lines to choose from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from engine.kinds import Number
from engine.options import BY_NAME
from engine.sentence_texts import GROUPS
from matches.rulebook.choices import (
    NUMBER,
    OFFERED,
    OWN,
    Base,
    Shape,
    family_of_jackpot,
    fits,
    is_asked_for,
    key_of,
    number_parts,
    says,
    shape_of,
    values_of,
)
from matches.rulebook.typed import AS_PRESET, MOST, Typed
from matches.rulebook.words import TITLES


@dataclass(frozen=True, slots=True)
class Line:
    """One value to choose. `note` names whose jackpot it is; a hidden line waits for another preset."""

    key: str
    sentence: str
    note: str
    is_chosen: bool
    is_hidden: bool


@dataclass(frozen=True, slots=True)
class NumberLine:
    """The sentence of a number with a place to type it."""

    before: str
    after: str
    typed: str
    least: int
    most: int
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class JackpotLine:
    """A jackpot of one's own: R25's five keys as they were typed."""

    length: str
    prize: str
    trumps_only: bool
    from_ace: bool
    first_cards: bool
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Control:
    """One option. `preset_says`: its sentence as the preset has it; a hidden one is not known at this table."""

    option: str
    title: str
    clause: str
    help: str
    preset_says: str
    is_as_preset: bool
    lines: tuple[Line, ...]
    number: NumberLine | None
    jackpot: JackpotLine | None
    errors: tuple[str, ...]
    is_hidden: bool


@dataclass(frozen=True, slots=True)
class ControlGroup:
    title: str
    controls: tuple[Control, ...]
    is_hidden: bool


@dataclass(frozen=True, slots=True)
class OptionsPart:
    """The whole part: what is changed comes first, the rest lies folded in its groups."""

    changed: tuple[Control, ...]
    groups: tuple[ControlGroup, ...]


def options_part(base: Base, typed: Mapping[str, Typed], errors: Mapping[str, Sequence[str]]) -> OptionsPart:
    """Controls for what a form starts from, what was typed in it and what was refused."""
    controls = {option: _control(option, base, typed.get(option, AS_PRESET), errors) for option in OFFERED}
    first = {option for option in controls if option in typed or option in errors}
    groups = [
        (group.title, tuple(controls[option] for option in group.options if option in OFFERED and option not in first))
        for group in GROUPS
    ]
    return OptionsPart(
        changed=tuple(control for option, control in controls.items() if option in first),
        groups=tuple(
            ControlGroup(_(title), held, all(control.is_hidden for control in held)) for title, held in groups if held
        ),
    )


def _control(option: str, base: Base, typed: Typed, errors: Mapping[str, Sequence[str]]) -> Control:
    value = base.values[option]
    shape = shape_of(option)
    is_known = is_asked_for(option, base.table)
    return Control(
        option=option,
        title=str(TITLES[option]),
        clause=BY_NAME[option].clause,
        help=_help(option),
        preset_says=says(option, value, base.table),
        is_as_preset=not typed.key,
        lines=_lines(option, base, typed),
        number=_number_line(option, typed, base.table) if shape is Shape.NUMBER else None,
        jackpot=_jackpot_line(typed) if shape is Shape.JACKPOT else None,
        errors=tuple(errors.get(option, ())),
        is_hidden=not is_known and not typed.key,
    )


def _help(option: str) -> str:
    said = _(BY_NAME[option].help)
    if shape_of(option) is not Shape.NUMBER:
        return said
    return f"{said} {_('At most %(most)s.') % {'most': MOST}}"


def _lines(option: str, base: Base, typed: Typed) -> tuple[Line, ...]:
    there = key_of(option, base.values[option])
    return tuple(
        Line(
            key=key,
            sentence=says(option, value, base.table),
            note=family_of_jackpot(key),
            is_chosen=key == typed.key,
            is_hidden=key != typed.key and (key == there or not fits(option, key, base.table)),
        )
        for key, value in values_of(option).items()
    )


def _number_line(option: str, typed: Typed, table: str) -> NumberLine:
    before, after = number_parts(option, table)
    kind = BY_NAME[option].kind
    least = kind.minimum if isinstance(kind, Number) else 0
    return NumberLine(before, after, typed.number, least, MOST, typed.key == NUMBER)


def _jackpot_line(typed: Typed) -> JackpotLine:
    parts = typed.jackpot
    return JackpotLine(
        length=parts.get("length", ""),
        prize=parts.get("prize", ""),
        trumps_only="trumps_only" in parts,
        from_ace="from_ace" in parts,
        first_cards="first_cards" in parts,
        is_chosen=typed.key == OWN,
    )
