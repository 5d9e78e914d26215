"""`Terms`: what a table has agreed on, as numbers (`engine.rules.Rules` for the fast core)."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import Final, final

from engine.fast.ints import i64
from engine.rules import Rules

# The place of each word in its enumeration of `engine.rules`; an option that is off is -1.
NEXT_DEALER_ROTATE: Final = 0
NEXT_DEALER_DEAL_WINNER: Final = 1

PARTY_DEALER_ROTATE: Final = 0
PARTY_DEALER_WINNER: Final = 1

HANG_DEALER_NEXT: Final = 0
HANG_DEALER_MAKER: Final = 1

FIRST_LEAD_ELDEST: Final = 0
FIRST_LEAD_MAKER: Final = 1

UPCARD_TABLE: Final = 0
UPCARD_DEALER: Final = 1
UPCARD_MAKER: Final = 2
UPCARD_UNDER: Final = 3

SEVEN_SWAP_FIRST_CARD: Final = 0
SEVEN_SWAP_BUY_IN: Final = 1

BOTTOM_CARD_SHOWN: Final = 0
BOTTOM_CARD_HIDDEN: Final = 1
BOTTOM_CARD_TOP_AFTER_TRICK_1: Final = 2

OFFER_FIFTY: Final = 0

OVERTRUMP_LED: Final = 0
OVERTRUMP_ALWAYS: Final = 1

SEQUENCE_TIE_TRUMP_ORDER: Final = 0
SEQUENCE_TIE_ORDER: Final = 1
SEQUENCE_TIE_SUIT: Final = 2
SEQUENCE_TIE_LAST_TRICK: Final = 3
SEQUENCE_TIE_TRUMP_LAST_TRICK: Final = 4

DECLARE_MANUAL: Final = 0
DECLARE_AUTO: Final = 1

DECLARE_UNTIL_FIRST_CARD: Final = 0
DECLARE_UNTIL_SECOND_CARD: Final = 1

BELLA_WHEN_ANY_CARD: Final = 0
BELLA_WHEN_PAIR_CARD: Final = 1
BELLA_WHEN_FIRST_CARD: Final = 2

BELLA_TO_HOLDER: Final = 0
BELLA_TO_TRICK_WINNER: Final = 1
BELLA_TO_ONE_WINS: Final = 2
BELLA_TO_HALVES: Final = 3

BEAT_EACH: Final = 0
BEAT_SUM: Final = 1

BAIT_TO_HIGHEST: Final = 0
BAIT_TO_HALVES: Final = 1

HANG_WAIT: Final = 0
HANG_FORCED: Final = 1

HANG_TO_ALL: Final = 0
HANG_TO_DEFENDERS: Final = 1

HANG_REPEAT_SUM: Final = 0
HANG_REPEAT_QUEUE: Final = 1
HANG_REPEAT_RELEASE_FIRST: Final = 2
HANG_REPEAT_SPLIT_DEFENDERS: Final = 3

BAIT_FINE_THEN_EACH: Final = 0
BAIT_FINE_THEN_EVERY_THIRD: Final = 1

BOTH_REACH_HIGHEST: Final = 0
BOTH_REACH_LAST_TRICK: Final = 1
BOTH_REACH_MAKER: Final = 2

FALSE_CLOSE_LOSE: Final = 0
FALSE_CLOSE_NOTHING: Final = 1
FALSE_CLOSE_DOUBLE: Final = 2

SHORT_PLAIN: Final = 0
SHORT_BAIT: Final = 1

DAVA_ARITHMETIC: Final = 0
DAVA_GEOMETRIC: Final = 1

ILLEGAL_MOVE_RULES: Final = 0

FAULT_TABLE_BAIT_ON_CARDS: Final = 0
FAULT_TABLE_KLABOR: Final = 1
FAULT_TABLE_KHARKOV_FULL: Final = 2
FAULT_TABLE_NONE: Final = 3

JACKPOT_PRIZE_PARTY: Final = 0
JACKPOT_PRIZE_TARGET: Final = 1

MOST_WRITTEN: Final = 1 << 40
"""The highest number that the core writes: `engine.stepping.check_numbers` refuses tables that may write a higher one.

The target and the fines are cut to it, so that a judgement of any table's numbers stays within 64 bits.
"""
_MOST: Final = (1 << 62) - 1


def _number(value: object, most: int = _MOST) -> int:
    """An option's value as a number, cut where it is higher than `most`.

    Off is -1, a flag 0 or 1, a word its place in its enumeration.
    """
    if value is None:
        return -1
    if isinstance(value, StrEnum):
        return list(type(value)).index(value)
    assert isinstance(value, int)
    return min(int(value), most)


@final
class Terms:
    """One number for every option of `engine.rules.Rules`, under the same name, and what follows from several.

    A jackpot is laid out in five numbers of its own; `jackpot_length` 0: there is none.
    """

    def __init__(self, rules: Rules) -> None:
        jackpot = rules.jackpot
        self.players: i64 = _number(rules.players)
        self.pairs: i64 = _number(rules.pairs)
        self.sides: i64 = _number(rules.sides)
        self.buy_in: i64 = _number(rules.buy_in)
        self.next_dealer: i64 = _number(rules.next_dealer)
        self.party_dealer: i64 = _number(rules.party_dealer)
        self.hang_dealer: i64 = _number(rules.hang_dealer)
        self.obligation: i64 = _number(rules.obligation)
        self.first_lead: i64 = _number(rules.first_lead)
        self.upcard: i64 = _number(rules.upcard)
        self.seven_swap: i64 = _number(rules.seven_swap)
        self.bottom_card: i64 = _number(rules.bottom_card)
        self.ask_terz: i64 = _number(rules.ask_terz)
        self.offer: i64 = _number(rules.offer)
        self.redeal_four_sevens: i64 = _number(rules.redeal_four_sevens)
        self.redeal_below: i64 = _number(rules.redeal_below)
        self.redeal_poor: i64 = _number(rules.redeal_poor)
        self.overtrump: i64 = _number(rules.overtrump)
        self.overtrump_partner: i64 = _number(rules.overtrump_partner)
        self.sequence_tie: i64 = _number(rules.sequence_tie)
        self.declare: i64 = _number(rules.declare)
        self.declare_until: i64 = _number(rules.declare_until)
        self.sequence_needs_trick: i64 = _number(rules.sequence_needs_trick)
        self.bella_needs_trick: i64 = _number(rules.bella_needs_trick)
        self.hundred: i64 = _number(rules.hundred)
        self.jackpot_length: i64 = 0 if jackpot is None else jackpot.length
        self.jackpot_trumps_only: i64 = _number(jackpot is not None and jackpot.trumps_only)
        self.jackpot_from_ace: i64 = _number(jackpot is not None and jackpot.from_ace)
        self.jackpot_first_cards: i64 = _number(jackpot is not None and jackpot.first_cards)
        self.jackpot_prize: i64 = -1 if jackpot is None else _number(jackpot.prize)
        self.split_runs: i64 = _number(rules.split_runs)
        self.bella_when: i64 = _number(rules.bella_when)
        self.bella_to: i64 = _number(rules.bella_to)
        self.defenders_pool: i64 = _number(rules.defenders_pool)
        self.beat: i64 = _number(rules.beat)
        self.bait_to: i64 = _number(rules.bait_to)
        self.hang: i64 = _number(rules.hang)
        self.hang_to: i64 = _number(rules.hang_to)
        self.hang_repeat: i64 = _number(rules.hang_repeat)
        self.bait_fine_from: i64 = _number(rules.bait_fine_from)
        self.bait_fine: i64 = _number(rules.bait_fine, MOST_WRITTEN)
        self.bait_fine_then: i64 = _number(rules.bait_fine_then)
        self.no_tricks_fine: i64 = _number(rules.no_tricks_fine, MOST_WRITTEN)
        self.target: i64 = _number(rules.target, MOST_WRITTEN)
        self.both_reach: i64 = _number(rules.both_reach)
        self.hang_blocks_end: i64 = _number(rules.hang_blocks_end)
        self.lead_limit: i64 = _number(rules.lead_limit)
        self.close: i64 = _number(rules.close)
        self.false_close: i64 = _number(rules.false_close)
        self.close_not_on_jack: i64 = _number(rules.close_not_on_jack)
        self.deals: i64 = _number(rules.deals)
        self.short: i64 = _number(rules.short)
        self.dava: i64 = _number(rules.dava)
        self.illegal_move: i64 = _number(rules.illegal_move)
        self.fault_table: i64 = _number(rules.fault_table)
        # What the hot loops ask, worked out once.
        self.side_mask: i64 = 1 if rules.pairs else 3
        """The side of a seat is `seat & side_mask`."""
        self.packet: i64 = 2 if rules.players == 4 else 3
        self.upcard_taken: i64 = 1 if self.upcard in (UPCARD_DEALER, UPCARD_MAKER) else 0
        self.cards_dealt: i64 = (6 + self.buy_in) * self.players + 1 - self.upcard_taken
        """How many cards leave the pack, the upcard with them."""
        self.second_card: i64 = (
            1 if self.declare == DECLARE_MANUAL and self.declare_until == DECLARE_UNTIL_SECOND_CARD else 0
        )
        """Whether one may still declare before one's second card (R27)."""


def bounded(total: int) -> int:
    """A total as judgements count with it: of a reference table's, which has no bounds, as much as is left to tell."""
    return max(-MOST_WRITTEN, min(MOST_WRITTEN, total))


@lru_cache(maxsize=256)
def terms_of(rules: Rules) -> Terms:
    """The rules as numbers; the same object for equal rules."""
    return Terms(rules)
