"""How strong whom one met was: Buchholz and Sonneborn-Berger, with their cuts and the rule of unplayed rounds.

Source: FIDE C.07 (in force 1 March 2026) art. 8.1, 9.1, 14, 16. At tables of three and four, for which there is no
such text: a round counts the mean of the table-mates' scores, and Sonneborn-Berger the share of the placement points
won from each of them; at two it is the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from tournaments.standings.legs import Category, Leg
from tournaments.standings.points import PLACE_POINTS, Count, Scheme

PER_TABLE = 6
"""Quarters are counted in sixths, so that the mean of one, two or three table-mates is whole."""


class Cut(StrEnum):
    """Why something does not count."""

    LOWEST = "lowest"
    VOLUNTARY = "voluntary"
    """a voluntarily unplayed round, which goes first (16.5)"""
    HIGHEST = "highest"
    FIRST = "first"
    """the running total after the first round (14.1.1.c)"""


class Shares(NamedTuple):
    """What each round adds, all in parallel. `scores`: the opponent's, in sixths of quarter points; `products`: what
    was won of it. `all_games`: no round went unplayed.
    """

    legs: Sequence[Leg]
    scores: tuple[int, ...]
    products: tuple[int, ...]
    all_games: bool


def adjusted(legs: Sequence[Leg], own: int, scheme: Scheme) -> int:
    """What an entrant's score is worth to those who met him: rounds after he was gone count as drawn (16.3).

    `own`: the points of all legs together.
    """
    if not legs or not legs[-1].category.is_voluntary:
        return own
    return own + sum(scheme.even - leg.points for leg in legs if leg.category is Category.GONE)


def shares(
    legs: Sequence[Leg], own: int, scores: Mapping[int, int], scheme: Scheme, rounds: int, is_round_robin: bool
) -> Shares:
    """What each round adds to an entrant who has `own` points of his own, carried ones not among them.

    `scores`: those of all, adjusted. In a round robin a round without a game adds nothing.
    """
    game = Category.GAME
    if is_round_robin:
        legs = [leg for leg in legs if leg.category is game]
    added, products, all_games = [], [], True
    for leg in legs:
        if leg.category is not game:
            all_games, score = False, _dummy(leg, own, scores, scheme, rounds)
        elif leg.meeting and len(leg.meeting.entrants) == 2:
            score = PER_TABLE * scores[leg.opponents[0]]
        else:
            added.append(_mean(leg.opponents, scores))
            products.append(_product(leg, scores, scheme))
            continue
        added.append(score)
        products.append(score * leg.points)
    return Shares(legs, tuple(added), tuple(products), all_games)


def _dummy(leg: Leg, own: int, scores: Mapping[int, int], scheme: Scheme, rounds: int) -> int:
    """The score of who stands in for nobody: one's own, capped (16.4).

    In a forfeit by the score of whom one was to meet (16.4.1), else by as many draws as there were rounds (16.4.2).
    """
    scheduled = leg.category in (Category.FORFEIT_WIN, Category.FORFEIT_LOSS) and leg.opponents
    cap = _mean(leg.opponents, scores) if scheduled else PER_TABLE * scheme.even * rounds
    return min(PER_TABLE * own, cap)


def _mean(opponents: Sequence[int], scores: Mapping[int, int]) -> int:
    return PER_TABLE // len(opponents) * sum(scores[one] for one in opponents)


def _product(leg: Leg, scores: Mapping[int, int], scheme: Scheme) -> int:
    return sum(sixths * scores[one] for one, sixths in zip(leg.opponents, won_from(leg, scheme), strict=True))


def won_from(leg: Leg, scheme: Scheme) -> tuple[int, ...]:
    """How much of a leg's points came from each opponent, in sixths of quarters; the sum is all of them, but for what
    somebody absent left.

    Where places bring the points, each opponent who came in behind gave a whole share and a level one half of it;
    else all gave alike.
    """
    others, meeting = len(leg.opponents), leg.meeting
    seats = len(meeting.entrants) if meeting else 0
    if meeting is None or not leg.is_played or seats == 2 or meeting.sides or scheme.count is not Count.MATCH:
        return (PER_TABLE * leg.points // others,) * others
    step = PER_TABLE * PLACE_POINTS[seats][0] // (seats - 1)
    place_of = dict(zip(meeting.entrants, meeting.places, strict=True))
    own = meeting.places[leg.seat]
    return tuple(_won(own, place_of[one], step) for one in leg.opponents)


def _won(own: int, other: int, step: int) -> int:
    if own == other:
        return step // 2
    return step if own < other else 0


def cuts(added: Shares, values: Sequence[int], lowest: int, highest: int = 0) -> dict[int, Cut]:
    """Which of the values do not count, by their index; the lowest go before the highest (14.3, 14.4).

    `values`: the scores or the products. The lowest is what comes from the opponent with the lowest score (14.1.1.d),
    but a voluntarily unplayed round goes in its place unless it adds less (16.5.1), and so again for every further cut
    (16.5.2). Of equal ones the first.
    """
    cut: dict[int, Cut] = {}
    left = list(range(len(values)))
    for _ in range(min(lowest, len(left))):
        index, why = _least(added, left, values)
        cut[index] = why
        left.remove(index)
    for _ in range(min(highest, len(left))):
        index = max(left, key=lambda one: (added.scores[one], values[one], -one))
        cut[index] = Cut.HIGHEST
        left.remove(index)
    return cut


def kept(added: Shares, values: Sequence[int], lowest: int, highest: int = 0) -> int:
    """The sum of the values without the cut ones."""
    if added.all_games:
        ordered = sorted(zip(added.scores, values, strict=True))
        return sum([value for _, value in ordered[lowest : max(lowest, len(ordered) - highest)]])
    cut = cuts(added, values, lowest, highest)
    return sum(values) - sum([values[index] for index in cut])


def _least(added: Shares, left: Sequence[int], values: Sequence[int]) -> tuple[int, Cut]:
    least = min(left, key=lambda one: (added.scores[one], values[one]))
    game = Category.GAME
    unplayed = [one for one in left if added.legs[one].category is not game]
    voluntary = [one for one in unplayed if added.legs[one].category.is_voluntary]
    if voluntary:
        first = min(voluntary, key=lambda one: values[one])
        if values[first] >= values[least]:
            return first, Cut.VOLUNTARY
    return least, Cut.LOWEST
