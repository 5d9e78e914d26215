"""The log of a tournament: what was done to it, and by whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from matches.models import User
from tournaments.models import Tournament, TournamentEvent


def note(tournament: Tournament, kind: str, /, by: User | None = None, **payload: Any) -> TournamentEvent:
    """Writes one thing that was done. `kind` is a stable code, the payload plain JSON; `by`: None for the service.

    To be called in the transaction that does it, so that nothing is logged that was not done.
    """
    return TournamentEvent.objects.create(tournament=tournament, kind=kind, actor=by, payload=payload)


def note_each(tournament: Tournament, kind: str, payloads: Iterable[Mapping[str, Any]], by: User | None = None) -> None:
    """Writes the same thing that was done to many, a line each, in one statement."""
    TournamentEvent.objects.bulk_create(
        TournamentEvent(tournament=tournament, kind=kind, actor=by, payload=dict(payload)) for payload in payloads
    )
