"""The states of a match and the one table of legal moves between them."""

from __future__ import annotations

from enum import StrEnum


class MatchStatus(StrEnum):
    READY = "ready"
    """drawn; a worker may claim it once it is due"""
    HELD = "held"
    """drawn, but the organiser has stopped the clock before its first card"""
    RUNNING = "running"
    """claimed; cards are being played"""
    AWAITED = "awaited"
    """people play it at a table; nobody has reported yet"""
    REPORTED = "reported"
    """one side has reported a score; another has to confirm it"""
    DISPUTED = "disputed"
    """sides have reported different scores; an organiser has to rule"""
    FINISHED = "finished"
    """decided; its result is written"""
    STALLED = "stalled"
    """set aside after repeated failures of ours; an organiser must look"""
    VOID = "void"
    """annulled by an organiser; counts for nothing"""


class PartyStatus(StrEnum):
    WAITING = "waiting"
    PLAYING = "playing"
    FINISHED = "finished"
    VOID = "void"


MATCH_MOVES: frozenset[tuple[MatchStatus, MatchStatus]] = frozenset(
    {
        (MatchStatus.READY, MatchStatus.HELD),
        (MatchStatus.HELD, MatchStatus.READY),
        (MatchStatus.READY, MatchStatus.RUNNING),
        (MatchStatus.RUNNING, MatchStatus.FINISHED),
        (MatchStatus.RUNNING, MatchStatus.STALLED),
        (MatchStatus.STALLED, MatchStatus.RUNNING),
        (MatchStatus.AWAITED, MatchStatus.HELD),
        (MatchStatus.HELD, MatchStatus.AWAITED),
        (MatchStatus.AWAITED, MatchStatus.REPORTED),
        (MatchStatus.REPORTED, MatchStatus.AWAITED),
        (MatchStatus.REPORTED, MatchStatus.DISPUTED),
        (MatchStatus.DISPUTED, MatchStatus.REPORTED),
        (MatchStatus.REPORTED, MatchStatus.FINISHED),
        (MatchStatus.READY, MatchStatus.FINISHED),
        (MatchStatus.HELD, MatchStatus.FINISHED),
        (MatchStatus.STALLED, MatchStatus.FINISHED),
        (MatchStatus.AWAITED, MatchStatus.FINISHED),
        (MatchStatus.DISPUTED, MatchStatus.FINISHED),
        (MatchStatus.READY, MatchStatus.VOID),
        (MatchStatus.HELD, MatchStatus.VOID),
        (MatchStatus.RUNNING, MatchStatus.VOID),
        (MatchStatus.STALLED, MatchStatus.VOID),
        (MatchStatus.AWAITED, MatchStatus.VOID),
        (MatchStatus.REPORTED, MatchStatus.VOID),
        (MatchStatus.DISPUTED, MatchStatus.VOID),
        (MatchStatus.FINISHED, MatchStatus.VOID),
    }
)

PARTY_MOVES: frozenset[tuple[PartyStatus, PartyStatus]] = frozenset(
    {
        (PartyStatus.WAITING, PartyStatus.PLAYING),
        (PartyStatus.WAITING, PartyStatus.VOID),
        (PartyStatus.PLAYING, PartyStatus.FINISHED),
        (PartyStatus.PLAYING, PartyStatus.VOID),
    }
)

OVER = frozenset({MatchStatus.FINISHED, MatchStatus.VOID})
"""States of a match in which no card can be played any more."""
OF_PEOPLE = frozenset({MatchStatus.AWAITED, MatchStatus.REPORTED, MatchStatus.DISPUTED})
"""States of a match whose result its sides report; no lane takes it."""
OF_LANES = frozenset({MatchStatus.READY, MatchStatus.RUNNING, MatchStatus.STALLED})
"""States of a match that lanes play."""


def may_move(old: MatchStatus, new: MatchStatus) -> bool:
    return (old, new) in MATCH_MOVES


def sources_of(new: MatchStatus) -> tuple[MatchStatus, ...]:
    """The states from which a match may go to `new`: what a compare-and-set compares with."""
    return tuple(old for old in MatchStatus if may_move(old, new))
