"""The greedy house bot's judgement: of a deal on plain integers, and only of what the seat to act may know.

It looks at one action at a time and searches nothing. Of the deal it reads the seat's own hand, what lies open or was
played, and counts; the house bot fills a deal with just that from its view, and so the judgement is the same.
What cards promise is counted in 64ths of a point.
"""

from __future__ import annotations

from typing import Final

from engine.fast.bits import M32, beaten_by, lowest, points_in, points_of, popcount, strength_of
from engine.fast.counting import points_by_side
from engine.fast.deal import ANSWERING, BID, DAVA, OFFERING, PLAY, FastDeal, came, hand
from engine.fast.ints import i64
from engine.fast.judging import (
    CERTAIN,
    card_worth,
    long_run,
    pair_worth,
    power,
    runs_worth,
    suits_of,
    swapped,
    trump_worth,
)
from engine.fast.legal import (
    ACCEPT_CODE,
    ASK_CODE,
    CARD_CODE,
    CLOSE_CODE,
    DAVA_CODE,
    DECLARE_CODE,
    DECLINE_CODE,
    EXCHANGE_CODE,
    NO_OFFER_CODE,
    OFFER_CODE,
    PASS_CODE,
    REDEAL_CODE,
    SURRENDER_CODE,
    TAKE_CODE,
    TRUMP_CODE,
    legal_rights,
    playable,
    rights_in_play,
    sayable,
)
from engine.fast.terms import BELLA_TO_TRICK_WINNER, UPCARD_TABLE, UPCARD_UNDER
from engine.fast.weights import Weights, weights_of

_OFFER_BELOW: Final = 15
_ACCEPT_BELOW: Final = 60
_BELLA: Final = 20 << 6


def greedy_code(d: FastDeal) -> i64:
    """What the house bot `greedy` does as the seat to act; the code of a legal action."""
    if d.phase != PLAY:
        return judge(d, legal_rights(d), 0, 0)
    held = hand(d, d.to_act)
    cards = playable(d, held)
    return judge(d, rights_in_play(d), cards, sayable(d, held) & cards)


def judge(d: FastDeal, rights: i64, cards: i64, bella: i64) -> i64:
    """The same, of these legal actions: `rights` by code, `cards` and `bella` masks of cards."""
    if d.phase == PLAY:
        code = _right(d, rights) if rights else -1
        return code if code >= 0 else _card(d, cards, bella)
    if rights >> REDEAL_CODE & 1:
        return REDEAL_CODE
    if d.phase == BID:
        return _bid(d, rights)
    if d.phase == OFFERING or d.phase == ANSWERING:
        return _offer(d)
    if d.phase == DAVA:
        return SURRENDER_CODE if _promise(d) < weights_of(d.terms).surrender_below else ACCEPT_CODE
    return EXCHANGE_CODE if rights >> EXCHANGE_CODE & 1 and _gains_by_exchange(d) else PASS_CODE


def _bid(d: FastDeal, rights: i64) -> i64:
    """The best suit on offer, if it is good enough or nothing else may be said."""
    held = hand(d, d.to_act)
    w = weights_of(d.terms)
    if rights >> TAKE_CODE & 1:
        trump = d.upcard >> 3
        worth = trump_worth(swapped(held, trump, d.upcard), trump, d.terms)
        return TAKE_CODE if worth >= w.take_from else PASS_CODE
    best: i64 = PASS_CODE
    most: i64 = w.name_from - 1 if rights >> PASS_CODE & 1 else -1
    suit: i64 = 0
    while suit < 4:
        if rights >> (TRUMP_CODE + suit) & 1:
            worth = trump_worth(held, suit, d.terms)
            if worth > most:
                most = worth
                best = TRUMP_CODE + suit
        suit += 1
    return best


def _offer(d: FastDeal) -> i64:
    """Fifty is offered by a weak defender, and taken by a maker who may not get much more (R19)."""
    worth = trump_worth(hand(d, d.to_act), d.trump, d.terms)
    if d.phase == OFFERING:
        return OFFER_CODE if worth < _OFFER_BELOW else NO_OFFER_CODE
    return ACCEPT_CODE if worth < _ACCEPT_BELOW else DECLINE_CODE


def _right(d: FastDeal, rights: i64) -> i64:
    """The right to be used now, -1 for none: close when it is certain, ask before deciding, exchange when it gains,
    declare always, raise when strong."""
    if rights >> REDEAL_CODE & 1:
        return REDEAL_CODE
    if rights >> CLOSE_CODE & 1 and _counts_out(d):
        return CLOSE_CODE
    if rights >> DECLARE_CODE & 1 and _holds_long_run(d):
        return DECLARE_CODE
    if rights >> ASK_CODE & 1:
        return ASK_CODE
    if rights >> EXCHANGE_CODE & 1 and _gains_by_exchange(d):
        return EXCHANGE_CODE
    if rights >> DECLARE_CODE & 1:
        return DECLARE_CODE
    if rights >> DAVA_CODE & 1 and _promise(d) >= weights_of(d.terms).dava_from:
        return DAVA_CODE
    return -1


def _holds_long_run(d: FastDeal) -> bool:
    """Whether the hand may hold a jackpot, which an exchange could break (R25)."""
    terms = d.terms
    if terms.jackpot_length == 0:
        return False
    only: i64 = 255 << (d.trump << 3) if terms.jackpot_trumps_only else M32
    return long_run(hand(d, d.to_act), terms.jackpot_length, only, terms.jackpot_from_ace != 0)


def _gains_by_exchange(d: FastDeal) -> bool:
    """Whether the upcard is worth more than the sequence that the seven may stand in (R20, R22)."""
    held = hand(d, d.to_act)
    other = swapped(held, d.trump, d.upcard)
    gain = points_in(other & ~held, d.trump) + pair_worth(other, d.trump) - pair_worth(held, d.trump)
    if d.terz_asked and d.terz_good == 0:
        return gain > 0
    return gain > runs_worth(held, d.terms) - runs_worth(other, d.terms)


def _counts_out(d: FastDeal) -> bool:
    """Whether the target is reached by what the table itself has seen and the seat's own bella (R55)."""
    if not _shown(d):
        return False
    side = d.to_act & d.terms.side_mask
    count = d.totals[side] + (points_by_side(d, -1) >> (side << 4) & 0xFFFF)
    if d.bella_seat < 0 and hand(d, d.to_act) >> (d.trump << 3) & 0x60:
        count += pair_worth(came(d, d.to_act), d.trump)
    return count >= d.terms.target


def _shown(d: FastDeal) -> bool:
    """Whether the sequences that score lie open (R32)."""
    return d.done > d.terms.second_card


def _promise(d: FastDeal) -> i64:
    """How many points more than the other the seat to act may end with, by what it sees; at two (R59)."""
    side = d.to_act
    w = weights_of(d.terms)
    held = hand(d, side)
    unseen = _unseen(d, held)
    theirs = popcount(held) + d.laid if d.leader == side else popcount(held) - d.laid
    dealt = card_worth(unseen, d.trump, w) * theirs // (popcount(unseen) or 1)
    points = points_by_side(d, -1) if _shown(d) else d.points
    gained = (points >> (side << 4) & 0xFFFF) - (points >> (1 - side << 4) & 0xFFFF)
    return gained + card_worth(held, d.trump, w) - dealt


def _card(d: FastDeal, cards: i64, bella: i64) -> i64:
    """The best card, with bella as soon as it may be said, but not where the trick would give it away (R35)."""
    card = lowest(cards) if cards & (cards - 1) == 0 else _best_card(d, cards, bella)
    if bella >> card & 1 and (d.terms.bella_to != BELLA_TO_TRICK_WINNER or _keeps_bella(d, card)):
        return CARD_CODE + (card << 1) + 1
    return CARD_CODE + (card << 1)


def _keeps_bella(d: FastDeal, card: i64) -> bool:
    """Whether the own side rather takes the trick with this card in it than not."""
    held = hand(d, d.to_act)
    unseen = _unseen(d, held)
    return _ours(d, card, unseen, _lacking(d, unseen, popcount(held))) > CERTAIN >> 1


def _best_card(d: FastDeal, cards: i64, bella: i64) -> i64:
    """The card that promises most beside what it is worth kept, of equal ones the lowest."""
    held = hand(d, d.to_act)
    unseen = _unseen(d, held)
    size = popcount(held)
    w = weights_of(d.terms)
    spare = _spare(d, unseen, size)
    given = bella if d.terms.bella_to == BELLA_TO_TRICK_WINNER else 0
    lacking = _lacking(d, unseen, size)
    lain = _points_on_table(d)
    best: i64 = lowest(cards)
    most: i64 = -(1 << 40)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        ours = _ours(d, card, unseen, lacking)
        rate = ours * w.tempo >> 12
        if d.laid:
            rate += _answer(d, card, ours, lain, w)
        else:
            rate += _lead(d, card, ours, held, unseen, w)
        rate -= _keep(d, card, held, unseen, spare, w)
        if given >> card & 1 and ours > CERTAIN >> 1:
            rate += (ours - (CERTAIN >> 1)) * _BELLA >> 11
        if rate > most:
            most = rate
            best = card
    return best


def _unseen(d: FastDeal, held: i64) -> i64:
    """The cards that another hand may hold."""
    open_cards = held | d.gone
    if d.terms.upcard == UPCARD_TABLE or d.terms.upcard == UPCARD_UNDER:
        open_cards |= 1 << d.upcard
    if d.bottom >= 0:
        open_cards |= 1 << d.bottom
    return M32 & ~open_cards


def _spare(d: FastDeal, unseen: i64, size: i64) -> i64:
    """The chance that an unseen card lies in no opponent's hand."""
    terms = d.terms
    count = popcount(unseen)
    opponents = size * (2 if terms.pairs else terms.players - 1)
    return (count - opponents << 12) // count if count > opponents else 0


def _points_on_table(d: FastDeal) -> i64:
    """Card points of the trick as it lies."""
    points: i64 = 0
    place: i64 = 0
    while place < d.laid:
        points += points_of(d.trick >> (place << 3) & 255, d.trump)
        place += 1
    return points


def _lacking(d: FastDeal, unseen: i64, size: i64) -> i64:
    """For each seat still to come the chance that it lacks a card that it may hold, 16 bits a seat."""
    players = d.terms.players
    lacking: i64 = 0
    seat = d.to_act
    place = d.laid + 1
    while place < players:
        seat = seat + 1 if seat + 1 < players else 0
        count = popcount(unseen & ~suits_of(d.voids >> (seat << 2) & 15))
        if count > size:
            lacking |= ((count - size) << 12) // count << (seat << 4)
        place += 1
    return lacking


def _ours(d: FastDeal, card: i64, unseen: i64, lacking: i64) -> i64:
    """The chance that the own side takes the trick after this card."""
    seat = d.to_act
    mask = d.terms.side_mask
    players = d.terms.players
    side = seat & mask
    best = card
    winner = seat
    if d.laid > 0 and not beaten_by(d.best, d.trump) >> card & 1:
        best = d.best
        winner = d.best_seat
    led = (d.trick & 255) >> 3 if d.laid > 0 else card >> 3
    ours: i64 = CERTAIN if winner & mask == side else 0
    place = d.laid + 1
    while place < players:
        seat = seat + 1 if seat + 1 < players else 0
        may = unseen & ~suits_of(d.voids >> (seat << 2) & 15)
        beaten = _beaten(best, led, d.trump, may, lacking >> (seat << 4) & 0xFFFF)
        if seat & mask == side:
            ours += (CERTAIN - ours) * beaten >> 12
        else:
            ours -= ours * beaten >> 12
        place += 1
    return ours


def _beaten(best: i64, led: i64, trump: i64, may: i64, lacks: i64) -> i64:
    """The chance that a seat still to come beats the best card of the trick: in its suit, or by a ruff.

    `may`: the cards that it may hold; `lacks`: the chance that it lacks one of them.
    """
    higher = may & beaten_by(best, trump)
    trumps = popcount(higher >> (trump << 3) & 255)
    if led == trump:
        return CERTAIN - power(lacks, trumps)
    void = power(lacks, popcount(may >> (led << 3) & 255))
    ruffs = void * (CERTAIN - power(lacks, trumps)) >> 12
    if best >> 3 != led:
        return ruffs
    return CERTAIN - power(lacks, popcount(higher >> (led << 3) & 255)) + ruffs


def _answer(d: FastDeal, card: i64, ours: i64, lain: i64, w: Weights) -> i64:
    """What the trick on the table promises with this card in it."""
    points = points_of(card, d.trump) + lain
    return (ours * points >> 6) - ((CERTAIN - ours) * points * w.loss >> 12)


def _lead(d: FastDeal, card: i64, ours: i64, held: i64, unseen: i64, w: Weights) -> i64:
    """What leading a card promises; a trump draws trumps, which a side that has many of them may not want."""
    points = points_of(card, d.trump)
    theirs = CERTAIN - ours
    rate = (ours * ((points << 6) + w.lead_spoils) >> 12) - (theirs * points * w.loss >> 12)
    if card >> 3 == d.trump and unseen >> (d.trump << 3) & 255:
        rate -= theirs * w.draw_lost >> 12
        if (d.maker ^ d.to_act) & d.terms.side_mask:
            rate += w.draw
        else:
            rate += w.draw_as_maker + popcount(held >> (d.trump << 3) & 255) * w.draw_length
        return rate
    return rate + strength_of(card, d.trump) * w.lead_strength


def _keep(d: FastDeal, card: i64, held: i64, unseen: i64, spare: i64, w: Weights) -> i64:
    """What a card may still win if it is kept."""
    points = points_of(card, d.trump)
    strength = strength_of(card, d.trump)
    at_last = held & (held - 1) & ((held & (held - 1)) - 1) == 0
    if card >> 3 == d.trump:
        rate = w.keep_trump + strength * w.keep_trump_strength + points * w.keep_trump_points
        return rate + w.keep_last_trump if at_last else rate
    higher = unseen & beaten_by(card, d.trump) & 255 << (card & 24)
    safe = power(spare, popcount(higher))
    spoils = w.keep_spoils + w.keep_last if at_last else w.keep_spoils
    rate = (safe * (points * w.keep_points + spoils) >> 12) - ((CERTAIN - safe) * points * w.keep_risk >> 12)
    own = held >> (card & 24) & 255
    if own & (own - 1) == 0 and held >> (d.trump << 3) & 255:
        rate -= w.ruff_soon
    return rate + strength * w.keep_strength
