"""Where the boxes and lines of a bracket are drawn: geometry alone, in CSS pixels, from the bracket's matches.

Matches that one comes to alone are left out: whoever has a bye is seen where he first plays. A tall drawing is cut into
bands between its boxes, which lie on each other on a screen and come onto pages of their own on paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from tournaments.formats.brackets import WINNER, Bracket, BracketMatch, Nobody, Part, Place, Source

LINE = 44
"""The height of one entrant's line: a finger's."""
BOX = 2 * LINE
WIDTH, GAP = 248, 28
SLOT = BOX + 32
"""From one box to the next below it; between them stands which match it is."""
HEAD = 40
"""The names of the rounds, above them all."""
SHEET = 8
"""So many boxes below each other come onto one sheet of paper: a bracket of 16 whole, a larger one by its quarters."""
UPRIGHT = 900
"""As wide a drawing is still read on a sheet that stands upright."""


@dataclass(frozen=True, slots=True)
class Spot:
    """One match's box: its column, from 0, and its upper edge."""

    match: BracketMatch
    column: int
    top: int

    @property
    def left(self) -> int:
        return self.column * (WIDTH + GAP)

    @property
    def middle(self) -> int:
        return self.top + BOX // 2


@dataclass(frozen=True, slots=True)
class Layout:
    """The boxes of some parts of a bracket. `lines`: paths, each with its upper and lower end.

    `columns`: for each the rounds in it. `cuts`: where it may be cut, from its upper edge to its lower.
    """

    parts: frozenset[Part]
    spots: tuple[Spot, ...]
    lines: tuple[tuple[str, int, int], ...]
    columns: tuple[tuple[Part, int], ...]
    cuts: tuple[int, ...]

    @property
    def width(self) -> int:
        return _width(len(self.columns))

    @property
    def height(self) -> int:
        return self.cuts[-1]


def visible(bracket: Bracket) -> tuple[BracketMatch, ...]:
    """The matches in which two can meet, each source being a seed or another visible match."""
    return tuple(
        replace(match, sources=tuple(_origin(source, bracket) for source in match.sources))
        for match in bracket.matches
        if not match.is_bye
    )


def _origin(source: Source, bracket: Bracket) -> Source:
    """From where somebody comes, byes on his way left out."""
    while isinstance(source, Place) and bracket.by_number[source.match].is_bye:
        source = next(one for one in bracket.by_number[source.match].sources if not isinstance(one, Nobody))
    return source


def layouts_of(bracket: Bracket, hidden: Iterable[int] = ()) -> tuple[Layout, ...]:
    """One for the winners' bracket with the final, or for all there is; one for the losers' bracket.

    `hidden`: matches that are not drawn (those that turned out not to be needed).
    """
    shown = [match for match in visible(bracket) if match.number not in set(hidden)]
    losers = [match for match in shown if match.part is Part.LOSERS]
    others = [match for match in shown if match.part is not Part.LOSERS]
    return tuple(_layout(matches) for matches in (others, losers) if matches)


def _layout(matches: Sequence[BracketMatch]) -> Layout:
    if matches[0].part is Part.LADDER:
        return _ladder(matches)
    rounds = sorted({match.round for match in matches})
    tops = _tops(matches)
    cuts = _cuts(max(tops.values()) + BOX)
    spots = tuple(Spot(match, rounds.index(match.round), _clear_of(cuts, tops[match.number])) for match in matches)
    by_number = {spot.match.number: spot for spot in spots}
    lines = tuple(line for spot in spots for line in _lines_to(spot, by_number))
    columns = tuple((_part_of(matches, round_), index) for index, round_ in enumerate(rounds, start=1))
    return Layout(frozenset(match.part for match in matches), spots, lines, columns, cuts)


def _part_of(matches: Sequence[BracketMatch], round_: int) -> Part:
    """The part that names a column: the final, not the third place beside it."""
    return next(match.part for match in reversed(matches) if match.round == round_)


def _tops(matches: Sequence[BracketMatch]) -> dict[int, int]:
    """Upper edges: those to whom no line leads one below the other, others in the middle of those who feed them."""
    by_number = {match.number: match for match in matches}
    tops: dict[int, int] = {}
    for root in (match for match in reversed(matches) if match.part is not Part.THIRD):
        if root.number not in tops:
            _place(root, by_number, tops)
    for match in matches:
        if match.part is Part.THIRD:
            tops[match.number] = max(tops[other.number] for other in matches if other.part is Part.FINAL) + SLOT
    return tops


def _place(match: BracketMatch, by_number: Mapping[int, BracketMatch], tops: dict[int, int]) -> int:
    feeding = [_place(one, by_number, tops) for one in _feeding(match, by_number)]
    if feeding:
        tops[match.number] = (min(feeding) + max(feeding)) // 2
    else:
        tops[match.number] = max(tops.values(), default=HEAD + 24 - SLOT) + SLOT
    return tops[match.number]


def _feeding(match: BracketMatch, by_number: Mapping[int, BracketMatch]) -> list[BracketMatch]:
    """The matches of the same drawing from which somebody comes here, each once, in seat order."""
    numbers = [source.match for source in match.sources if isinstance(source, Place)]
    return [by_number[number] for number in dict.fromkeys(numbers) if number in by_number]


def _width(columns: int) -> int:
    return columns * (WIDTH + GAP) - GAP


def _cuts(bottom: int) -> tuple[int, ...]:
    """Every so many slots as a sheet has, on which the drawing is made smaller; between two boxes of one column."""
    first = HEAD + 24 + BOX + 4
    inner = range(first + (SHEET - 1) * SLOT, bottom - SLOT, SHEET * SLOT)
    return (0, *inner, bottom + 12)


def _clear_of(cuts: Sequence[int], top: int) -> int:
    """The upper edge, moved up where the box and what stands above it would be cut."""
    crossed = [cut for cut in cuts[1:-1] if top - 28 < cut < top + BOX]
    return crossed[0] - BOX - 4 if crossed else top


def _lines_to(spot: Spot, by_number: Mapping[int, Spot]) -> Iterator[tuple[str, int, int]]:
    for index, source in enumerate(spot.match.sources):
        if not isinstance(source, Place) or source.match not in by_number:
            continue
        if source.place == WINNER or spot.match.conditional_on is not None:
            start, end = by_number[source.match], spot.top + LINE // 2 + index * LINE
            turn = spot.left - GAP // 2
            path = f"M{start.left + WIDTH} {start.middle}H{turn}V{end}H{spot.left}"
            yield path, min(start.middle, end), max(start.middle, end)


def _ladder(matches: Sequence[BracketMatch]) -> Layout:
    """One below the other, the last match at the top; lines go straight up."""
    count = len(matches)
    tops = [HEAD + 24 + (count - index) * SLOT for index in range(1, count + 1)]
    spots = tuple(Spot(match, 0, top) for match, top in zip(matches, tops, strict=True))
    lines = tuple(
        (f"M{WIDTH - 36} {low.top}V{high.top + BOX}", high.top + BOX, low.top)
        for low, high in pairwise(spots)
        if any(isinstance(source, Place) for source in high.match.sources)
    )
    return Layout(frozenset({Part.LADDER}), spots, lines, ((Part.LADDER, 1),), _cuts(tops[0] + BOX))
