"""A case, and what it found: values."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from django.utils.functional import Promise

if TYPE_CHECKING:
    from bots_api.conformance.program import Examinee

SHOWN_LIMIT: Final = 20_000
"""Characters kept of a request or a reply."""


class Outcome(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    WARNED = "warned"
    """it may play like that, and its author should know"""
    SKIPPED = "skipped"
    """it does not apply, or there was no point in trying"""


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of a case. `detail`: for the program's author; request and reply as they went, where they tell why."""

    outcome: Outcome
    detail: str = ""
    request: str = ""
    reply: str = ""
    elapsed_ms: int = 0


@dataclass(frozen=True, slots=True)
class Case:
    """`why`: what the case is for and what to do where it fails. `is_vital`: without it no other makes sense.

    `of_calls`: it is about the way of being called. `by_mail`: the same for programs that call us, if it can be put to
    them.
    """

    code: str
    title: str | Promise
    why: str | Promise
    examine: Callable[[Examinee], Awaitable[Finding]]
    of_calls: bool = False
    is_vital: bool = False
    by_mail: Callable[[Examinee], Awaitable[Finding]] | None = None


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The finding of one case; `elapsed_ms` is the slowest reply's where nothing else is said."""

    code: str
    outcome: Outcome
    detail: str
    request: str
    reply: str
    elapsed_ms: int


def result_of(case: Case, finding: Finding) -> CaseResult:
    return CaseResult(
        case.code,
        finding.outcome,
        finding.detail,
        finding.request[:SHOWN_LIMIT],
        finding.reply[:SHOWN_LIMIT],
        finding.elapsed_ms,
    )


def passed(detail: str = "", elapsed_ms: int = 0) -> Finding:
    return Finding(Outcome.PASSED, detail, elapsed_ms=elapsed_ms)


def skipped(detail: str) -> Finding:
    return Finding(Outcome.SKIPPED, detail)
