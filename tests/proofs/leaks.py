"""Not a byte that leaves the service follows from a card that its reader may not see yet."""

from __future__ import annotations

from tests.proofs.showing import Line, NotShown, figures_of, run_module

PARTIES = 200


def leaks() -> list[Line]:
    figures = figures_of(run_module("tests.leaks", "--parties", str(PARTIES)))
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
    return [Line(claim, seen, "`python -m tests.leaks`")]
