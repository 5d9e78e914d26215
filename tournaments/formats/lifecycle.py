"""The states of a tournament and of what it consists of, and the legal moves of a tournament."""

from __future__ import annotations

from enum import StrEnum


class TournamentStatus(StrEnum):
    DRAFT = "draft"
    """only its organiser sees it"""
    REGISTRATION = "registration"
    """entries are taken"""
    RUNNING = "running"
    PAUSED = "paused"
    """no match begins; those being played go on to their end"""
    FINISHED = "finished"
    """every match is decided; standings are final but not published"""
    PUBLISHED = "published"
    CANCELLED = "cancelled"


class EntryStatus(StrEnum):
    ACTIVE = "active"
    WITHDRAWN = "withdrawn"


class RoundStatus(StrEnum):
    RELEASED = "released"
    CLOSED = "closed"


class PairingStatus(StrEnum):
    OPEN = "open"
    DECIDED = "decided"
    BYE = "bye"
    VOID = "void"


class SeatState(StrEnum):
    OPEN = "open"
    """still to be filled from somewhere"""
    FILLED = "filled"
    BYE = "bye"
    """provably nobody"""
    VOID = "void"


_S = TournamentStatus
TOURNAMENT_MOVES: frozenset[tuple[TournamentStatus, TournamentStatus]] = frozenset(
    {
        (_S.DRAFT, _S.REGISTRATION),
        (_S.REGISTRATION, _S.DRAFT),
        (_S.DRAFT, _S.RUNNING),
        (_S.REGISTRATION, _S.RUNNING),
        (_S.RUNNING, _S.PAUSED),
        (_S.PAUSED, _S.RUNNING),
        (_S.RUNNING, _S.FINISHED),
        (_S.PAUSED, _S.FINISHED),
        (_S.FINISHED, _S.PUBLISHED),
        (_S.DRAFT, _S.CANCELLED),
        (_S.REGISTRATION, _S.CANCELLED),
        (_S.RUNNING, _S.CANCELLED),
        (_S.PAUSED, _S.CANCELLED),
    }
)


def may_move(old: TournamentStatus, new: TournamentStatus) -> bool:
    return (old, new) in TOURNAMENT_MOVES
