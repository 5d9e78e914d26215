"""Rows of the tournaments room."""

from tournaments.models.tournament import (
    Entry,
    EntryMember,
    Pairing,
    PairingSeat,
    Round,
    Stage,
    StandingsSnapshot,
    Tournament,
)

__all__ = [
    "Entry",
    "EntryMember",
    "Pairing",
    "PairingSeat",
    "Round",
    "Stage",
    "StandingsSnapshot",
    "Tournament",
]
