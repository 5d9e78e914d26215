"""Rules in plain words: one sentence for every option and value, and the sheet of a table (rules.md §15)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from engine.errors import RulesError
from engine.options import BY_NAME
from engine.rules import Declare, Hang, Prize, Rules, SevenSwap, Short, UpcardGoes
from engine.sentence_texts import GROUPS, ILLEGAL_IN_SHORT, JACKPOTS, NUMBER, TARGET_IN_DEALS, Group
from engine.texts import filled
from engine.wording import brief

GROUP_OF: Final[Mapping[str, Group]] = {option: group for group in GROUPS for option in group.options}
"""The group in which each option is read."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """What one option means at a table; `text` is marked for translation and has places for `values`."""

    option: str
    clause: str
    text: str
    values: Mapping[str, int]

    @property
    def group(self) -> Group:
        """Where it stands on a sheet."""
        return GROUP_OF[self.option]

    def __str__(self) -> str:
        return filled(self.text, self.values)


def sentence_of(option: str, value: object, table: str) -> Sentence:
    """An option's value in words; the value as JSON has it, `table` one of 2, 3, 4 and pairs.

    Raises RulesError for an option or a value that §15 does not know; a value that is not for that table has a
    sentence all the same.
    """
    spec = BY_NAME.get(option)
    if spec is None:
        raise RulesError("unknown_option", f"there is no option {brief(option, 60)}")
    try:
        spec.kind.parse(value)
    except ValueError:
        raise RulesError("bad_value", f"{option} cannot be {brief(value, 60)}: expected {spec.values}") from None
    text, values = _text_of(option, value)
    return Sentence(option, spec.clause, text if isinstance(text, str) else text.get(table, text["else"]), values)


def _text_of(option: str, value: object) -> tuple[str | Mapping[str, str], Mapping[str, int]]:
    """The sentence of an allowed value and what is to be filled in."""
    if isinstance(value, Mapping):
        shape = (value["trumps_only"], value["from_ace"], value["first_cards"], value["prize"])
        return JACKPOTS[shape], {"number": value["length"]}
    texts = GROUP_OF[option].options[option]
    if value in texts:
        return texts[value], {}
    assert isinstance(value, int)
    return texts[NUMBER], {"number": value}


def sentences(rules: Rules) -> tuple[Sentence, ...]:
    """A table's rules as a sheet to read: in the order of `GROUPS`, without what cannot matter there.

    What few tables have and nobody would look for elsewhere (an offer, a redeal, a lead that ends the party) is left
    out where it is off; `sentence_of` has a sentence for that too.
    """
    return tuple(
        _spoken(rules, option)
        for group in GROUPS
        for option in group.options
        if not (option in _RARE and not getattr(rules, option)) and not _is_idle(rules, option)
    )


def _spoken(rules: Rules, option: str) -> Sentence:
    """The sentence of an option as it stands, beside the others."""
    if option == "jackpot" and rules.jackpot and rules.deals:  # R71: no prize ends a party of so many deals
        rules = replace(rules, jackpot=replace(rules.jackpot, prize=Prize.TARGET))
    sentence = sentence_of(option, rules.as_json()[option], rules.table)
    if option == "illegal_move" and rules.short:
        return replace(sentence, text=ILLEGAL_IN_SHORT)
    if option == "target" and rules.deals:  # R71: nothing is left of it but a jackpot's prize
        return replace(sentence, text=TARGET_IN_DEALS)
    return sentence


_RARE: Final = frozenset(
    {
        "offer",
        "ask_terz",
        "redeal_four_sevens",
        "redeal_below",
        "redeal_poor",
        "lead_limit",
        "close_not_on_jack",
        "deals",
        "short",
        "dava",
        "illegal_move",
    }
)
"""Said only where a table has it."""

_IDLE_IN_SHORT: Final = frozenset(
    {
        "next_dealer",
        "hang_dealer",
        "jackpot",
        "bait_to",
        "hang",
        "hang_to",
        "hang_repeat",
        "bait_fine_from",
        "no_tricks_fine",
        "target",
        "both_reach",
        "hang_blocks_end",
        "lead_limit",
        "close",
    }
)
"""R58: one deal, played for nothing but the stake."""

_IDLE_IN_DEALS: Final = frozenset({"both_reach", "hang_blocks_end", "lead_limit", "close"})
"""R71: no target, no lead and no close."""


def _is_idle(rules: Rules, option: str) -> bool:
    """Whether an option cannot matter beside the others."""
    if (rules.short and option in _IDLE_IN_SHORT) or (rules.deals and option in _IDLE_IN_DEALS):
        return True
    idle = _IDLE_WHEN.get(option)
    return idle is not None and idle(rules)


def _swaps(rules: Rules) -> bool:
    """Whether the trump seven can ever be exchanged (R20)."""
    return rules.upcard is UpcardGoes.TABLE and rules.seven_swap is not None


_IDLE_WHEN: Final[Mapping[str, Callable[[Rules], bool]]] = {
    "bottom_card": lambda rules: rules.players == 4,
    "seven_swap": lambda rules: rules.upcard is not UpcardGoes.TABLE,
    "ask_terz": lambda rules: not _swaps(rules) or rules.seven_swap is not SevenSwap.FIRST_CARD,
    "declare_until": lambda rules: rules.declare is Declare.AUTO,
    "defenders_pool": lambda rules: rules.players != 3,
    "overtrump_partner": lambda rules: not rules.pairs,
    "beat": lambda rules: rules.short is Short.PLAIN or (rules.short is Short.BAIT and rules.players == 2),
    "hang_to": lambda rules: rules.hang is Hang.FORCED,
    "hang_repeat": lambda rules: rules.hang is Hang.FORCED,
    "bait_fine": lambda rules: rules.short is not None or not rules.bait_fine_from,
    "bait_fine_then": lambda rules: rules.short is not None or not rules.bait_fine_from or not rules.bait_fine,
    "target": lambda rules: rules.deals is not None and rules.jackpot is None,
    "false_close": lambda rules: not rules.close,
    "close_not_on_jack": lambda rules: not rules.close,
    "fault_table": lambda rules: rules.illegal_move is None or rules.short is not None,
}
