"""Putting the cases to a program, one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

from bots_api.conformance.cases import CASES
from bots_api.conformance.finding import Case, CaseResult, Finding, Outcome, result_of, skipped
from bots_api.conformance.program import Examinee

RUN_SECONDS: Final = 110
"""A whole run takes no longer."""
NOT_TRIED: Final = "Not tried"
"""How the detail of a case begins that came after a vital one which failed."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The results of a run, in order. Skipped cases count for nothing."""

    results: tuple[CaseResult, ...]

    @property
    def may_play(self) -> bool:
        return not self.of(Outcome.FAILED) and bool(self.of(Outcome.PASSED))

    @property
    def tried(self) -> int:
        return len(self.results) - len(self.of(Outcome.SKIPPED))

    @property
    def passed(self) -> int:
        """Those with a warning included."""
        return self.tried - len(self.of(Outcome.FAILED))

    def of(self, outcome: Outcome) -> list[CaseResult]:
        return [result for result in self.results if result.outcome is outcome]


async def examine(
    examinee: Examinee,
    told: Callable[[CaseResult], Awaitable[None]],
    cases: Sequence[Case] = CASES,
    seconds: float = RUN_SECONDS,
) -> Verdict:
    """Puts the cases to a program; `told` hears of each as soon as it is over.

    Once a vital one has failed, or the time is over, there is no point in the others.
    """
    results: list[CaseResult] = []
    stop_at = asyncio.get_running_loop().time() + seconds
    why_stop = ""
    for case in cases:
        finding = skipped(why_stop) if why_stop else await _put(case, examinee, stop_at)
        results.append(result_of(case, finding))
        await told(results[-1])
        if case.is_vital and finding.outcome is Outcome.FAILED:
            why_stop = f"{NOT_TRIED}, since {case.code} failed."
    return Verdict(tuple(results))


async def _put(case: Case, examinee: Examinee, stop_at: float) -> Finding:
    put = case.by_mail if case.of_calls and examinee.line is None else case.examine
    if put is None:
        return skipped("The program calls us: this is about being called.")
    try:
        async with asyncio.timeout_at(stop_at):
            return await put(examinee)
    except TimeoutError:
        return Finding(Outcome.FAILED, "The whole run took too long, and was cut off here: the program is too slow.")
