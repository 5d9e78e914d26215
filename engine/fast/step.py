"""What an action does to a deal (R16-R42, R55-R59)."""

from __future__ import annotations

from engine.fast.bits import beaten_by, points_of
from engine.fast.counting import closing_count
from engine.fast.deal import (
    ALL_PASS,
    ANSWERING,
    BID,
    CLOSED,
    DAVA,
    FALSE_CLOSE,
    JACKPOT,
    OFFER_ACCEPTED,
    PLAY,
    PLAYED,
    REDEALT,
    SURRENDERED,
    SWAP,
    FastDeal,
    after,
    after_offer,
    buy_in,
    came,
    exchange,
    trumps_named,
)
from engine.fast.ints import i64
from engine.fast.legal import (
    ACCEPT_CODE,
    ASK_CODE,
    CARD_CODE,
    DAVA_CODE,
    DECLARE_CODE,
    EXCHANGE_CODE,
    OFFER_CODE,
    PAIR,
    PASS_CODE,
    REDEAL_CODE,
    SURRENDER_CODE,
    TAKE_CODE,
    TRUMP_CODE,
)
from engine.fast.sequences import holds_jackpot, holds_sequence, terz_is_good
from engine.fast.terms import (
    BOTTOM_CARD_TOP_AFTER_TRICK_1,
    DAVA_GEOMETRIC,
    DECLARE_AUTO,
    FALSE_CLOSE_NOTHING,
)


def step(d: FastDeal, code: i64) -> None:
    """Does an action of the seat to act; it must be legal, which is not looked at."""
    if d.logging:
        d.log.append(int(d.to_act * 128 + code))
    if code >= CARD_CODE:
        play_card(d, (code - CARD_CODE) >> 1, (code - CARD_CODE) & 1)
    elif d.phase == BID:
        _bid(d, code)
    elif d.phase == PLAY:
        _use(d, code)
    elif d.phase == DAVA:
        _answer(d, code)
    elif d.phase == SWAP:
        _swap(d, code)
    elif code == OFFER_CODE:
        d.phase = ANSWERING
        d.to_act = d.maker
    elif code == ACCEPT_CODE:
        d.end = OFFER_ACCEPTED
    else:
        after_offer(d)


def _bid(d: FastDeal, code: i64) -> None:
    """Trumps named, the next seat's turn, the cards thrown in, or a redeal (R16, R17, R21)."""
    if code == REDEAL_CODE:
        d.end = REDEALT
        d.ender = d.to_act
        return
    d.asked += 1
    if code != PASS_CODE:
        d.trump = d.upcard >> 3 if code == TAKE_CODE else code - TRUMP_CODE
        d.maker = d.to_act
        trumps_named(d)
    elif d.asked == 2 * d.players:
        d.end = ALL_PASS
    else:
        d.to_act = after(d, d.to_act)


def _swap(d: FastDeal, code: i64) -> None:
    """A seat was asked: the next is, or the buy-in follows (R20)."""
    if code == EXCHANGE_CODE:
        exchange(d)
        buy_in(d)
    elif d.asked + 1 == d.players:
        buy_in(d)
    else:
        d.asked += 1
        d.to_act = after(d, d.to_act)


def _use(d: FastDeal, code: i64) -> None:
    """A right in the play."""
    seat: i64 = d.to_act
    if code == EXCHANGE_CODE:
        exchange(d)
    elif code == ASK_CODE:
        d.terz_asked = 1
        d.asker = seat
        d.terz_good = 1 if terz_is_good(d) else 0
    elif code == DECLARE_CODE:
        _declare(d, seat)
    elif code == REDEAL_CODE:
        d.end = REDEALT
        d.ender = seat
    elif code == DAVA_CODE:
        d.phase = DAVA
        d.to_act = 1 - seat
    else:
        _close(d, seat)


def _declare(d: FastDeal, seat: i64) -> None:
    """All sequences of the hand with which a seat came, or comes, to its first card, or its jackpot (R25, R27)."""
    order: i64 = 0
    declared: i64 = d.declared
    while declared:
        declared &= declared - 1
        order += 8
    d.declare_order |= seat << order
    d.declared |= 1 << seat
    if d.terms.jackpot_length and holds_jackpot(d, seat):
        d.end = JACKPOT
        d.ender = seat


def _close(d: FastDeal, seat: i64) -> None:
    """The deal is over, or goes on after a false close where that costs nothing (R55, R56)."""
    d.ender = seat
    if d.totals[seat & d.side_mask] + closing_count(d, seat) >= d.terms.target:
        d.end = CLOSED
    elif d.terms.false_close == FALSE_CLOSE_NOTHING:
        d.barred |= 1 << seat
        d.ender = -1
    else:
        d.end = FALSE_CLOSE


def _answer(d: FastDeal, code: i64) -> None:
    """The deal is over, or goes on for a higher stake, the turn of whoever raised it (R59)."""
    if code == SURRENDER_CODE:
        d.end = SURRENDERED
        d.ender = d.to_act
        return
    d.stake = 2 * d.stake if d.terms.dava == DAVA_GEOMETRIC else d.stake + 1
    d.raiser = d.to_act
    d.phase = PLAY
    d.to_act = 1 - d.to_act


def play_card(d: FastDeal, card: i64, with_bella: i64) -> None:
    """A card of the seat to act: the trick, the declarations of the moment, the end of the deal (R27, R33-R42)."""
    seat: i64 = d.to_act
    bit: i64 = 1 << card
    d.held &= ~bit
    d.gone |= bit
    if with_bella:
        d.bella_seat = seat
    if not d.laid:
        d.trick = card
        d.laid = 1
        d.best = card
        d.best_seat = seat
    else:
        if (card ^ d.trick) & 24:
            _note_void(d, seat, card)
        d.trick |= card << (d.laid << 3)
        d.laid += 1
        if (beaten_by(d.best, d.trump) >> card) & 1:
            d.best = card
            d.best_seat = seat
    if d.laid < d.players:
        d.to_act = seat + 1 if seat + 1 < d.players else 0
    else:
        _take(d)
    if not (d.comes >> seat) & 1:
        d.comes |= 1 << seat
        if d.terms.declare == DECLARE_AUTO and not d.forced and holds_sequence(came(d, seat)):
            _declare(d, seat)
    if not d.laid and d.end < 0:
        if d.done == 1 and d.terms.bottom_card == BOTTOM_CARD_TOP_AFTER_TRICK_1:
            d.bottom = d.stock
        if not d.held:
            d.end = PLAYED


def _note_void(d: FastDeal, seat: i64, card: i64) -> None:
    """Who does not follow has none of the led suit, and who does not trump then has no trumps (R38)."""
    void: i64 = 1 << ((d.trick >> 3) & 3)
    if card >> 3 != d.trump:
        void |= 1 << d.trump
    d.voids |= void << (seat << 2)


def _take(d: FastDeal) -> None:
    """A complete trick is taken, and its winner leads (R35, R41)."""
    winner: i64 = d.best_seat
    side: i64 = winner & d.side_mask
    points: i64 = 0
    cards: i64 = d.trick
    left: i64 = d.laid
    while left > 0:
        points += points_of(cards & 255, d.trump)
        cards >>= 8
        left -= 1
    d.points += points << (side << 4)
    d.won += 1 << (winner << 3)
    d.bella_own += ((PAIR << (d.trump << 3)) >> d.best) & 1
    if d.bella_seat >= 0 and d.bella_side < 0:
        d.bella_side = side
    d.last = d.trick
    d.last_leader = d.leader
    d.last_card = d.best
    d.leader = winner
    d.to_act = winner
    d.trick = 0
    d.laid = 0
    d.done += 1
