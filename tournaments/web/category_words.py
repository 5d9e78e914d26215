"""What the numbers behind a cell of the standings are, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.standings.criteria import Part
from tournaments.standings.legs import Category
from tournaments.standings.opposition import Cut
from tournaments.standings.values import format_value
from tournaments.web.wording import points_words

CATEGORY: Mapping[Category, str | Promise] = {
    Category.GAME: "",
    Category.ALLOCATED: gettext_lazy("bye by the draw"),
    Category.FORFEIT_WIN: gettext_lazy("the other side did not come"),
    Category.REQUESTED: gettext_lazy("bye asked for, or away"),
    Category.FORFEIT_LOSS: gettext_lazy("forfeited"),
    Category.GONE: gettext_lazy("gone"),
}
CUT: Mapping[Cut, str | Promise] = {
    Cut.LOWEST: gettext_lazy("cut: the lowest"),
    Cut.VOLUNTARY: gettext_lazy("cut: not played of one's own will, which goes first"),
    Cut.HIGHEST: gettext_lazy("cut: the highest"),
    Cut.FIRST: gettext_lazy("cut: the first round"),
}
NameOf = Callable[[int], str]


@dataclass(frozen=True, slots=True)
class PartLine:
    """One number behind a value. `score`: what the opponents count for; `points`: what the round brought."""

    round: str
    who: str
    what: str
    score: str
    points: str
    value: str
    is_cut: bool


def part_line(criterion: str, part: Part, name_of: NameOf, hidden: frozenset[int]) -> PartLine:
    """`hidden`: rounds whose pairings the reader may not see: the number stands there without the names."""
    who = ", ".join(name_of(one) for one in part.opponents)
    if part.round in hidden:
        who = _("not shown yet")
    return PartLine(
        round=str(part.round) if part.round else _("before"),
        who=who,
        what=_what(part),
        score="" if part.score is None else format_value("buchholz", part.score),
        points=points_words(part.points),
        value=format_value(criterion, part.value),
        is_cut=part.cut is not None,
    )


def _what(part: Part) -> str:
    told = [str(CATEGORY[part.category]), str(CUT[part.cut]) if part.cut else ""]
    return ", ".join(one for one in told if one)
