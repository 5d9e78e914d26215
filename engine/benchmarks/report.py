"""Figures as a table for people: medians, their spread, and how near to the limit they come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.benchmarks.figures import DEALS_A_SECOND, Figure

GOALS: Final = {
    ("step", "moscow/2", "compiled"): 45_000,
    ("batch", "moscow/2", "compiled"): 800_000,
    ("solver, median deal", "moscow/2", "compiled"): 1,
    ("solver, p95 deal", "moscow/2", "compiled"): 6,
}
"""At least so many deals a second, at most so many milliseconds; said, and nothing fails for them."""


def told(figures: Sequence[Figure]) -> list[str]:
    """A line for every figure, then whether the goals are met."""
    limit = next((figure.value for figure in figures if figure.what == "limit"), None)
    rows: list[tuple[str, ...]] = [("what", "game", "by", "median", "lowest", "highest", "", "÷ limit")]
    rows += [_row(figure, limit) for figure in figures]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(_cell(cell, width, column) for column, (cell, width) in enumerate(zip(row, widths, strict=True)))
        for row in rows
    ]
    return [line.rstrip() for line in lines] + list(goals(figures))


def _row(figure: Figure, limit: float | None) -> tuple[str, ...]:
    ratio = f"{figure.value / limit:.3f}" if limit and figure.unit == DEALS_A_SECOND else ""
    spread = ("", "") if figure.low == figure.high else (number(figure.low), number(figure.high))
    return (figure.what, figure.on, figure.by, number(figure.value), *spread, figure.unit, ratio)


def _cell(text: str, width: int, column: int) -> str:
    return text.rjust(width) if column in (3, 4, 5, 7) else text.ljust(width)


def number(value: float) -> str:
    return f"{value:,.0f}".replace(",", " ") if value >= 100 else f"{value:.3g}"


def goals(figures: Sequence[Figure]) -> Iterator[str]:
    """A line for each goal that was measured."""
    for figure in figures:
        goal = GOALS.get((figure.what, figure.on, figure.by))
        if goal:
            met = figure.value >= goal if figure.unit == DEALS_A_SECOND else figure.value <= goal
            verdict = "met" if met else "missed"
            yield f"Goal of {number(goal)} {figure.unit} for {figure.what} at {figure.on}: {verdict}"


def told_shares(figures: Sequence[Figure]) -> list[str]:
    """Where the time goes, at each table a line: parts in percent of the whole."""
    lines = []
    for name in dict.fromkeys(figure.on for figure in figures):
        parts = [figure for figure in figures if figure.on == name]
        whole = sum(figure.value for figure in parts) or 1
        said = ", ".join(f"{figure.what} {figure.value / whole:.0%}" for figure in parts)
        lines.append(f"Where the batch's time goes at {name}, {parts[0].by}, {number(whole)} ns a deal: {said}")
    return lines
