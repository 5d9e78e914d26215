"""What every page tells of an entry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from tournaments.formats.lifecycle import EntryStatus
from tournaments.models import Entry
from tournaments.web.wording import ENTRY_STATUS


@dataclass(frozen=True, slots=True)
class EntryFacts:
    """One entry; pages add what they tell besides."""

    public_id: str
    number: int
    name: str
    club: str
    rating: int | None
    status: str
    status_words: str
    reason: str
    is_checked_in: bool
    joined: int

    @classmethod
    def of(cls, entry: Entry, **more: Any) -> Self:
        """From the row; `more`: the fields that the page's own class has besides."""
        return cls(
            public_id=entry.public_id,
            number=entry.number,
            name=entry.name,
            club=entry.club,
            rating=entry.rating,
            status=entry.status,
            status_words=str(ENTRY_STATUS[EntryStatus(entry.status)]),
            reason=entry.status_reason,
            is_checked_in=entry.checked_in_at is not None,
            joined=entry.joined_round,
            **more,
        )
