"""Places: entrants in the order of the criteria, and how each of these looked at each of them.

Points are counted in quarters, so that whatever places are shared they are whole: a win is 4, a draw 2. Where every
criterion leaves two entrants equal they share the place; nothing is decided by the order in which they were entered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from tournaments.formats.lots import Lots
from tournaments.formats.meetings import Entrant, Meeting
from tournaments.standings.criteria import (
    CRITERIA,
    DIRECT_ENCOUNTER,
    LESS_IS_BETTER,
    POINTS,
    Event,
    Part,
)
from tournaments.standings.encounter import AVERAGES, Encounter, encounter
from tournaments.standings.legs import Category
from tournaments.standings.points import STANDARD, Scheme
from tournaments.standings.tally import tally_of

DEFAULT = (POINTS, "wins", DIRECT_ENCOUNTER, "point_difference")


@dataclass(frozen=True, slots=True)
class Cell:
    """How one criterion looked at an entrant: its value there, and with how many it was level before and after.

    `value` is in the criterion's `UNIT`; None where direct encounter was silent, or the entrant level with nobody.
    `parts` are the numbers behind it; only `explain` has them.
    """

    criterion: str
    value: int | None
    tied_before: int
    tied_after: int
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the standings; `points` in quarters, carried ones among them; `place` shared by those whom nothing
    but lots separates.

    `played`: meetings with somebody, those that were forfeited too, as wins, draws and losses are. `places`: how often
    first, second, … in what was played, as far as the largest table of all goes, a shared place counted as that place.
    `card_points_for`: what the results were decided by; `card_points_against`: that of all other sides at the same
    tables; `difference`: against each of them, added up. `values`: one for each of the `criteria`; `level`: with how
    many the entrant was level before the first of them, and after each. `entry` and `group` are the services' to fill.
    """

    number: int
    place: int
    played: int
    wins: int
    draws: int
    losses: int
    places: tuple[int, ...]
    points: int
    card_points_for: int
    card_points_against: int
    difference: int
    criteria: tuple[str, ...]
    values: tuple[int | None, ...]
    level: tuple[int, ...]
    entry: str = ""
    group: int | None = None

    @property
    def cells(self) -> tuple[Cell, ...]:
        """What each criterion said."""
        return tuple(map(Cell, self.criteria, self.values, self.level, self.level[1:]))

    @property
    def trail(self) -> tuple[Cell, ...]:
        """What the criteria said as long as the entrant was level with anybody."""
        return tuple(cell for cell in self.cells if cell.tied_before > 1)


class _Ranking:
    """Groups of those who are level, best first, and what every criterion so far has said and left of them.

    `said`: for each criterion the values by number; `level`: before the first and after each, with how many.
    """

    def __init__(self, event: Event) -> None:
        self.event = event
        self.groups: list[tuple[int, ...]] = [event.numbers] if event.numbers else []
        self.said: list[Mapping[int, int]] = []
        self.level: list[dict[int, int]] = [dict.fromkeys(event.numbers, len(event.numbers))]

    def ask(self, criterion: str) -> None:
        """Lets one more criterion part those whom those before it left level; KeyError if there is no such."""
        if criterion == DIRECT_ENCOUNTER:
            said: dict[int, int] = {}
            parted = [self._by_encounter(group, said) for group in self.groups]
        else:
            said, is_less_better = CRITERIA[criterion].values(self.event), criterion in LESS_IS_BETTER
            parted = [_by_value(group, said, is_less_better) for group in self.groups]
        self.said.append(said)
        self.groups = [part for parts in parted for part in parts]
        self.level.append({number: len(part) for part in self.groups for number in part})

    def _by_encounter(self, group: tuple[int, ...], said: dict[int, int]) -> Sequence[tuple[int, ...]]:
        found = encounter_of(self.event, group)
        if found is None:
            return (group,)
        said.update(found.values)
        return found.groups

    def values_of(self, number: int) -> tuple[int | None, ...]:
        return tuple([said.get(number) for said in self.said])

    def level_of(self, number: int) -> tuple[int, ...]:
        return tuple([level[number] for level in self.level])


def encounter_of(event: Event, group: Sequence[int]) -> Encounter | None:
    return encounter(group, event.legs, event.scheme, by_places=event.seats > 2) if len(group) > 1 else None


def _by_value(group: tuple[int, ...], values: Mapping[int, int], is_less_better: bool) -> Sequence[tuple[int, ...]]:
    if len(group) == 1:
        return (group,)
    ordered = sorted(group, key=values.__getitem__, reverse=not is_less_better)
    return [tuple(part) for _, part in groupby(ordered, key=values.__getitem__)]


def standings(
    entrants: Sequence[Entrant],
    meetings: Sequence[Meeting],
    criteria: Sequence[str],
    lots: Lots,
    closed_rounds: int,
    is_round_robin: bool,
    scheme: Scheme = STANDARD,
) -> tuple[Row, ...]:
    """The table, best first. Those who share a place stand in the order of the lots (by number without a seed).

    `criteria`: codes of `CRITERIA` and `direct_encounter`, in their order; KeyError for another. `closed_rounds`: in
    these a Swiss entrant without a meeting was away; later meetings count, but nobody was away from them yet.
    `is_round_robin`: all meetings were known from the start, forfeits are games and a free round is nothing.
    """
    event = Event(entrants, meetings, closed_rounds, is_round_robin, scheme, lots)
    ranking, asked = _Ranking(event), tuple(criteria)
    for criterion in asked:
        ranking.ask(criterion)
    place, rows = 1, []
    for group in ranking.groups:
        for number in event.order(group) if len(group) > 1 else group:
            rows.append(_row(event, number, place, asked, ranking))
        place += len(group)
    return tuple(rows)


def _row(event: Event, number: int, place: int, criteria: tuple[str, ...], ranking: _Ranking) -> Row:
    tally = tally_of(event.legs[number], event.seats)
    return Row(
        number=number,
        place=place,
        played=tally.met,
        wins=tally.won,
        draws=tally.drawn,
        losses=tally.met - tally.won - tally.drawn,
        places=tally.places,
        points=event.own[number] + event.carried[number],
        card_points_for=tally.scored,
        card_points_against=tally.conceded,
        difference=tally.ahead,
        criteria=criteria,
        values=ranking.values_of(number),
        level=ranking.level_of(number),
    )


def explain(
    number: int,
    criterion: str,
    entrants: Sequence[Entrant],
    meetings: Sequence[Meeting],
    criteria: Sequence[str],
    lots: Lots,
    closed_rounds: int,
    is_round_robin: bool,
    scheme: Scheme = STANDARD,
) -> Cell:
    """One cell of the same standings with the numbers behind it; ValueError if there is no such row or column.

    All but the first two are what `standings` was given. The value is the sum of the parts that are not cut, but of a
    lot, which has none.
    """
    event = Event(entrants, meetings, closed_rounds, is_round_robin, scheme, lots)
    if number not in event.numbers:
        raise ValueError(f"{number}: no such entrant. There are {len(event.numbers)}.")
    if criterion not in criteria:
        raise ValueError(f"{criterion}: not asked here. There are {', '.join(criteria)}.")
    ranking = _Ranking(event)
    for one in criteria[: criteria.index(criterion)]:
        ranking.ask(one)
    group = next(group for group in ranking.groups if number in group)
    ranking.ask(criterion)
    value, tied_after = ranking.values_of(number)[-1], ranking.level_of(number)[-1]
    return Cell(criterion, value, len(group), tied_after, _parts(event, number, criterion, group))


def _parts(event: Event, number: int, criterion: str, group: tuple[int, ...]) -> tuple[Part, ...]:
    if criterion != DIRECT_ENCOUNTER:
        return CRITERIA[criterion].parts(event, number)
    found = encounter_of(event, group)
    return _parts_of_encounter(event, number, found) if found else ()


def _parts_of_encounter(event: Event, number: int, found: Encounter) -> tuple[Part, ...]:
    """Each meeting with another of the tied, as much of it as goes into their average."""
    left = {other: iter(results) for (own, other), results in found.brought.items() if own == number}
    told = []
    for leg in event.legs[number]:
        for opponent in leg.opponents:
            if leg.category is Category.GAME and opponent in left:
                value = next(left[opponent]) * AVERAGES // len(found.brought[number, opponent])
                told.append(Part(leg.round, value, (opponent,), points=leg.points))
    return tuple(told)
