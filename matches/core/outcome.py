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

    `totals`, `stakes` are per side of the match, `winner` is a side; `forfeiter` and `absent` are seats of the match:
    who lost the party by a forfeit, and whose versions could not play when it began.
    """

    totals: tuple[int, ...]
    winner: int | None = None
    stakes: tuple[int, ...] | None = None
    forfeiter: int | None = None
    absent: tuple[int, ...] = ()

    @property
    def forfeiting_sides(self) -> frozenset[int]:
        """The forfeiter's side and every one with an absent seat: whoever of them forfeits, none gains by it."""
        seats = self.absent if self.forfeiter is None else (self.forfeiter, *self.absent)
        return frozenset(seat % len(self.totals) for seat in seats)


@dataclass(frozen=True, slots=True)
class MatchScore:
    """Per side: `points` in the match's unit, `card_points`, the place from 1 (equal sides share it), the outcome.

    `parties`: how many a side has won; None where people reported the match and did not say.
    """

    points: tuple[int, ...]
    card_points: tuple[int, ...]
    places: tuple[int, ...]
    outcomes: tuple[Outcome, ...]
    forfeited_parties: int
    parties: tuple[int, ...] | None = None


def unit_of(rules: Rules) -> Unit:
    """What a match under these rules counts."""
    if rules.short is not None:
        return Unit.STAKES
    return Unit.PARTIES if rules.deals is None else Unit.POINTS


def card_points_of(party: PartyScore, forfeit_points: int) -> tuple[int, ...]:
    """A party's totals; of a forfeited one nothing but a debt for who forfeits, for the others a fixed sum at least.

    Who is behind would gain if his own total were forgotten, and who is ahead would lose by the other's forfeit.
    """
    losers = party.forfeiting_sides
    if not losers:
        return party.totals
    return tuple(
        min(0, total) if side in losers else max(total, forfeit_points) for side, total in enumerate(party.totals)
    )


def score_of(party: PartyScore, forfeit_points: int, unit: Unit = Unit.POINTS) -> tuple[int, ...]:
    """What a party brings each side, in the match's unit.

    A party counts for its winner whatever the totals. A forfeited one counts for every side that has not forfeited,
    wherever it sits; its stakes go from every side that has to every one that has not (R58).
    """
    if unit is Unit.PARTIES:
        return _parties_of(party)
    if unit is Unit.STAKES:
        return _stakes_of(party)
    return card_points_of(party, forfeit_points)


def _parties_of(party: PartyScore) -> tuple[int, ...]:
    losers, sides = party.forfeiting_sides, range(len(party.totals))
    return tuple(int(side not in losers if losers else side == party.winner) for side in sides)


def _stakes_of(party: PartyScore) -> tuple[int, ...]:
    """As the engine has them; where others are absent too, each pays the forfeiter's stake to each side that is not."""
    sides, losers = len(party.totals), party.forfeiting_sides
    if party.stakes is None or len(losers) < 2:
        return party.stakes or (0,) * sides
    each = -min(party.stakes) // (sides - 1)
    return tuple(-each * (sides - len(losers)) if side in losers else each * len(losers) for side in range(sides))


def match_score(parties: Sequence[PartyScore], forfeit_points: int, unit: Unit = Unit.POINTS) -> MatchScore:
    """More over all parties wins, equal at the top is drawn; equal in parties won, the card points decide."""
    points = _sums([score_of(party, forfeit_points, unit) for party in parties])
    card_points = _sums([card_points_of(party, forfeit_points) for party in parties])
    places = _places(list(zip(points, card_points if unit is Unit.PARTIES else points, strict=True)))
    return MatchScore(
        points=points,
        card_points=card_points,
        places=places,
        outcomes=outcomes_of(places),
        forfeited_parties=sum(party.forfeiter is not None for party in parties),
        parties=_sums([_parties_of(party) for party in parties]),
    )


def outcomes_of(places: Sequence[int]) -> tuple[Outcome, ...]:
    """Who alone is first has won; several have drawn; all others have lost, which may be everybody."""
    top = Outcome.WON if places.count(1) == 1 else Outcome.DRAWN
    return tuple(top if place == 1 else Outcome.LOST for place in places)


def is_decided(parties: Sequence[PartyScore], planned: int) -> bool:
    """Whether what is still to be played of a best of so many could change nothing: nobody catches the first any more.

    A party that nobody wins counts as played.
    """
    first, second = sorted(_sums([_parties_of(party) for party in parties]), reverse=True)[:2]
    return first - second > planned - len(parties)


def _sums(scores: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(sum(column) for column in zip(*scores, strict=True))


def _places(counted: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """From 1, more is better; the place after a shared one is left out."""
    return tuple(1 + sum(other > own for other in counted) for own in counted)
