"""Ladders and savings as tables, the same for a terminal and for a page."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from engine.ladder.climbing import Ladder, Step
from engine.ladder.estimates import Estimate
from engine.ladder.saving import Saving
from engine.presets import rules_of

Row = Sequence[str]


def told_ladder(ladder: Ladder) -> str:
    """Two tables: where each bot stands, and what every pair showed, neighbours first."""
    stand = [(bot, said_elo(elo) if at else "0") for at, (bot, elo) in enumerate(ladder.elo.items())]
    unit = "stakes" if rules_of(ladder.rules).short else "points"
    head = ("step", "boards", "deals", f"{unit} a deal", "won-drawn-lost", "Elo", "significant")
    rows = [*(_step(step) for step in ladder.steps), *(_step(step) for step in ladder.leaps)]
    return f"{table(('bot', f'Elo above {ladder.plan.bots[0]}'), stand)}\n\n{table(head, rows)}"


def _step(step: Step) -> Row:
    tally = step.tally
    return (
        f"{step.bots[1]} over {step.bots[0]}",
        str(tally.boards),
        str(step.deals),
        _points(step.points),
        f"{tally.won}-{tally.drawn}-{tally.lost}",
        said_elo(step.elo),
        "yes" if step.significant else "no",
    )


def told_step(step: Step) -> str:
    """One line about a pair that has been played."""
    name, boards, _, points, _, elo, significant = _step(step)
    return f"{name}: {points} a deal, Elo {elo} on {boards} boards; significant: {significant}"


def told_savings(savings: Iterable[Saving]) -> str:
    """What duplicate boards save, a row for every duel."""
    head = ("table", "bots", "boards", "deals a board", "sd of a deal", "sd of a board", "variance ÷")
    return table(head, [_saving(saving) for saving in savings])


def _saving(saving: Saving) -> Row:
    return (
        saving.duel.rules,
        f"{saving.duel.bots[0]} and {saving.duel.bots[1]}",
        str(saving.boards),
        str(saving.exposures),
        f"{saving.single:.1f}",
        f"{saving.board:.1f}",
        f"{saving.ratio.value:.2f} ({saving.ratio.low:.2f} to {saving.ratio.high:.2f})",
    )


def _points(points: Estimate) -> str:
    return f"{points.value:+.1f} ({points.low:+.1f} to {points.high:+.1f})"


def said_elo(elo: Estimate) -> str:
    """An Elo difference; where every board went one way, only a bound is known, and may be where nearly all did."""
    if math.isinf(elo.value):
        return f"at least {elo.low:+.0f}" if elo.value > 0 else f"at most {elo.high:+.0f}"
    if math.isinf(elo.high):
        return f"{elo.value:+.0f} ({elo.low:+.0f} or more)"
    if math.isinf(elo.low):
        return f"{elo.value:+.0f} ({elo.high:+.0f} or less)"
    return f"{elo.value:+.0f} ({elo.low:+.0f} to {elo.high:+.0f})"


def table(head: Row, rows: Sequence[Row]) -> str:
    """Columns of one width, as Markdown reads them."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = (" | ".join(map(str.ljust, row, widths)) for row in (head, ["-" * width for width in widths], *rows))
    return "\n".join(f"| {line} |" for line in lines)
