"""Why the platform played for a seat, and when that costs the party (protocol §7)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum


class Cause(StrEnum):
    TIMEOUT = "timeout"
    ILLEGAL = "illegal"
    MALFORMED = "malformed"
    UNREACHABLE = "unreachable"
    HTTP_ERROR = "http_error"
    REJECTED = "rejected"
    NO_SHOW = "no_show"
    RESIGNED = "resigned"
    STALLED = "stalled"
    INFRA = "infra"
    ADMIN_VOID = "admin_void"


FAULTS_IN_A_PARTY = 3
FAULTS_RUNNING = 2
INFRA_FAILURES = 3
THROWN_IN_RUNNING = 50
LONGEST_PARTY = 1_000
"""Deals. The last resort: fines and false closes can take off as fast as anybody writes, and dealers deal again."""


def forfeits(decisions: Sequence[Cause | None], strict: bool) -> bool:
    """Whether a seat has lost the party by its faults.

    `decisions`: the seat's decisions of this party in order, None where it answered well. `strict`: the first fault
    is enough. Source: protocol §7.
    """
    faults = sum(cause is not None for cause in decisions)
    if strict:
        return faults >= 1
    running = decisions[-FAULTS_RUNNING:]
    return faults >= FAULTS_IN_A_PARTY or (len(running) == FAULTS_RUNNING and None not in running)


def is_stalled(deal_ends: Sequence[str]) -> bool:
    """Whether a party goes nowhere: so many packs thrown in running, as when nobody ever names trumps, or no end.

    `deal_ends`: how the party's deals so far ended. The seat that would act next then forfeits. On a duplicate board
    where the exposures go the same way that is the same seat of the table in each, so that no side gains by it; whole
    parties may be dealt by whoever wins a deal, and there it is nothing but whose turn it is.
    """
    if len(deal_ends) >= LONGEST_PARTY:
        return True
    latest = deal_ends[-THROWN_IN_RUNNING:]
    return len(latest) == THROWN_IN_RUNNING and all(end in ("all_pass", "redeal") for end in latest)
