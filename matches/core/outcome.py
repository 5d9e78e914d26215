"""From parties to the result of a match. Whole numbers only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine import Rules


class Unit(StrEnum):
    """What the sides of a match count."""

    POINTS = "points"
    """parties of so many deals: what the sides have written in all of them"""
    PARTIES = "parties"
    """whole parties: how many a side has won"""
    STAKES = "stakes"
    """Short: what the sides have won of each other (R58, R60)"""


class Outcome(StrEnum):
    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class PartyScore:
    """One finished party, seen from the match and not from the table.

    `totals`, `stakes` are per side of the match, `winner` is a side; `forfeiter` is a seat of the match.
    """

    totals: tuple[int, ...]
    winner: int | None = None
    stakes: tuple[int, ...] | None = None
    forfeiter: int | None = None

    @property
    def forfeiting_side(self) -> int | None:
        return None if self.forfeiter is None else self.forfeiter % len(self.totals)


@dataclass(frozen=True, slots=True)
class MatchScore:
    """Per side: `points` in the match's unit, `card_points`, the place from 1 (equal sides share it), the outcome."""

    points: tuple[int, ...]
    card_points: tuple[int, ...]
    places: tuple[int, ...]
    outcomes: tuple[Outcome, ...]
    forfeited_parties: int


def unit_of(rules: Rules) -> Unit:
    """What a match under these rules counts."""
    if rules.short is not None:
        return Unit.STAKES
    return Unit.PARTIES if rules.deals is None else Unit.POINTS


def card_points_of(party: PartyScore, forfeit_points: int) -> tuple[int, ...]:
    """A party's totals; of a forfeited one 0 for the forfeiter's side and a fixed sum for every other."""
    loser = party.forfeiting_side
    if loser is None:
        return party.totals
    return tuple(0 if side == loser else forfeit_points for side in range(len(party.totals)))


def score_of(party: PartyScore, forfeit_points: int, unit: Unit = Unit.POINTS) -> tuple[int, ...]:
    """What a party brings each side, in the match's unit.

    A party counts for its winner whatever the totals, and a forfeit as the engine decided it (protocol §3); where only
    points are counted a forfeit brings what `card_points_of` says.
    """
    if unit is Unit.PARTIES:
        return tuple(int(side == party.winner) for side in range(len(party.totals)))
    if unit is Unit.STAKES:
        return party.stakes or (0,) * len(party.totals)
    return card_points_of(party, forfeit_points)


def match_score(parties: Sequence[PartyScore], forfeit_points: int, unit: Unit = Unit.POINTS) -> MatchScore:
    """More over all parties wins, equal at the top is drawn; equal in parties won, the card points decide."""
    points = _sums([score_of(party, forfeit_points, unit) for party in parties])
    card_points = _sums([card_points_of(party, forfeit_points) for party in parties])
    places = _places(list(zip(points, card_points if unit is Unit.PARTIES else points, strict=True)))
    top = Outcome.WON if places.count(1) == 1 else Outcome.DRAWN
    return MatchScore(
        points=points,
        card_points=card_points,
        places=places,
        outcomes=tuple(top if place == 1 else Outcome.LOST for place in places),
        forfeited_parties=sum(party.forfeiter is not None for party in parties),
    )


def _sums(scores: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(sum(column) for column in zip(*scores, strict=True))


def _places(counted: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """From 1, more is better; the place after a shared one is left out."""
    return tuple(1 + sum(other > own for other in counted) for own in counted)
