"""Between a form and the engine: what was chosen and typed for an option, and the value that it stands for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from django.utils.translation import gettext as _

from engine.kinds import Number
from engine.options import BY_NAME
from matches.core.plan import LARGEST_NUMBER
from matches.rulebook.choices import NUMBER, OFFERED, OWN, Shape, key_of, shape_of, values_of
from matches.rulebook.sheet import BY_LOT

FLAGS = ("trumps_only", "from_ace", "first_cards")
MOST = LARGEST_NUMBER
MOST_DIGITS = 7
"""More are not read at all."""


class Refused(ValueError):
    """What was typed is no value; the text is for whoever typed it."""


@dataclass(frozen=True, slots=True)
class Typed:
    """One option as the form has it. `key`: empty for “as the preset has it”, else one of `choices.values_of`,
    `number` or `own`; `number` and `jackpot` are as they were typed, so that a refusal loses nothing."""

    key: str = ""
    number: str = ""
    jackpot: Mapping[str, str] = field(default_factory=dict)


AS_PRESET = Typed()


def typed_in(data: Mapping[str, Any], name: str) -> dict[str, Typed]:
    """Everything of a sent form that is not as the preset has it; also what nobody offered, so that it is refused."""
    read = {option: _typed_option(data, f"{name}-{option}") for option in (*OFFERED, BY_LOT)}
    return {option: typed for option, typed in read.items() if typed.key or typed.number}


def _typed_option(data: Mapping[str, Any], name: str) -> Typed:
    number = str(data.get(f"{name}-number", "")).strip()
    jackpot = {key: str(data.get(f"{name}-{key}", "")) for key in ("length", *FLAGS, "prize")}
    return Typed(str(data.get(name, "")), number, {part: text for part, text in jackpot.items() if text})


def typed_of(option: str, value: object) -> Typed:
    """How a form shows a value that is stored."""
    key = key_of(option, value)
    if key == OWN:
        parts = cast(Mapping[str, object], value)
        flags = {flag: "on" for flag in FLAGS if parts[flag]}
        return Typed(OWN, jackpot={"length": str(parts["length"]), "prize": str(parts["prize"]), **flags})
    return Typed(key, str(value) if key == NUMBER else "")


def value_of(option: str, typed: Typed) -> object:
    """The value as JSON has it; raises Refused with what is to be typed instead."""
    if option == BY_LOT:
        raise Refused(_("The first dealer of every board is drawn by lot: nobody sets this."))
    if not typed.key:
        raise Refused(_("A number stands here and its line is not chosen: choose it, or empty the number."))
    if typed.key == NUMBER and shape_of(option) is Shape.NUMBER:
        return _number(option, typed.number)
    if typed.key == OWN and shape_of(option) is Shape.JACKPOT:
        return _jackpot(typed.jackpot)
    if typed.key not in values_of(option):
        raise Refused(_("Choose one of the values that stand here."))
    return values_of(option)[typed.key]


def _number(option: str, text: str) -> int:
    kind = cast(Number, BY_NAME[option].kind)
    if not text:
        raise Refused(_("Type the number, or choose another line."))
    is_read = text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS
    if not is_read or not kind.minimum <= int(text) <= MOST:
        raise Refused(_("Type a whole number from %(least)s to %(most)s.") % {"least": kind.minimum, "most": MOST})
    return int(text)


def _jackpot(parts: Mapping[str, str]) -> dict[str, object]:
    if parts.get("length") not in ("6", "7"):
        raise Refused(_("A jackpot of your own is six or seven in a row: say which."))
    if parts.get("prize") not in ("party", "target"):
        raise Refused(_("A jackpot of your own wins the party or the target's points: say which."))
    flags: dict[str, object] = {flag: parts.get(flag) == "on" for flag in FLAGS}
    return {"length": int(parts["length"]), **flags, "prize": parts["prize"]}
