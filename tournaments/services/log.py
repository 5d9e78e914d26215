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


TROUBLES = ("no_draw", "no_match", "played_later", "stage_cannot_start")
"""Kinds of what the organiser has to see to before play goes on."""


def tell_once(tournament: Tournament, kind: str, **payload: Any) -> None:
    """Logs one of TROUBLES, unless nothing but troubles has been logged since the same was told."""
    done = tournament.events.exclude(kind__in=TROUBLES).order_by("-id").values_list("id", flat=True).first() or 0
    if not tournament.events.filter(id__gt=done, kind=kind, payload=payload).exists():
        note(tournament, kind, None, **payload)


def note_each(tournament: Tournament, kind: str, payloads: Iterable[Mapping[str, Any]], by: User | None = None) -> None:
    """Writes the same thing that was done to many, a line each, in one statement."""
    TournamentEvent.objects.bulk_create(
        TournamentEvent(tournament=tournament, kind=kind, actor=by, payload=dict(payload)) for payload in payloads
    )
