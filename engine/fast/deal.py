"""`FastDeal`: one deal on plain numbers, and how its cards are dealt (R8-R11, R18-R20)."""

from __future__ import annotations

from typing import Final, final

from engine.fast.bits import M32
from engine.fast.ints import i64
from engine.fast.terms import (
    BOTTOM_CARD_SHOWN,
    FIRST_LEAD_MAKER,
    SEVEN_SWAP_BUY_IN,
    UPCARD_DEALER,
    UPCARD_MAKER,
    UPCARD_TABLE,
    Terms,
)

BID: Final = 0
OFFERING: Final = 1
ANSWERING: Final = 2
SWAP: Final = 3
PLAY: Final = 4
DAVA: Final = 5
"""`phase`: the place of the phase in `engine.deal.Phase`."""

PLAYED: Final = 0
ALL_PASS: Final = 1
REDEALT: Final = 2
OFFER_ACCEPTED: Final = 3
CLOSED: Final = 4
FALSE_CLOSE: Final = 5
JACKPOT: Final = 6
SURRENDERED: Final = 7
FAULT: Final = 9
"""`end`: the place of the end in `engine.deal.End`; -1 while the deal is played."""


@final
class FastDeal:
    """The whole state of one deal, hidden cards included; -1 stands for nobody and nothing.

    Cards are 0..31, hands are masks, seats are numbers; small numbers by seat are packed, seat 0 lowest.

    - `held`: all cards now in hands; `own0`, `own1`: the two bits of the seat that a card was dealt to, kept when it
      is played; `dealt`: cards that are or were in a hand, after exchanges; `first`: anybody's first six (R8).
    - `buys`: the cards of the buy-in from the top, five bits each; `stock`: the card above them that nobody is dealt
      (R11), `under`: the last of the pack.
    - `phase`, `end`: as the constants above; `asked`: who has bid, or been asked in the phase swap.
    - `trick`: the cards on the table from the leader on, eight bits each, `laid` of them, `best` of `best_seat`
      winning; `last`: the trick before, `last_leader` led it and `last_card` took it.
    - `done`: complete tricks; `won`: by seat, eight bits each; `points`: card points by side, 16 bits each.
    - `comes`: seats that have played their first card; `declared`: seats that declared, `declare_order`: in which
      order, eight bits each.
    - `terz_asked`, `asker`, `terz_good`: R22's question, who asked and the answer (0 no, 1 yes); `swapped`: who
      exchanged.
    - `bella_seat` said it; `bella_side` took the trick it was said in; `bella_own`: as `engine.bella.Bella`.
    - `voids`: suits that a seat was seen not to have, four bits each; `gone`: cards played.
    - `players`, `side_mask`: as in `terms`, asked too often to go there for them.
    - `totals`: by side before the deal, for R55; `log`: seat * 128 + code of every action, if `logging`.
    """

    def __init__(self, terms: Terms) -> None:
        self.terms: Terms = terms
        self.players: i64 = terms.players
        self.side_mask: i64 = terms.side_mask
        self.deck: list[int] = []
        self.totals: list[int] = [0, 0, 0, 0]
        self.log: list[int] = []
        self.logging: i64 = 0
        self.held: i64 = 0
        self.own0: i64 = 0
        self.own1: i64 = 0
        self.dealt: i64 = 0
        self.first: i64 = 0
        self.buys: i64 = 0
        self.stock: i64 = -1
        self.under: i64 = -1
        self.dealer: i64 = 0
        self.to_act: i64 = 0
        self.phase: i64 = 0
        self.asked: i64 = 0
        self.upcard: i64 = 0
        self.trump: i64 = -1
        self.maker: i64 = -1
        self.bottom: i64 = -1
        self.forced: i64 = 0
        self.first_leader: i64 = 0
        self.leader: i64 = 0
        self.trick: i64 = 0
        self.laid: i64 = 0
        self.best: i64 = -1
        self.best_seat: i64 = -1
        self.last: i64 = 0
        self.last_leader: i64 = -1
        self.last_card: i64 = -1
        self.done: i64 = 0
        self.won: i64 = 0
        self.points: i64 = 0
        self.comes: i64 = 0
        self.declared: i64 = 0
        self.declare_order: i64 = 0
        self.terz_asked: i64 = 0
        self.terz_good: i64 = -1
        self.asker: i64 = -1
        self.swapped: i64 = -1
        self.barred: i64 = 0
        self.stake: i64 = 1
        self.raiser: i64 = -1
        self.bella_seat: i64 = -1
        self.bella_side: i64 = -1
        self.bella_own: i64 = 0
        self.voids: i64 = 0
        self.gone: i64 = 0
        self.end: i64 = -1
        self.ender: i64 = -1


def copy_into(d: FastDeal, target: FastDeal) -> None:
    """Makes `target` the same deal.

    The pack and the totals are shared, for no action changes them; the copy keeps no log.
    """
    target.terms = d.terms
    target.players = d.players
    target.side_mask = d.side_mask
    target.deck = d.deck
    target.totals = d.totals
    target.logging = 0
    target.held = d.held
    target.own0 = d.own0
    target.own1 = d.own1
    target.dealt = d.dealt
    target.first = d.first
    target.buys = d.buys
    target.stock = d.stock
    target.under = d.under
    target.dealer = d.dealer
    target.to_act = d.to_act
    target.phase = d.phase
    target.asked = d.asked
    target.upcard = d.upcard
    target.trump = d.trump
    target.maker = d.maker
    target.bottom = d.bottom
    target.forced = d.forced
    target.first_leader = d.first_leader
    target.leader = d.leader
    target.trick = d.trick
    target.laid = d.laid
    target.best = d.best
    target.best_seat = d.best_seat
    target.last = d.last
    target.last_leader = d.last_leader
    target.last_card = d.last_card
    target.done = d.done
    target.won = d.won
    target.points = d.points
    target.comes = d.comes
    target.declared = d.declared
    target.declare_order = d.declare_order
    target.terz_asked = d.terz_asked
    target.terz_good = d.terz_good
    target.asker = d.asker
    target.swapped = d.swapped
    target.barred = d.barred
    target.stake = d.stake
    target.raiser = d.raiser
    target.bella_seat = d.bella_seat
    target.bella_side = d.bella_side
    target.bella_own = d.bella_own
    target.voids = d.voids
    target.gone = d.gone
    target.end = d.end
    target.ender = d.ender


def reset(d: FastDeal) -> None:
    """The table before the pack is dealt: nothing said, nothing played. `totals`, `terms` and `logging` stay."""
    if d.logging:
        d.log.clear()
    d.held = 0
    d.own0 = 0
    d.own1 = 0
    d.dealt = 0
    d.first = 0
    d.phase = BID
    d.asked = 0
    d.trump = -1
    d.maker = -1
    d.bottom = -1
    d.forced = 0
    d.first_leader = -1
    d.leader = -1
    d.trick = 0
    d.laid = 0
    d.best = -1
    d.best_seat = -1
    d.last = 0
    d.last_leader = -1
    d.last_card = -1
    d.done = 0
    d.won = 0
    d.points = 0
    d.comes = 0
    d.declared = 0
    d.declare_order = 0
    d.terz_asked = 0
    d.terz_good = -1
    d.asker = -1
    d.swapped = -1
    d.barred = 0
    d.stake = 1
    d.raiser = -1
    d.bella_seat = -1
    d.bella_side = -1
    d.bella_own = 0
    d.voids = 0
    d.gone = 0
    d.end = -1
    d.ender = -1


def plane(d: FastDeal, seat: i64) -> i64:
    """The cards whose two owner bits say this seat, those included that nobody was dealt."""
    return (d.own0 ^ ((seat & 1) - 1)) & (d.own1 ^ ((seat >> 1) - 1)) & M32


def hand(d: FastDeal, seat: i64) -> i64:
    """The cards that a seat holds now."""
    return (d.own0 ^ ((seat & 1) - 1)) & (d.own1 ^ ((seat >> 1) - 1)) & d.held


def came(d: FastDeal, seat: i64) -> i64:
    """The hand with which a seat came to its first card, or would come now: played cards are still in it (R27)."""
    return (d.own0 ^ ((seat & 1) - 1)) & (d.own1 ^ ((seat >> 1) - 1)) & d.dealt


def give(d: FastDeal, seat: i64, cards: i64) -> None:
    """Puts cards that nobody holds, a mask, into a seat's hand."""
    d.held |= cards
    if seat & 1:
        d.own0 |= cards
    if seat & 2:
        d.own1 |= cards


def begin(d: FastDeal, dealer: i64, forced_maker: i64 = -1) -> None:
    """Deals the pack `d.deck`, and begins the bidding or a forced maker's game (R8, R18)."""
    reset(d)
    t = d.terms
    place: i64 = 0
    seat: i64 = dealer
    while place < 6 * t.players:
        if place % t.packet == 0:
            seat = after(d, seat)
        give(d, seat, 1 << d.deck[place])
        place += 1
    d.upcard = d.deck[place]
    d.buys = 0
    place = t.cards_dealt - 1
    while place > 6 * t.players:
        d.buys = (d.buys << 5) | d.deck[place]
        place -= 1
    d.stock = d.deck[t.cards_dealt] if t.cards_dealt < 32 else -1
    d.under = d.deck[31]
    begin_bidding(d, dealer)
    if forced_maker >= 0:
        d.trump = d.upcard >> 3
        d.maker = forced_maker
        d.forced = 1
        after_offer(d)


def begin_bidding(d: FastDeal, dealer: i64) -> None:
    """The first cards are dealt, and eldest is to speak."""
    d.dealer = dealer
    d.first = d.held
    d.dealt = d.held
    d.to_act = after(d, dealer)


def after(d: FastDeal, seat: i64) -> i64:
    """The seat on the left of a seat."""
    return seat + 1 if seat + 1 < d.players else 0


def may_swap(d: FastDeal) -> bool:
    """Whether this deal has an exchange at all: trumps are the upcard's suit and it lies on the table (R20)."""
    return d.terms.upcard == UPCARD_TABLE and d.upcard >> 3 == d.trump


def trumps_named(d: FastDeal) -> None:
    """What follows the naming: the defender's offer if the table has it, else `after_offer` (R19)."""
    if d.terms.offer >= 0:
        d.phase = OFFERING
        d.to_act = after(d, d.maker)
    else:
        after_offer(d)


def after_offer(d: FastDeal) -> None:
    """The window of R20 before the buy-in if the table has it, else the buy-in."""
    if d.terms.seven_swap == SEVEN_SWAP_BUY_IN and may_swap(d):
        d.phase = SWAP
        d.asked = 0
        d.to_act = after(d, d.dealer)
    else:
        buy_in(d)


def buy_in(d: FastDeal) -> None:
    """The cards after the bidding, each seat's at once from eldest on; then the play begins (R9-R11, R37)."""
    t = d.terms
    taker: i64 = -1
    if t.upcard == UPCARD_DEALER:
        taker = d.dealer
    elif t.upcard == UPCARD_MAKER:
        taker = d.maker
    buys: i64 = d.buys
    seat: i64 = d.dealer
    places: i64 = t.players
    while places > 0:
        places -= 1
        seat = after(d, seat)
        left: i64 = t.buy_in
        cards: i64 = 0
        if seat == taker:
            cards = 1 << d.upcard
            left -= 1
        while left > 0:
            cards |= 1 << (buys & 31)
            buys >>= 5
            left -= 1
        give(d, seat, cards)
    d.dealt = d.held
    d.phase = PLAY
    d.first_leader = d.maker if t.first_lead == FIRST_LEAD_MAKER else after(d, d.dealer)
    d.leader = d.first_leader
    d.to_act = d.first_leader
    if t.bottom_card == BOTTOM_CARD_SHOWN and d.stock >= 0:
        d.bottom = d.under


def exchange(d: FastDeal) -> None:
    """The trump seven of the seat to act for the upcard; the seven then lies on the table (R20)."""
    seven: i64 = d.trump << 3
    d.held &= ~(1 << seven)
    give(d, d.to_act, 1 << d.upcard)
    d.dealt = (d.dealt & ~(1 << seven)) | (1 << d.upcard)
    d.upcard = seven
    d.swapped = d.to_act
