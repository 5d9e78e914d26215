"""Worlds: whole deals drawn so that they fit all that one seat knows.

`engine.bots.knowledge` reads what is certain from a view into a `Hidden`. Cards are laid where they may lie; the pack
that deals them is put together and the deal's actions are played over again; what would have come out otherwise than
the table saw it is drawn again. What players would probably have done with other cards is a weight by which worlds are
kept or drawn again.

Each arrangement is as likely as any other while nothing shuts cards out of hands. Where several hands lack suits it is
about so: in views small enough to count them all, one came up to about twice as often as its share. Runs that several
hands must hold are chosen for each by itself, and there some come up to four times as often, or half.
"""

from __future__ import annotations

from typing import Final

from engine.fast.bits import M32, nth, popcount
from engine.fast.chance import Chance
from engine.fast.deal import FastDeal, begin
from engine.fast.hidden import Hidden
from engine.fast.ints import i64
from engine.fast.likely import likely
from engine.fast.step import step
from engine.fast.telling import shows_alike, tells_alike
from engine.fast.terms import SEVEN_SWAP_BUY_IN

LIKELY: Final = 3
CERTAIN: Final = 2
GOING_ON: Final = 1
NONE: Final = 0
_FIRST_CARDS: Final = 6
_MORE_TRIES: Final = 32
_TRIES_A_CALL: Final = 64
_EXCHANGES: Final = 2
"""So many times the number of hidden cards two of them change places. Ten times as many make little even that these
do not: changes of two cards do not always lead from one arrangement to every other."""


def draw(h: Hidden, chance: Chance, d: FastDeal, tries: i64) -> i64:
    """Makes `d` a world as it stands at the moment of the view.

    Of `tries` that fit the first likely one is taken (LIKELY), else the last (CERTAIN). NONE: so many times 32 were
    laid and none fits. GOING_ON: 64 were laid in this call, and the next goes on from there, so that whoever has to
    answer in time can look at a clock.
    """
    last: i64 = h.laid + _TRIES_A_CALL
    while h.laid < tries * _MORE_TRIES:
        if h.laid == last:
            return GOING_ON
        h.laid += 1
        if lay(h, chance) and tells_alike(h) and once(h, chance) and compose(h, chance) and replay(h, d):
            h.fitting += 1
            if likely(h, d, chance):
                return drawn_as(h, LIKELY)
            if h.fitting >= tries:
                return drawn_as(h, CERTAIN)
    return drawn_as(h, NONE)


def drawn_as(h: Hidden, found: i64) -> i64:
    """The answer, after which the next drawing begins anew."""
    h.laid = 0
    h.fitting = 0
    return found


def lay(h: Hidden, chance: Chance) -> bool:
    """Lays the unseen cards into the hands; False if this try came to nothing."""
    seats: i64 = len(h.sure)
    seat: i64 = 0
    while seat < seats:
        h.hands[seat] = h.sure[seat]
        h.want[seat] = h.need[seat]
        h.told[seat] = 0
        seat += 1
    left: i64 = h.unseen
    for place in h.order:
        seat = place
        if len(h.anchors[seat]) > 0:
            run = lay_run(h, chance, seat, left)
            if run < 0:
                return False
            left &= ~run
    loose: i64 = left
    for place in h.order:
        seat = place
        drawn = draw_hand(h, chance, seat, left)
        if drawn < 0:
            return False
        h.hands[seat] = int(h.hands[seat] | drawn)
        h.want[seat] = 0
        left &= ~drawn
    if h.bound and len(h.order) > 1:
        mix(h, chance, loose)
    return True


def lay_run(h: Hidden, chance: Chance, seat: i64, left: i64) -> i64:
    """Gives a seat one of the runs that it may have announced; the cards laid for it, -1 if they are not there."""
    shares = h.shares[seat]
    number: i64 = chance.below(shares[len(shares) - 1])
    place: i64 = 0
    while shares[place] <= number:
        place += 1
    anchor: i64 = h.anchors[seat][place]
    held: i64 = h.sure[seat] | h.played[seat]
    more: i64 = (anchor & M32) & ~held
    if more & ~left or popcount(more) > h.want[seat]:
        return -1
    h.hands[seat] = int(h.hands[seat] | more)
    h.want[seat] = int(h.want[seat] - popcount(more))
    h.told[seat] = int(anchor >> 32)
    return more


def once(h: Hidden, chance: Chance) -> bool:
    """Keeps by chance what was laid: a hand that several of its seat's runs lead to is drawn as often as another."""
    for seat in h.order:
        held: i64 = h.hands[seat] | h.played[seat]
        ways: i64 = 0
        for packed in h.anchors[seat]:
            anchor: i64 = packed
            if anchor >> 32 == h.told[seat] and anchor & M32 & ~held == 0:
                ways += 1
        if ways > 1 and chance.below(ways) > 0:
            return False
    return True


def draw_hand(h: Hidden, chance: Chance, seat: i64, left: i64) -> i64:
    """The cards drawn for a seat, so that those for the others are left; -1 if there are not enough."""
    drawn: i64 = 0
    allowed: i64 = left & ~h.absent[seat]
    want: i64 = h.want[seat]
    count: i64 = popcount(allowed)
    if count < want:
        return -1
    alone: bool = len(h.order) == 1 or not h.bound
    while want > 0:
        if count == 0:
            return -1
        card: i64 = 1 << nth(allowed, chance.below(count))
        allowed &= ~card
        count -= 1
        h.want[seat] = int(want - 1)
        if alone or enough(h, left & ~card):
            drawn |= card
            left &= ~card
            want -= 1
    return drawn


def enough(h: Hidden, left: i64) -> bool:
    """Whether any of the other hands together find as many cards as they want among these (Hall's condition)."""
    seats: i64 = len(h.order)
    group: i64 = 1
    while group < 1 << seats:
        found: i64 = 0
        want: i64 = 0
        place: i64 = 0
        while place < seats:
            if group >> place & 1:
                seat: i64 = h.order[place]
                found |= left & ~h.absent[seat]
                want += h.want[seat]
            place += 1
        if popcount(found) < want:
            return False
        group += 1
    return True


def mix(h: Hidden, chance: Chance, loose: i64) -> None:
    """Lets pairs of cards change places where both may lie in the other's, so that arrangements grow more even."""
    count = popcount(loose)
    times: i64 = count * _EXCHANGES
    while times > 0:
        times -= 1
        one: i64 = 1 << nth(loose, chance.below(count))
        other: i64 = 1 << nth(loose, chance.below(count))
        mine = whose(h, one)
        theirs = whose(h, other)
        if mine != theirs and may_hold(h, mine, other) and may_hold(h, theirs, one):
            change(h, mine, one, other)
            change(h, theirs, other, one)


def whose(h: Hidden, card: i64) -> i64:
    """The seat in whose hand this bit lies, -1 for the stock."""
    for seat in h.order:
        if h.hands[seat] & card:
            return seat
    return -1


def may_hold(h: Hidden, seat: i64, card: i64) -> bool:
    """Whether this bit may lie in a seat's hand, or in the stock."""
    return seat < 0 or h.absent[seat] & card == 0


def change(h: Hidden, seat: i64, gone: i64, come: i64) -> None:
    """One card of a seat for another; in the stock there is nothing to change."""
    if seat >= 0:
        h.hands[seat] = int(h.hands[seat] & ~gone | come)


def compose(h: Hidden, chance: Chance) -> bool:
    """Puts the pack together that deals these hands; False if the upcard can be nobody's who exchanged for it."""
    seats: i64 = len(h.hands)
    upcard: i64 = h.upcard
    h.deck.clear()
    seat: i64 = 0
    while seat < seats:
        held: i64 = h.hands[seat] | h.played[seat]
        early: i64 = 0
        if seat == h.swapper:
            seven: i64 = 1 << (h.trump << 3)
            # Who asked had the nine and the eight before (R22), so neither was the upcard.
            trumps: i64 = held & ((255 if h.asked < 0 else 248) << (h.trump << 3))
            if trumps == 0:
                return False
            upcard = nth(trumps, chance.below(popcount(trumps)))
            held = held & ~(1 << upcard) | seven
            early = seven if h.terms.seven_swap == SEVEN_SWAP_BUY_IN else 0
        if seat == h.taker:
            held &= ~(1 << upcard)
        h.dealt[seat] = int(held)
        h.first[seat] = int(some(held & ~early, _FIRST_CARDS - popcount(early), chance) | early)
        seat += 1
    lay_pack(h, chance, upcard)
    return True


def some(cards: i64, count: i64, chance: Chance) -> i64:
    """So many of these cards, every choice as likely."""
    over: i64 = popcount(cards)
    while over > count:
        cards &= ~(1 << nth(cards, chance.below(over)))
        over -= 1
    return cards


def lay_pack(h: Hidden, chance: Chance, upcard: i64) -> None:
    """The pack, first card on top: first cards in packets, the upcard, what each bought, the rest (R8-R10)."""
    t = h.terms
    left: i64 = M32 & ~(1 << upcard)
    place: i64 = 0
    seat: i64 = h.dealer
    given: i64 = 0
    while place < _FIRST_CARDS * t.players:
        if place % t.packet == 0:
            seat = 0 if seat + 1 == t.players else seat + 1
        card: i64 = nth(h.first[seat] & left, 0)
        left &= ~(1 << card)
        h.deck.append(int(card))
        place += 1
    h.deck.append(int(upcard))
    if h.bought:
        count: i64 = 0
        while count < t.players:
            count += 1
            seat = (h.dealer + count) % t.players
            given = h.dealt[seat] & ~h.first[seat]
            left &= ~given
            deal_out(h, chance, given)
    last: i64 = -1
    if h.bottom >= 0:
        left &= ~(1 << h.bottom)
        if h.lies_last:
            last = h.bottom
        else:
            h.deck.append(int(h.bottom))
    deal_out(h, chance, left)
    if last >= 0:
        h.deck.append(int(last))


def deal_out(h: Hidden, chance: Chance, cards: i64) -> None:
    """Lays these cards onto the pack in random order."""
    count = popcount(cards)
    while count > 0:
        card: i64 = nth(cards, chance.below(count))
        cards &= ~(1 << card)
        h.deck.append(int(card))
        count -= 1


def replay(h: Hidden, d: FastDeal) -> bool:
    """Deals the pack and plays the deal's actions over again; False if it ends on the way, or an answer is another."""
    d.deck = h.deck
    d.totals = h.totals
    begin(d, h.dealer, h.forced)
    for code in h.codes:
        if d.end >= 0:
            return False
        step(d, code)
    return d.end < 0 and (h.asked < 0 or d.terz_good == h.asked) and shows_alike(h, d)
