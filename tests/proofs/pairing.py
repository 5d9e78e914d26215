"""How fast draws and standings are, and how that grows: the bench of pairing at full size."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from tests.proofs.showing import Line, figures_of, run_module

NOISE = 1.5


def pairing() -> list[Line]:
    """One line for each thing measured: ours in every size against its goals, other libraries beside it.

    A goal that is missed is said with its size. One that is missed by more than half again is not noise: the line does
    not hold then.
    """
    said = figures_of(run_module("tests.bench.pairing"))
    figures = sorted(said["figures"], key=lambda one: one["what"])
    return [
        line_of(what, list(group), said["growth"].get(what))
        for what, group in groupby(figures, lambda one: one["what"])
    ]


def line_of(what: str, figures: list[dict[str, Any]], power: float | None) -> Line:
    """What was measured in every size, by us and by others, and whether our goals were met."""
    seen = [_seen(one) for one in figures]
    if power is not None:
        seen.append(f"grows with the power {power:.2f} of the field")
    holds = all(one["goal"] is None or one["seconds"] < one["goal"] * NOISE for one in figures)
    return Line(f"{what}, CPU seconds, median", "; ".join(seen), "`python -m tests.bench.pairing`", holds)


def _seen(one: dict[str, Any]) -> str:
    by = "" if one["by"] == "manela" else f" by {one['by']}"
    if one["goal"] is None:
        return f"{one['entrants']:,}{by}: {one['seconds']:.3f}"
    verdict = "" if one["seconds"] < one["goal"] else "goal missed, "
    return f"{one['entrants']:,}{by}: {one['seconds']:.3f} ({verdict}goal < {one['goal']:g})"
