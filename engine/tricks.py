"""Tricks: what may be played, who takes, what it is worth (R37-R42)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.cards import BEATEN_BY, POINTS, SUIT_BITS, Card, Suit, format_card, suit_of
from engine.errors import Reason
from engine.rules import FirstLead, Overtrump, Rules

LAST_TRICK: Final = 10
"""What the last trick is worth beside its cards (R42)."""

Trick = tuple[tuple[int, Card], ...]
"""Seats and cards in order of play."""


@dataclass(frozen=True, slots=True)
class Tricks:
    """The trick on the table and what has been taken so far.

    `leader` leads, or led, the trick on the table; `last` is the trick before it; `won` counts tricks by seat,
    `points` card points by side, without the last trick's 10.
    """

    first_leader: int
    leader: int
    trick: Trick
    last: Trick
    done: int
    won: tuple[int, ...]
    points: tuple[int, ...]

    @property
    def last_card(self) -> Card | None:
        """The card that took the last trick; None before the first is complete."""
        return next((card for seat, card in self.last if seat == self.leader), None) if self.last else None

    def won_by_side(self, rules: Rules, side: int) -> int:
        """How many tricks a side has taken."""
        return sum(self.won[side :: rules.sides])


def first_leader(rules: Rules, dealer: int, maker: int) -> int:
    """Who leads to the first trick (R37)."""
    return maker if rules.first_lead is FirstLead.MAKER else (dealer + 1) % rules.players


def no_tricks(rules: Rules, leader: int) -> Tricks:
    """The table before the first card."""
    return Tricks(leader, leader, (), (), 0, (0,) * rules.players, (0,) * rules.sides)


def winner_of(trick: Trick, trump: Suit) -> tuple[int, Card]:
    """Seat and card that win the trick as it lies: the highest trump, else the highest of the led suit (R41)."""
    beaten_by = BEATEN_BY[trump]
    seat, best = trick[0]
    for other, card in trick[1:]:
        if beaten_by[best] >> card & 1:
            seat, best = other, card
    return seat, best


def legal_plays(rules: Rules, trump: Suit, hand: int, trick: Trick, seat: int) -> int:
    """The mask of cards that may be played (R38-R40)."""
    if not trick:
        return hand
    led = suit_of(trick[0][1])
    following = hand & SUIT_BITS[led]
    if led == trump:
        return _trumps_on_trump(rules, trump, following, trick, seat) or hand
    if following:
        return following
    trumps = hand & SUIT_BITS[trump]
    if trumps and rules.overtrump is Overtrump.ALWAYS:
        return _trumps_on_trump(rules, trump, trumps, trick, seat)
    return trumps or hand


def _trumps_on_trump(rules: Rules, trump: Suit, trumps: int, trick: Trick, seat: int) -> int:
    """Those of the trumps that beat the trick, if there are any and it must be beaten (R39, R40)."""
    winner, best = winner_of(trick, trump)
    if suit_of(best) != trump:
        return trumps
    if not rules.overtrump_partner and rules.side_of(winner) == rules.side_of(seat):
        return trumps
    return trumps & BEATEN_BY[trump][best] or trumps


def why_not_card(rules: Rules, trump: Suit, hand: int, trick: Trick, seat: int, card: Card) -> Reason | None:
    """Why a card may not be played, or None (R38-R40)."""
    text = format_card(card)
    if not hand >> card & 1:
        return Reason("not_in_hand", f"{text} is not in your hand")
    if legal_plays(rules, trump, hand, trick, seat) >> card & 1:
        return None
    led = suit_of(trick[0][1])
    if suit_of(card) != led and hand & SUIT_BITS[led]:
        return Reason("must_follow_suit", f"{text} does not follow {format_card(trick[0][1])}, and you can (R38)")
    if suit_of(card) != trump:
        return Reason("must_trump", f"{text} is no trump: void in the led suit, you must play one (R38)")
    return Reason("must_overtrump", f"{text} does not beat the highest trump in the trick, and you can (R39)")


def lay(rules: Rules, trump: Suit, tricks: Tricks, seat: int, card: Card) -> Tricks:
    """The table after a card: the trick grows, or is taken and its winner leads (R41)."""
    trick = (*tricks.trick, (seat, card))
    if len(trick) < rules.players:
        return Tricks(tricks.first_leader, tricks.leader, trick, tricks.last, tricks.done, tricks.won, tricks.points)
    winner, _ = winner_of(trick, trump)
    worth = POINTS[trump]
    won = _added(tricks.won, winner, 1)
    points = _added(tricks.points, rules.side_of(winner), sum(worth[played] for _, played in trick))
    return Tricks(tricks.first_leader, winner, (), trick, tricks.done + 1, won, points)


def _added(numbers: tuple[int, ...], place: int, more: int) -> tuple[int, ...]:
    return (*numbers[:place], numbers[place] + more, *numbers[place + 1 :])
