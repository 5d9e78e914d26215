"""From parties to the result of a match. Whole numbers only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class PartyScore:
    """One finished party, by match seat (not by table seat): the side's total of each, and who forfeited, if any."""

    totals: tuple[int, ...]
    forfeiter: int | None = None


@dataclass(frozen=True, slots=True)
class MatchScore:
    points: tuple[int, ...]
    outcomes: tuple[Outcome, ...]
    forfeited_parties: int


def score_of(party: PartyScore, forfeit_points: int) -> tuple[int, ...]:
    """What a party brings each match seat: its totals; forfeited, 0 for the forfeiter and a fixed sum for the rest."""
    if party.forfeiter is None:
        return party.totals
    return tuple(0 if seat == party.forfeiter else forfeit_points for seat in range(len(party.totals)))


def match_score(parties: Sequence[PartyScore], forfeit_points: int) -> MatchScore:
    """More points over all parties wins; equal at the top is drawn."""
    scores = [score_of(party, forfeit_points) for party in parties]
    points = tuple(sum(column) for column in zip(*scores, strict=True))
    best = max(points)
    leaders = points.count(best)
    top = Outcome.WON if leaders == 1 else Outcome.DRAWN
    return MatchScore(
        points=points,
        outcomes=tuple(top if own == best else Outcome.LOST for own in points),
        forfeited_parties=sum(party.forfeiter is not None for party in parties),
    )
