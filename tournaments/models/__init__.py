"""Rows of the tournaments room."""

from tournaments.models.entries import AskedBye, ByeKind, Entry, EntryMember
from tournaments.models.stages import (
    FORMATS,
    Feed,
    FeedKind,
    FormerMatch,
    Pairing,
    PairingSeat,
    Round,
    Stage,
    StageEntry,
    StandingsSnapshot,
)
from tournaments.models.tournament import EntriesAre, Tournament, TournamentEvent
from tournaments.models.venues import Sitting, Venue, VenueTable

__all__ = [
    "FORMATS",
    "AskedBye",
    "ByeKind",
    "EntriesAre",
    "Entry",
    "EntryMember",
    "Feed",
    "FeedKind",
    "FormerMatch",
    "Pairing",
    "PairingSeat",
    "Round",
    "Sitting",
    "Stage",
    "StageEntry",
    "StandingsSnapshot",
    "Tournament",
    "TournamentEvent",
    "Venue",
    "VenueTable",
]
