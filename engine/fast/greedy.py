"""The greedy house bot's judgement: of a deal on plain integers, and only of what the seat to act may know.

It looks at one action at a time and searches nothing. Of the deal it reads the seat's own hand, what lies open or was
played, and counts; the house bot fills a deal with just that from its view, and so the judgement is the same.
What cards promise is counted in 64ths of a point.
"""

from __future__ import annotations

from typing import Final

from engine.fast.bits import M32, beaten_by, lowest, points_in, points_of, popcount, strength_of
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
from engine.fast.outcome import points_by_side
from engine.fast.terms import BELLA_TO_TRICK_WINNER, UPCARD_TABLE, UPCARD_UNDER

_TAKE_FROM: Final = 50
"""The upcard's suit is taken when the hand is worth at least so much with it as trumps."""

_NAME_FROM: Final = 50
"""The same of another suit in round two."""

_OFFER_BELOW: Final = 15
_ACCEPT_BELOW: Final = 60
_DAVA_FROM: Final = 25
_SURRENDER_BELOW: Final = -55

_KEEP_TRUMP: Final = 256
_KEEP_TRUMP_STRENGTH: Final = 64
_KEEP_TRUMP_POINTS: Final = 64
_KEEP_SPOILS: Final = 384
_KEEP_RISK: Final = 16
_KEEP_STRENGTH: Final = 4
_KEEP_GUARD: Final = 0
_LEAD_SPOILS: Final = 256
_LEAD_DRAW_MAKER: Final = 640
_LEAD_DRAW: Final = 320
_LEAD_SINGLE: Final = 0
_LOSS_OF_MANY: Final = 40
_KEEP_POINTS: Final = 64
_BELLA_TAKEN: Final = 1280


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
        return SURRENDER_CODE if _promise(d) < _SURRENDER_BELOW else ACCEPT_CODE
    return EXCHANGE_CODE if rights >> EXCHANGE_CODE & 1 and _gains_by_exchange(d) else PASS_CODE


def _bid(d: FastDeal, rights: i64) -> i64:
    """The best suit on offer, if it is good enough or nothing else may be said."""
    held = hand(d, d.to_act)
    terms = d.terms
    best: i64 = PASS_CODE
    most: i64 = -1
    if rights >> TAKE_CODE & 1:
        trump = d.upcard >> 3
        best = TAKE_CODE
        most = trump_worth(swapped(held, trump, d.upcard), trump, terms.hundred, terms.split_runs)
        return best if most >= _TAKE_FROM or not rights >> PASS_CODE & 1 else PASS_CODE
    suit: i64 = 0
    while suit < 4:
        if rights >> (TRUMP_CODE + suit) & 1:
            worth = trump_worth(held, suit, terms.hundred, terms.split_runs)
            if worth > most:
                most = worth
                best = TRUMP_CODE + suit
        suit += 1
    return best if most >= _NAME_FROM or not rights >> PASS_CODE & 1 else PASS_CODE


def _offer(d: FastDeal) -> i64:
    """Fifty is offered by a weak defender, and taken by a maker who may not get much more (R19)."""
    worth = trump_worth(hand(d, d.to_act), d.trump, d.terms.hundred, d.terms.split_runs)
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
    if rights >> DAVA_CODE & 1 and _promise(d) >= _DAVA_FROM:
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
    terms = d.terms
    lost = runs_worth(held, terms.hundred, terms.split_runs) - runs_worth(other, terms.hundred, terms.split_runs)
    return gain > lost


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
    held = hand(d, side)
    unseen = _unseen(d, held)
    theirs = popcount(held) + d.laid if d.leader == side else popcount(held) - d.laid
    dealt = card_worth(unseen, d.trump) * theirs // (popcount(unseen) or 1)
    points = points_by_side(d, -1) if _shown(d) else d.points
    gained = (points >> (side << 4) & 0xFFFF) - (points >> (1 - side << 4) & 0xFFFF)
    return gained + card_worth(held, d.trump) - dealt


def _card(d: FastDeal, cards: i64, bella: i64) -> i64:
    """The best card, with bella as soon as it may be said, but not where the trick would give it away (R35)."""
    card = lowest(cards) if cards & (cards - 1) == 0 else _best_card(d, cards, bella)
    if bella >> card & 1 and (d.terms.bella_to != BELLA_TO_TRICK_WINNER or _keeps_bella(d, card)):
        return CARD_CODE + (card << 1) + 1
    return CARD_CODE + (card << 1)


def _keeps_bella(d: FastDeal, card: i64) -> bool:
    """Whether the own side rather takes the trick with this card in it than not."""
    held = hand(d, d.to_act)
    return _ours(d, card, _unseen(d, held), popcount(held)) > CERTAIN >> 1


def _best_card(d: FastDeal, cards: i64, bella: i64) -> i64:
    """The card that promises most beside what it is worth kept, of equal ones the lowest."""
    held = hand(d, d.to_act)
    unseen = _unseen(d, held)
    size = popcount(held)
    spare = _spare(d, unseen, size)
    given = bella if d.terms.bella_to == BELLA_TO_TRICK_WINNER else 0
    lain = _points_on_table(d)
    best: i64 = lowest(cards)
    most: i64 = -(1 << 40)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        ours = _ours(d, card, unseen, size)
        rate = _lead(d, card, ours, unseen) if d.laid == 0 else _answer(d, card, ours, lain)
        rate -= _keep(d, card, held, unseen, spare)
        if given >> card & 1 and ours > CERTAIN >> 1:
            rate += (ours - (CERTAIN >> 1)) * _BELLA_TAKEN >> 11
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
    opponents = size * (terms.players - terms.players // terms.sides)
    return (count - opponents << 12) // count if count > opponents else 0


def _points_on_table(d: FastDeal) -> i64:
    """Card points of the trick as it lies."""
    points: i64 = 0
    place: i64 = 0
    while place < d.laid:
        points += points_of(d.trick >> (place << 3) & 255, d.trump)
        place += 1
    return points


def _ours(d: FastDeal, card: i64, unseen: i64, size: i64) -> i64:
    """The chance that the own side takes the trick after this card."""
    seat = d.to_act
    sides = d.terms.sides
    players = d.terms.players
    side = seat % sides
    best = card
    winner = seat
    if d.laid > 0 and not beaten_by(d.best, d.trump) >> card & 1:
        best = d.best
        winner = d.best_seat
    led = (d.trick & 255) >> 3 if d.laid > 0 else card >> 3
    ours: i64 = CERTAIN if winner % sides == side else 0
    place = d.laid + 1
    while place < players:
        seat = seat + 1 if seat + 1 < players else 0
        beaten = _beaten(d, seat, best, led, unseen, size)
        if seat % sides == side:
            ours += (CERTAIN - ours) * beaten >> 12
        else:
            ours -= ours * beaten >> 12
        place += 1
    return ours


def _beaten(d: FastDeal, seat: i64, best: i64, led: i64, unseen: i64, size: i64) -> i64:
    """The chance that a seat still to come beats the best card of the trick: in its suit, or by a ruff."""
    may = unseen & ~suits_of(d.voids >> (seat << 2) & 15)
    count = popcount(may)
    if count <= size:
        lacks: i64 = 0
    else:
        lacks = (count - size << 12) // count
    shift = led << 3
    follows = may >> shift & 255
    higher = may & beaten_by(best, d.trump)
    trumps = higher >> (d.trump << 3) & 255
    if led == d.trump:
        return CERTAIN - power(lacks, popcount(trumps))
    void = power(lacks, popcount(follows))
    ruffs = void * (CERTAIN - power(lacks, popcount(trumps))) >> 12
    if best >> 3 != led:
        return ruffs
    return CERTAIN - power(lacks, popcount(higher >> shift & 255)) + ruffs


def _answer(d: FastDeal, card: i64, ours: i64, lain: i64) -> i64:
    """What the trick on the table promises with this card in it."""
    points = points_of(card, d.trump) + lain
    return (ours * points >> 6) - ((CERTAIN - ours) * points * _loss(d) >> 12)


def _loss(d: FastDeal) -> i64:
    """What a point that others take costs: less where there are several of them."""
    return 64 if d.terms.sides == 2 else _LOSS_OF_MANY


def _lead(d: FastDeal, card: i64, ours: i64, unseen: i64) -> i64:
    """What leading a card promises; a trump also draws trumps."""
    points = points_of(card, d.trump)
    rate = (ours * ((points << 6) + _LEAD_SPOILS) >> 12) - ((CERTAIN - ours) * points * _loss(d) >> 12)
    if card >> 3 == d.trump and unseen >> (d.trump << 3) & 255:
        sides = d.terms.sides
        rate += _LEAD_DRAW_MAKER if d.maker % sides == d.to_act % sides else _LEAD_DRAW
    return rate


def _keep(d: FastDeal, card: i64, held: i64, unseen: i64, spare: i64) -> i64:
    """What a card may still win if it is kept."""
    points = points_of(card, d.trump)
    strength = strength_of(card, d.trump)
    if card >> 3 == d.trump:
        return _KEEP_TRUMP + strength * _KEEP_TRUMP_STRENGTH + points * _KEEP_TRUMP_POINTS
    higher = unseen & beaten_by(card, d.trump) & 255 << (card & 24)
    safe = power(spare, popcount(higher))
    wins = safe * (points * _KEEP_POINTS + _KEEP_SPOILS) >> 12
    return wins - ((CERTAIN - safe) * points * _KEEP_RISK >> 12) + strength * _KEEP_STRENGTH
