"""How a tournament counts, checked before it is written."""

from __future__ import annotations

from typing import Any

from tournaments.models import Tournament
from tournaments.standings.criteria import CRITERIA, DIRECT_ENCOUNTER, POINTS

TIE_BREAKS = tuple(sorted({*CRITERIA, DIRECT_ENCOUNTER} - {POINTS}))


def why_not_counted_so(tournament: Tournament) -> dict[str, str]:
    """What is wrong with the points and the tie-breaks, by field; empty if nothing is."""
    told = {}
    if not tournament.win_points >= tournament.draw_points >= tournament.loss_points:
        told["win_points"] = "A win brings at least as much as a draw, and a draw as a loss."
    if trouble := _why_not_tie_breaks(tournament.tie_breaks):
        told["tie_breaks"] = trouble
    return told


def _why_not_tie_breaks(given: Any) -> str | None:
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        return "Expected a list of criteria."
    if unknown := sorted(set(given) - set(TIE_BREAKS)):
        return f"{', '.join(unknown)}: no such criterion. There are: {', '.join(TIE_BREAKS)}."
    return "Every criterion once." if len(set(given)) < len(given) else None
