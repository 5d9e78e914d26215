"""What the bots that sample have in common: worlds until the budget is over, and the action that did best in them.

The one place of the engine with a clock: a budget is time. At a fixed number of worlds no clock is read, and the
answer depends on the view and the source of chance alone.
"""

from __future__ import annotations

import random
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Final

from engine.actions import ACTIONS, ASK, DECLARE, EXCHANGE, Action
from engine.bots.greedy import Greedy
from engine.bots.knowledge import CODES, know
from engine.bots.worlds import hidden_of
from engine.cards import BEATEN_BY, POINTS, SUIT_BITS, Card, mask_of
from engine.fast.chance import Chance
from engine.fast.hidden import Hidden
from engine.fast.terms import bounded
from engine.fast.weighing import Weighing
from engine.rules import BellaTo
from engine.view import View

Clock = Callable[[], float]

BUDGET_MS: Final = 50
MOST: Final = 10**9
"""The highest number of either setting."""

_BY_RULE: Final = (ASK, DECLARE, EXCHANGE)
"""Rights that `greedy` judges well, and after which the seat is still to act."""


class Sampling(ABC):
    """A bot that weighs what it may do in worlds which fit its view.

    Either `budget_ms`, by a monotonic `clock` in seconds, or `worlds`, their number. A world begun within the budget is
    weighed to its end: compiled that takes no more than a few ms, as plain Python some ten. What cannot be weighed,
    because no world is found or there is no time for one, is answered as `greedy` does.
    """

    def __init__(self, budget_ms: int | None = None, worlds: int | None = None, clock: Clock = time.monotonic) -> None:
        if budget_ms is not None and worlds is not None:
            raise ValueError("either budget_ms or worlds: a number of worlds takes the time that it takes")
        if not all(1 <= number <= MOST for number in (budget_ms, worlds) if number is not None):
            raise ValueError(f"budget_ms and worlds are numbers from 1 to {MOST}")
        self.worlds = worlds
        self.budget_ms = None if worlds is not None else budget_ms or BUDGET_MS
        self._clock = clock
        self._greedy = Greedy()

    def choose(self, view: View, rng: random.Random) -> Action:
        """A legal action; at a fixed number of worlds the same for the same view and `rng`."""
        until = None if self.budget_ms is None else self._clock() + self.budget_ms / 1000
        plain = self._greedy.choose(view, rng)
        actions = worth_weighing(view)
        if len(view.legal) == 1 or plain in _BY_RULE or not actions:
            return plain
        if len(actions) == 1:
            return actions[0]
        hidden = hidden_of(know(view))
        codes = [CODES[action.text] for action in actions]
        side = view.rules.side_of(view.seat)
        waiting = bounded(sum(pool.points for pool in view.waiting))
        weighing = Weighing(hidden, codes, side, _by_side(view.baits), waiting)
        chance = Chance(rng.getrandbits(62), 0)
        self._weigh(view, weighing, hidden, chance, until)
        return _best(weighing, plain)

    def _weigh(self, view: View, weighing: Weighing, hidden: Hidden, chance: Chance, until: float | None) -> None:
        while self._goes_on(weighing, until) and self.weigh_more(view, weighing, hidden, chance):
            pass

    def _goes_on(self, weighing: Weighing, until: float | None) -> bool:
        if until is None:
            return self.worlds is not None and weighing.worlds < self.worlds
        return self._clock() < until

    @abstractmethod
    def weigh_more(self, view: View, weighing: Weighing, hidden: Hidden, chance: Chance) -> bool:
        """Weighs in one more world, or looks for one for some time and no longer; False if there is none."""


def worth_weighing(view: View) -> list[Action]:
    """What is legal, without what is as good as another, or never better.

    Of touching cards that are worth the same one is enough; bella that its holder scores is said as soon as may be.
    """
    legal = [action for action in view.legal if action not in _BY_RULE]
    said = {action.card for action in legal if action.bella}
    if view.rules.bella_to is BellaTo.HOLDER:
        legal = [action for action in legal if action.bella or action.card is None or action.card not in said]
    return [action for place, action in enumerate(legal) if not _has_equal(view, action, legal[:place], said)]


def _has_equal(view: View, action: Action, others: Sequence[Action], said: set[Card | None]) -> bool:
    if action.card is None or view.trump is None:
        return False
    if action.bella:
        return any(other.bella and other.card is not None and _touch(view, action.card, other.card) for other in others)
    plays = (other.card for other in others if other.card is not None and not other.bella)
    return action.card not in said and any(card not in said and _touch(view, action.card, card) for card in plays)


def _touch(view: View, one: int, other: int) -> bool:
    """Whether two cards of the hand are worth the same and nobody else's card stands between them."""
    trump, suit = view.trump, one >> 3
    if trump is None or other >> 3 != suit or POINTS[trump][one] != POINTS[trump][other]:
        return False
    above, below = BEATEN_BY[trump][one], BEATEN_BY[trump][other]
    between = (above ^ below) & SUIT_BITS[suit] & ~view.hand
    return not between & ~_played(view)


def _played(view: View) -> int:
    """The cards of complete tricks."""
    plays = [line for line in view.history if " play:" in line]
    complete = len(plays) - len(view.trick)
    return mask_of(card for line in plays[:complete] if (card := ACTIONS[CODES[line[2:]]].card) is not None)


def _by_side(numbers: Sequence[int]) -> int:
    """Small numbers by side, eight bits each."""
    return sum(min(number, 255) << 8 * side for side, number in enumerate(numbers))


def _best(weighing: Weighing, plain: Action) -> Action:
    """The action that came to most; of equal ones `greedy`'s, if it is among them."""
    if weighing.worlds == 0:
        return plain
    most = max(weighing.sums)
    best = [ACTIONS[code] for code, total in zip(weighing.codes, weighing.sums, strict=True) if total == most]
    return plain if plain in best else best[0]
