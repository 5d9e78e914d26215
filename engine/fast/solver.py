"""Double dummy for two: what a seat takes of the rest when both play perfectly with open cards (R37-R42).

The search asks one question at a time: can the leader take `goal` points of the `rest`? (alpha-beta with a window of
one, R42's 10 among the points.) A search answers with a bound: at least `goal`, and then the leader takes so many or
more; or less, and then so many or fewer. `Solver._exact` narrows the bounds until they meet.

Nothing but sound pruning: bounds from cards that are sure of their tricks (`Solver._sure`), a table of positions
between tricks, and touching cards (`solving.leads`, `Solver._reply`).

At two players the points of all the cards played are the same whoever wins, so most card points are the best play for
whatever grows with one's own points.
"""

from __future__ import annotations

from typing import Final, final

from engine.fast.counting import LAST_TRICK
from engine.fast.deal import FastDeal, hand
from engine.fast.ints import i64
from engine.fast.solving import (
    DRAWN,
    TOPS_AT,
    TRUMPS,
    WHOLE,
    bit_of,
    card_of,
    cheapest,
    laid_out,
    leads,
    points_in,
    points_of,
    replies,
    rounds,
    strongest_of,
    weakest_of,
)

ENTRIES: Final = 1 << 13
"""Positions remembered: more would not fit the processor's nearest caches, and full deals need few."""
UNLIMITED: Final = 1 << 60
UNKNOWN: Final = -1
_STAMPS: Final = 1 << 24
_NEW: Final = -1


@final
class Entry:
    """One position between tricks: both hands, and what the leader takes of the rest.

    `leading`: the leader's cards, from bit 36 on the most it can take, from 44 on the least; `following`: the other's,
    from bit 36 on the number of the search it belongs to; `card`: what was best to lead, 0 unknown.
    """

    __slots__ = ("card", "following", "leading")

    def __init__(self) -> None:
        self.leading: i64 = 0
        self.following: i64 = 0
        self.card: i64 = 0


@final
class Solver:
    """Solves one position after another; what it remembers of one is not used for the next.

    So answers and `nodes`, the positions the last call looked at, depend on that call alone. With a `limit` above 0 a
    call stops after so many: `aborted` is then 1, and a value not known -1.
    """

    def __init__(self) -> None:
        self.limit: i64 = 0
        self.nodes: i64 = 0
        self.aborted: i64 = 0
        self.worth: list[int] = [UNKNOWN] * 32
        self._entries: list[Entry] = [Entry() for _ in range(ENTRIES)]
        self._rounds: list[int] = [_NEW] * (1 << 17)
        self._allowed: i64 = 0
        self._stamp: i64 = 0
        self._trump: i64 = 0
        self._leader: i64 = 0
        self._mine: i64 = 0
        self._theirs: i64 = 0
        self._led: i64 = 0
        self._rest: i64 = 0

    def solve(self, hand0: i64, hand1: i64, trump: i64, to_act: i64, led: i64 = -1) -> i64:
        """Card points that seat 0 takes of what is left, the last trick's 10 among them.

        `led`: the card that the other seat has led, in no hand any more, or -1. -1 if the limit was reached.
        """
        self._begin(hand0, hand1, trump, to_act, led)
        value = self._exact(self._mine, self._theirs, self._led, self._rest, 0, self._rest)
        return value if self.aborted or self._leader == 0 else self._rest - value

    def values(self, hand0: i64, hand1: i64, trump: i64, to_act: i64, led: i64 = -1) -> i64:
        """The mask of the cards that the seat to act may play; `value_of` then tells what seat 0 takes after each.

        Cards whose value was not found within the limit are not in the mask.
        """
        self._begin(hand0, hand1, trump, to_act, led)
        card: i64 = 0
        while card < 32:
            self.worth[card] = UNKNOWN
            card += 1
        if self._led == 0:
            return self._values_of(self._mine, self._theirs)
        taking, losing = replies(self._theirs, self._led)
        return self._values_of(taking, self._mine) | self._values_of(losing, self._mine)

    def value_of(self, card: i64) -> i64:
        """What seat 0 takes of what was left if this card is played, as the last `values` found; -1 unknown."""
        return self.worth[card]

    def solve_deal(self, d: FastDeal) -> i64:
        """`solve` for a deal between two in the phase play: of what is left, the trick on the table among it."""
        return self.solve(hand(d, 0), hand(d, 1), d.trump, d.to_act, d.trick & 31 if d.laid else -1)

    def values_deal(self, d: FastDeal) -> i64:
        """`values` for a deal between two in the phase play."""
        return self.values(hand(d, 0), hand(d, 1), d.trump, d.to_act, d.trick & 31 if d.laid else -1)

    def _begin(self, hand0: i64, hand1: i64, trump: i64, to_act: i64, led: i64) -> None:
        self.nodes = 0
        self.aborted = 0
        self._allowed = self.limit if self.limit > 0 else UNLIMITED
        self._forget()
        self._trump = trump
        self._leader = to_act if led < 0 else 1 - to_act
        self._mine = laid_out(hand1 if self._leader else hand0, trump)
        self._theirs = laid_out(hand0 if self._leader else hand1, trump)
        self._led = bit_of(led, trump) if led >= 0 else 0
        self._rest = points_in(self._mine | self._theirs | self._led)
        if self._theirs:
            self._rest += LAST_TRICK

    def _forget(self) -> None:
        """Makes every remembered position one of an earlier search."""
        self._stamp += 1
        if self._stamp == _STAMPS:
            self._stamp = 1
            for entry in self._entries:
                entry.following = 0

    def _values_of(self, cards: i64, other: i64) -> i64:
        """Finds what each card is worth; touching ones differ by no more than their points do (`solving.leads`)."""
        solved: i64 = 0
        one: i64 = 1
        fresh: i64 = strongest_of(cards, other)
        value: i64 = 0
        before: i64 = 0
        while cards:
            card: i64 = cards & -cards
            cards ^= card
            low: i64 = 0
            high: i64 = self._rest
            if card & fresh == 0:
                between: i64 = points_of(before) - points_of(card)
                low = max(low, value - between)
                high = min(high, value + between)
            value = self._value_after(card, low, high)
            before = card
            if self.aborted:
                break
            number: i64 = card_of(card, self._trump)
            self.worth[number] = self._rest - value if self._leader else value
            solved |= one << number
        return solved

    def _value_after(self, card: i64, low: i64, high: i64) -> i64:
        """What the leader takes after this lead of his, or after this reply to it, known to lie in a range."""
        if self._led == 0:
            return self._exact(self._mine ^ card, self._theirs, card, self._rest, low, high)
        gain: i64 = points_of(self._led) + points_of(card)
        left: i64 = self._rest - gain
        theirs: i64 = self._theirs ^ card
        taking, _ = replies(self._theirs, self._led)
        if theirs == 0:
            return 0 if card & taking else self._rest
        if card & taking == 0:
            return gain + self._exact(self._mine, theirs, 0, left, max(low - gain, 0), min(high - gain, left))
        return left - self._exact(theirs, self._mine, 0, left, max(left - high, 0), min(left - low, left))

    def _exact(self, mine: i64, theirs: i64, led: i64, rest: i64, low: i64, high: i64) -> i64:
        """What the leader takes of the rest, known to lie from `low` to `high`; `led` is 0 or no longer in `mine`."""
        while low < high:
            goal: i64 = (low + high + 1) >> 1
            if led:
                value = self._reply(mine, theirs, led, rest, goal)
            else:
                value = self._lead(mine, theirs, rest, goal)
            if self.aborted:
                return UNKNOWN
            if value >= goal:
                low = value
            else:
                high = value
        return low

    def _lead(self, mine: i64, theirs: i64, rest: i64, goal: i64) -> i64:
        """A bound on what the leader takes of the rest, from `goal` on a lower one, else an upper one; goal <= rest."""
        if goal <= 0:
            return 0
        self.nodes += 1
        if self.nodes > self._allowed:
            self.aborted = 1
            return 0
        if mine & (mine - 1) == 0:
            taking, _ = replies(theirs, mine)
            return 0 if taking else rest
        least: i64 = self._sure(mine, theirs, rest)
        if least >= goal:
            return least
        most: i64 = rest - (self._in_suit(theirs & TRUMPS, mine & TRUMPS, 0) >> TOPS_AT)
        if most < goal:
            return most
        entry: Entry = self._entries[(mine * 0x1B87351 + theirs * 0x0E6546B) >> 22 & ENTRIES - 1]
        key: i64 = theirs | self._stamp << 36
        tried: i64 = 0
        if entry.following == key and entry.leading & 0xFFFFFFFFF == mine:
            most = min(most, entry.leading >> 36 & 255)
            least = max(least, entry.leading >> 44)
            if least >= goal:
                return least
            if most < goal:
                return most
            tried = entry.card
        best, card = self._best_lead(mine, theirs, rest, goal, tried)
        if self.aborted:
            return 0
        if best >= goal:
            least = max(least, best)
        else:
            most = min(most, best)
        entry.leading = mine | most << 36 | least << 44
        entry.following = key
        entry.card = card
        return least if best >= goal else most

    def _best_lead(self, mine: i64, theirs: i64, rest: i64, goal: i64, tried: i64) -> tuple[i64, i64]:
        """The best bound of all leads, the remembered one first, and the card that reached the goal.

        In the order that needed fewest positions: plain cards sure of the trick, cards sure to lose it, open ones, and
        sure trumps, which take their tricks later just as well. An open card is left out if the stronger one that it
        touches missed the goal by more than the points between them.
        """
        best: i64 = -1
        if tried:
            best = self._reply(mine ^ tried, theirs, tried, rest, goal)
            if best >= goal:
                return best, tried
        tried_value: i64 = best
        sure, lost, unsure = leads(mine, theirs)
        touching: i64 = unsure & ~strongest_of(unsure, theirs)
        before: i64 = 0
        value: i64 = 0
        card: i64 = 0
        while sure | lost | unsure:
            if sure & ~TRUMPS:
                card = cheapest(sure & ~TRUMPS)
                sure ^= card
            elif lost:
                card = cheapest(lost & ~TRUMPS or lost)
                lost ^= card
            elif unsure:
                card = unsure & -unsure
                unsure ^= card
            else:
                card = cheapest(sure)
                sure ^= card
            if card & touching:
                value += points_of(before) - points_of(card)
            if card == tried:
                value = tried_value
            elif card & touching == 0 or value >= goal:
                value = self._reply(mine ^ card, theirs, card, rest, goal)
            best = max(best, value)
            if best >= goal:
                return best, card
            before = card
        return best, tried

    def _reply(self, mine: i64, theirs: i64, led: i64, rest: i64, goal: i64) -> i64:
        """A bound, as `_lead`'s, on what the leader takes of the rest after leading a card, no longer in `mine`.

        Of touching replies that take the trick the one with most points, of those that do not the one with fewest:
        the proof is that of `solving.leads`.
        """
        taking, losing = replies(theirs, led)
        taking = strongest_of(taking, mine)
        losing = weakest_of(losing, mine)
        worth: i64 = points_of(led)
        worst: i64 = rest
        value: i64 = 0
        while taking | losing:
            card: i64 = cheapest(taking or losing)
            gain: i64 = worth + points_of(card)
            left: i64 = rest - gain
            if taking:
                taking ^= card
                value = left - self._lead(theirs ^ card, mine, left, left - goal + 1)
            else:
                losing ^= card
                value = gain + self._lead(mine, theirs ^ card, left, goal - gain)
            worst = min(worst, value)
            if worst < goal:
                return worst
        return worst

    def _sure(self, mine: i64, theirs: i64, rest: i64) -> i64:
        """What the leader takes at the least, by leading the cards that are sure of their tricks.

        While the other hand has trumps: those that no card of the suit beats, as long as that hand must follow; leading
        one suit leaves it all its cards of another. Trumps that draw all of the other's, or find none, let the leader
        go on with all that nobody beats, and with every card of a suit once the other is void. What the other throws
        away meanwhile goes to the leader too, and leaves it fewer cards to follow with, so the lowest it could have
        given in each suit are no more than it gives. All the rest, if every card takes a trick.
        """
        trumps: i64 = self._in_suit(mine & TRUMPS, theirs & TRUMPS, 0)
        first: i64 = self._in_suit(mine >> 9 & 255, theirs >> 9 & 255, 9)
        second: i64 = self._in_suit(mine >> 18 & 255, theirs >> 18 & 255, 9)
        third: i64 = self._in_suit(mine >> 27, theirs >> 27, 9)
        if trumps & DRAWN == 0:
            return (trumps & 255) + (first & 255) + (second & 255) + (third & 255)
        if trumps & first & second & third & WHOLE:
            return rest
        return (trumps >> 8 & 255) + (first >> 8 & 255) + (second >> 8 & 255) + (third >> 8 & 255)

    def _in_suit(self, mine: i64, theirs: i64, shift: i64) -> i64:
        """`solving.rounds`, counted once for each pair of holdings."""
        place: i64 = mine << 8 | theirs | (shift & 1) << 16
        found: i64 = self._rounds[place]
        if found < 0:
            found = rounds(mine, theirs, shift)
            self._rounds[place] = found
        return found
