"""The states of a tournament and of what it consists of, and the legal moves of tournaments and entries."""

from __future__ import annotations

from enum import StrEnum


class TournamentStatus(StrEnum):
    DRAFT = "draft"
    """only its organiser sees it"""
    REGISTRATION = "registration"
    """entries are taken"""
    CHECK_IN = "check_in"
    """those who came say so; who does not is not drawn"""
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
    """left by its own wish; what it played stands"""
    NO_SHOW = "no_show"
    """did not come; the organiser may take it back in"""
    EXPELLED = "expelled"


class StageStatus(StrEnum):
    PLANNED = "planned"
    RUNNING = "running"
    FINISHED = "finished"


class RoundStatus(StrEnum):
    PROPOSED = "proposed"
    """the format's draw, which the organiser alone sees"""
    CHANGING = "changing"
    """a marked phase in which the organiser changes it by hand"""
    CONFIRMED = "confirmed"
    """settled, with its matches made and held"""
    RELEASED = "released"
    CLOSED = "closed"
    """every table is decided"""
    WITHDRAWN = "withdrawn"
    """taken back; kept in sight beside the draw that replaced it"""


class Audience(StrEnum):
    """Who sees a draw."""

    HIDDEN = "hidden"
    PARTICIPANTS = "participants"
    PUBLIC = "public"


class Seeding(StrEnum):
    """What orders the entrants of a stage."""

    ENTERED = "entered"
    """the order in which they were entered, or that the organiser gave by hand"""
    RATING = "rating"
    """a rating entered or imported; without one, last"""
    EARLIER = "earlier"
    """where they stood in the stage before"""
    LOT = "lot"


class PairingStatus(StrEnum):
    WAITING = "waiting"
    """a seat is still to be filled from somewhere"""
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
        (_S.REGISTRATION, _S.CHECK_IN),
        (_S.CHECK_IN, _S.REGISTRATION),
        (_S.DRAFT, _S.RUNNING),
        (_S.REGISTRATION, _S.RUNNING),
        (_S.CHECK_IN, _S.RUNNING),
        (_S.RUNNING, _S.PAUSED),
        (_S.PAUSED, _S.RUNNING),
        (_S.RUNNING, _S.FINISHED),
        (_S.PAUSED, _S.FINISHED),
        (_S.FINISHED, _S.PUBLISHED),
        (_S.FINISHED, _S.RUNNING),  # a result was corrected, and a later match follows from it
        (_S.PUBLISHED, _S.RUNNING),
        (_S.DRAFT, _S.CANCELLED),
        (_S.REGISTRATION, _S.CANCELLED),
        (_S.CHECK_IN, _S.CANCELLED),
        (_S.RUNNING, _S.CANCELLED),
        (_S.PAUSED, _S.CANCELLED),
    }
)


def may_move(old: TournamentStatus, new: TournamentStatus) -> bool:
    return (old, new) in TOURNAMENT_MOVES


_E = EntryStatus
ENTRY_MOVES: frozenset[tuple[EntryStatus, EntryStatus]] = frozenset(
    {
        (_E.ACTIVE, _E.WITHDRAWN),
        (_E.ACTIVE, _E.NO_SHOW),
        (_E.ACTIVE, _E.EXPELLED),
        (_E.WITHDRAWN, _E.EXPELLED),
        (_E.NO_SHOW, _E.EXPELLED),
        (_E.WITHDRAWN, _E.ACTIVE),
        (_E.NO_SHOW, _E.ACTIVE),
        (_E.EXPELLED, _E.ACTIVE),
    }
)


def may_entry_move(old: EntryStatus, new: EntryStatus) -> bool:
    return (old, new) in ENTRY_MOVES
