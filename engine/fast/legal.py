"""What the seat to act may do, as masks: rights, cards, bella (R16-R22, R27, R33, R34, R38-R40, R55-R59)."""

from __future__ import annotations

from typing import Final

from engine.fast.bits import beaten_by, lowest, nth, points_in, points_of, popcount
from engine.fast.deal import ANSWERING, BID, DAVA, OFFERING, PLAY, FastDeal, came, hand, may_swap
from engine.fast.ints import i64
from engine.fast.sequences import holds_sequence
from engine.fast.terms import (
    BELLA_WHEN_FIRST_CARD,
    BELLA_WHEN_PAIR_CARD,
    DECLARE_MANUAL,
    OVERTRUMP_ALWAYS,
    SEVEN_SWAP_FIRST_CARD,
)

# The codes of the actions that are no cards: their places in `engine.actions.ACTIONS`.
TAKE_CODE: Final = 0
PASS_CODE: Final = 1
TRUMP_CODE: Final = 2
OFFER_CODE: Final = 6
NO_OFFER_CODE: Final = 7
ACCEPT_CODE: Final = 8
DECLINE_CODE: Final = 9
EXCHANGE_CODE: Final = 10
ASK_CODE: Final = 11
DECLARE_CODE: Final = 12
REDEAL_CODE: Final = 13
CLOSE_CODE: Final = 14
DAVA_CODE: Final = 15
SURRENDER_CODE: Final = 16
CARD_CODE: Final = 17
"""Cards follow: 17 + 2 * card, and one more with bella."""

_FOUR_SEVENS: Final = 0x01010101
_TRUMPS: Final = 15 << TRUMP_CODE
_DEFAULTS: Final = 1 << PASS_CODE | 1 << NO_OFFER_CODE | 1 << DECLINE_CODE | 1 << SURRENDER_CODE
PAIR: Final = 0x60
"""Queen and king of a suit, in its eight bits."""

_JACK: Final = 4


def legal_rights(d: FastDeal) -> i64:
    """The legal actions that are no cards: bit = code."""
    if d.end >= 0:
        return 0
    if d.phase == PLAY:
        return rights_in_play(d)
    if d.phase == BID:
        return _bids(d)
    if d.phase == OFFERING:
        return 1 << OFFER_CODE | 1 << NO_OFFER_CODE
    if d.phase == ANSWERING:
        return 1 << ACCEPT_CODE | 1 << DECLINE_CODE
    if d.phase == DAVA:
        return 1 << ACCEPT_CODE | 1 << SURRENDER_CODE
    if (hand(d, d.to_act) >> (d.trump << 3)) & 1:
        return 1 << PASS_CODE | 1 << EXCHANGE_CODE
    return 1 << PASS_CODE


def _bids(d: FastDeal) -> i64:
    """Bids, and a redeal where it is true (R16, R17, R21)."""
    t = d.terms
    bids: i64 = 1 << TAKE_CODE | 1 << PASS_CODE
    if d.asked >= t.players:
        bids = _TRUMPS & ~(1 << (TRUMP_CODE + (d.upcard >> 3)))
        if not (t.obligation and d.asked == 2 * t.players - 1):
            bids |= 1 << PASS_CODE
    elif t.redeal_below > 0 and points_in(hand(d, d.to_act), -1) < t.redeal_below:
        bids |= 1 << REDEAL_CODE
    if t.redeal_four_sevens and hand(d, d.to_act) & _FOUR_SEVENS == _FOUR_SEVENS:
        bids |= 1 << REDEAL_CODE
    return bids


def rights_in_play(d: FastDeal) -> i64:
    """The rights of the phase play (R20-R22, R27, R55, R57, R59)."""
    t = d.terms
    seat: i64 = d.to_act
    rights: i64 = 0
    if not (d.comes >> seat) & 1:
        rights = _first_rights(d, seat)
    elif t.second_card and d.done <= 1 and not d.forced | ((d.declared >> seat) & 1) and holds_sequence(came(d, seat)):
        rights = 1 << DECLARE_CODE
    if t.close and not d.laid and d.done and _may_close(d, seat):
        rights |= 1 << CLOSE_CODE
    if t.dava >= 0 and (d.raiser < 0 or d.raiser == seat):
        rights |= 1 << DAVA_CODE
    return rights


def _may_close(d: FastDeal, seat: i64) -> bool:
    """Whether nothing forbids the seat that is to lead to say it (R56, R57)."""
    if (d.barred >> seat) & 1:
        return False
    return not (d.terms.close_not_on_jack and d.last_card == (d.trump << 3 | _JACK))


def _first_rights(d: FastDeal, seat: i64) -> i64:
    """The rights before one's first card (R20-R22, R27)."""
    t = d.terms
    mine: i64 = hand(d, seat)
    rights: i64 = 0
    if not (d.declared >> seat) & 1:
        trumps: i64 = mine >> (d.trump << 3)
        if trumps & 1 and t.seven_swap == SEVEN_SWAP_FIRST_CARD and may_swap(d):
            rights = 1 << EXCHANGE_CODE
            if t.ask_terz and trumps & 7 == 7 and not d.forced | d.terz_asked:
                rights |= 1 << ASK_CODE
        if t.declare == DECLARE_MANUAL and not d.forced and holds_sequence(mine):
            rights |= 1 << DECLARE_CODE
    if t.redeal_four_sevens and mine & _FOUR_SEVENS == _FOUR_SEVENS:
        rights |= 1 << REDEAL_CODE
    if t.redeal_poor >= 0 and points_in(mine, -1) <= t.redeal_poor:
        rights |= 1 << REDEAL_CODE
    return rights


def legal_cards(d: FastDeal) -> i64:
    """The mask of cards that may be played (R38-R40)."""
    if d.phase != PLAY or d.end >= 0:
        return 0
    return playable(d, hand(d, d.to_act))


def playable(d: FastDeal, mine: i64) -> i64:
    """Those cards of the hand of the seat to act, in the phase play, that may be played (R38-R40)."""
    if not d.laid:
        return mine
    led: i64 = d.trick & 24
    of_trumps: i64 = d.trump << 3
    following: i64 = mine & (255 << led)
    if led == of_trumps:
        return _over(d, following) if following else mine
    if following:
        return following
    trumps: i64 = mine & (255 << of_trumps)
    if not trumps:
        return mine
    return _over(d, trumps) if d.terms.overtrump == OVERTRUMP_ALWAYS else trumps


def _over(d: FastDeal, trumps: i64) -> i64:
    """Those of the trumps that beat the trick, if there are any and it must be beaten (R39, R40)."""
    if d.best >> 3 != d.trump:
        return trumps
    if not d.terms.overtrump_partner and not (d.best_seat ^ d.to_act) & d.side_mask:
        return trumps
    above: i64 = trumps & beaten_by(d.best, d.trump)
    return above if above else trumps


def legal_bella(d: FastDeal) -> i64:
    """The legal cards with which bella may be said (R33, R34)."""
    if d.phase != PLAY or d.end >= 0:
        return 0
    return sayable(d, hand(d, d.to_act)) & legal_cards(d)


def sayable(d: FastDeal, mine: i64) -> i64:
    """Those cards of the hand of the seat to act with which bella may be said, legal or not (R33, R34)."""
    pair: i64 = PAIR << (d.trump << 3)
    if d.bella_seat >= 0 or came(d, d.to_act) & pair != pair:
        return 0
    when: i64 = d.terms.bella_when
    if when == BELLA_WHEN_FIRST_CARD:
        return 0 if (d.comes >> d.to_act) & 1 else mine
    if when == BELLA_WHEN_PAIR_CARD:
        return mine & pair
    return mine if mine & pair else 0


def legal_count(d: FastDeal) -> i64:
    """How many actions are legal."""
    return popcount(legal_rights(d)) + popcount(legal_cards(d)) + popcount(legal_bella(d))


def nth_legal(d: FastDeal, k: i64) -> i64:
    """The code of the legal action with `k` before it in protocol §1's order."""
    return nth_of(legal_rights(d), legal_cards(d), legal_bella(d), k)


def nth_of(rights: i64, cards: i64, bella: i64, k: i64) -> i64:
    """The code of the action with `k` before it among these: rights, then cards, each before itself with bella."""
    before: i64 = popcount(rights)
    if k < before:
        return nth(rights, k)
    k -= before
    if not bella:
        return CARD_CODE + 2 * nth(cards, k)
    while True:
        card: i64 = lowest(cards)
        if not k:
            return CARD_CODE + 2 * card
        if (bella >> card) & 1:
            k -= 1
            if not k:
                return CARD_CODE + 2 * card + 1
        cards &= cards - 1
        k -= 1


def default_code(d: FastDeal) -> i64:
    """What is played for a seat that fails (protocol §1)."""
    rights: i64 = legal_rights(d)
    if rights & _DEFAULTS:
        return lowest(rights & _DEFAULTS)
    if rights & _TRUMPS:
        return lowest(rights & _TRUMPS)
    return CARD_CODE + 2 * cheapest_card(legal_cards(d), d.trump)


def cheapest_card(cards: i64, trump: i64) -> i64:
    """The card with the fewest points, then lowest in natural order, then C D H S; there is one."""
    cheapest: i64 = -1
    least: i64 = 0
    while cards:
        card: i64 = lowest(cards)
        cards &= cards - 1
        cost: i64 = points_of(card, trump) << 5 | (card & 7) << 2 | card >> 3
        if cheapest < 0 or cost < least:
            cheapest = card
            least = cost
    return cheapest
