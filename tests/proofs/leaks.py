"""Not a byte that leaves the service follows from a card that its reader may not see yet."""

from __future__ import annotations

from typing import Any

from tests.proofs.showing import Line, NotShown, figures_of, run_module

PARTIES = 200


def leaks() -> list[Line]:
    return [line_of(figures_of(run_module("tests.leaks", "--parties", str(PARTIES))))]


def line_of(figures: dict[str, Any]) -> Line:
    """Holds only where other cards did lie elsewhere, and records say so once they are revealed. Raises NotShown."""
    if figures["leaks"]:
        raise NotShown(f"{len(figures['leaks'])} answers differ: {'; '.join(figures['leaks'][:5])}")
    claim = (
        "the same story over other hidden cards: every page, answer of the API, message, stream and refusal, for "
        "seats, their owners, organiser, spectator and stranger: 0 differing bytes before reveal"
    )
    seen = (
        f"{figures['parties']} parties, other cards lying elsewhere in {figures['changed']} of their worlds, "
        f"{figures['answers']} answers compared, 0 differ; of the records {figures['opened']} differ once revealed"
    )
    worlds_differ = min(figures["changed"], figures["opened"]) >= figures["parties"]
    holds = worlds_differ and figures["parties"] >= PARTIES and figures["answers"] >= figures["parties"]
    return Line(claim, seen, "`python -m tests.leaks`", holds)
