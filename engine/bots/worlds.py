"""Worlds that fit a view: where the hidden cards may lie, drawn by chance (the drawing is `engine.fast.worlds`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Final

from engine.bots.knowledge import Knowledge, Saying, know
from engine.cards import ALL_SUITS, Card
from engine.deal import Phase
from engine.fast.chance import Chance
from engine.fast.deal import FastDeal, hand
from engine.fast.hidden import SAID_HEIGHT, SAID_KIND, SAID_LEADING, Hidden
from engine.fast.terms import bounded, terms_of
from engine.fast.worlds import GOING_ON, NONE, draw, replay
from engine.rules import BottomCard, Rules
from engine.sequences import SequenceKind
from engine.view import View

TRIES: Final = 24
"""So many worlds that fit are looked at for one that is likely, too."""

_KINDS: Final = (SequenceKind.TERZ, SequenceKind.FIFTY, SequenceKind.HUNDRED)
_RANK_BIT: Final = 32
_MOST_RUNS: Final = 32


@dataclass(frozen=True, slots=True)
class World:
    """Every card's place: the hands now, as masks by seat, and the pack that dealt them, first card on top."""

    hands: tuple[int, ...]
    deck: tuple[Card, ...]


class Worlds:
    """Draws worlds that fit all that a view says.

    `deal` is the last world as a `FastDeal` at the moment of the view, until the next is drawn.
    """

    __slots__ = ("_hidden", "deal")

    def __init__(self, view: View) -> None:
        self._hidden = hidden_of(know(view))
        self.deal = FastDeal(self._hidden.terms)

    def deal_next(self, chance: Chance, tries: int = TRIES) -> bool:
        """Makes `deal` another world; False if none was found, which takes a certain number of tries and no longer."""
        while (found := draw(self._hidden, chance, self.deal, tries)) == GOING_ON:
            pass
        return found != NONE

    def draw(self, chance: Chance) -> World | None:
        """A world by itself; None if none was found."""
        if not self.deal_next(chance):
            return None
        seats = range(len(self._hidden.sure))
        return World(tuple(hand(self.deal, seat) for seat in seats), tuple(map(Card, self.deal.deck)))


def seat_world(view: View, world: World) -> FastDeal:
    """The deal of a view with every card where the world has it; raises ValueError if they do not fit."""
    hidden = hidden_of(know(view))
    hidden.deck = list(world.deck)
    deal = FastDeal(hidden.terms)
    if not replay(hidden, deal) or tuple(hand(deal, seat) for seat in range(view.rules.players)) != world.hands:
        raise ValueError("this world is none of the view's")
    return deal


def hidden_of(known: Knowledge) -> Hidden:
    """What is known, as the numbers that worlds are drawn from."""
    view, rules = known.view, known.view.rules
    seats = range(rules.players)
    others = [seat for seat in seats if seat != view.seat]
    hidden = Hidden(terms_of(rules), view.seat, view.dealer)
    hidden.unseen = known.unseen
    hidden.trump = -1 if view.trump is None else view.trump
    hidden.upcard, hidden.forced, hidden.swapper = view.upcard, known.forced, known.swapper
    hidden.taker, hidden.bought = known.taker, view.phase in (Phase.PLAY, Phase.DAVA)
    hidden.bottom, hidden.lies_last = known.bottom, rules.bottom_card is BottomCard.SHOWN
    hidden.opened, hidden.asked = known.open, -1 if known.asked is None else known.asked
    hidden.bound = any(known.absent[seat] & known.unseen for seat in others)
    hidden.order = sorted(others, key=lambda seat: _choice(known, seat))
    hidden.sure, hidden.need, hidden.absent = list(known.sure), list(known.need), list(known.absent)
    hidden.played, hidden.codes = list(known.played), list(known.codes)
    hidden.totals = [*map(bounded, view.totals), 0, 0, 0][:4]
    hidden.sayings, hidden.shown = [_packed(saying) for saying in known.sayings], list(known.shown)
    hidden.anchors, hidden.shares = [[] for _ in seats], [[] for _ in seats]
    for saying, tops in zip(known.sayings, _tops(known.sayings), strict=True):
        if saying.kind is not None and saying.seat != view.seat and not known.shown[saying.seat]:
            _anchor(hidden, known, saying.seat, saying.kind, tops)
    # Of two seats whose runs are in each other's way the one with fewer to choose from comes first.
    hidden.order.sort(key=lambda seat: len(hidden.anchors[seat]) or _MOST_RUNS)
    for drawn in (hidden.hands, hidden.dealt, hidden.first, hidden.want, hidden.told):
        drawn.extend(0 for _ in seats)
    return hidden


def _choice(known: Knowledge, seat: int) -> int:
    """How many cards more a seat may hold than it does."""
    return (known.unseen & ~known.absent[seat]).bit_count() - known.need[seat]


def _packed(saying: Saying) -> int:
    kind = _KINDS.index(saying.kind) + 1 if saying.kind else 0
    heights = saying.height + 1 << SAID_HEIGHT | saying.leading + 1 << SAID_LEADING
    return saying.seat | kind << SAID_KIND | heights


def _tops(sayings: Sequence[Saying]) -> list[range]:
    """The ranks from which each sequence announced may run, by all that was said after it too (R32)."""
    tops = [range(8)] * len(sayings)
    leader = -1
    for place, saying in enumerate(sayings):
        if saying.kind is None:
            continue
        if leader >= 0 and saying.kind is sayings[leader].kind:
            if saying.leading >= 0:
                tops[leader] = range(saying.leading, saying.leading + 1)
            if saying.height < 0:
                tops[place] = range(tops[leader][0])
                continue
            tops[place] = range(saying.height, saying.height + 1)
        leader = place
    return tops


def _anchor(hidden: Hidden, known: Knowledge, seat: int, kind: SequenceKind, tops: range) -> None:
    """The runs that a seat may have announced, each weighed by how many hands it leaves open.

    So few hands hold a given sequence that worlds are not drawn until one does.
    """
    total, held, place = 0, known.sure[seat] | known.played[seat], _KINDS.index(kind) + 1
    free, length = known.unseen & ~known.absent[seat], _length(known.view.rules, kind)
    for suit in ALL_SUITS:
        for top in tops:
            if top < length - 1:
                continue
            run = ((1 << length) - 1) << 8 * suit + top - length + 1
            more = (run & ~held).bit_count()
            if run & ~held & ~free or more > known.need[seat]:
                continue
            total += comb(free.bit_count() - more, known.need[seat] - more)
            hidden.anchors[seat].append(run | (place << 3 | top) << _RANK_BIT)
            hidden.shares[seat].append(total)


def _length(rules: Rules, kind: SequenceKind) -> int:
    """How many cards such a sequence has."""
    if kind is SequenceKind.HUNDRED:
        return rules.hundred or 5
    return 4 if kind is SequenceKind.FIFTY else 3
