"""Changing what a tournament is to be, for as long as it may change."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.utils.text import slugify

from engine import EngineError, rules_of
from tournaments.errors import TournamentError
from tournaments.models import Tournament
from tournaments.services.counting import why_not_counted_so
from tournaments.services.state import lock

DRAWN_UP = (
    "name",
    "slug",
    "description",
    "organiser",
    "rules",
    "overrides",
    "length",
    "boards",
    "deals",
    "control",
    "strict",
    "entries_are",
    "count",
    "win_points",
    "draw_points",
    "loss_points",
    "tie_breaks",
    "auto_draw",
    "late_until_round",
    "venue",
    "starts_at",
    "rated",
    "auto_publish",
)
"""What an organiser decides about a tournament. Its state is none of these: it moves by `state.move` alone."""

TAKEN_SLUGS = frozenset({"new", "import"})
"""Addresses of the site's own pages."""
ALWAYS_FREE = frozenset({"name", "description", "venue", "starts_at", "auto_draw", "auto_publish"})
"""What may change after the start too."""
THE_GAME = frozenset({"rules", "overrides", "deals"})
"""What must fit together."""


def why_not_slug(slug: str) -> str:
    """Why a tournament's page cannot be at this address; empty if it can."""
    if slug in TAKEN_SLUGS or slugify(slug) != slug.lower():
        return "That address is a page of the site, or none at all: choose another."
    return ""


@transaction.atomic
def redraw(tournament_id: int, changes: Mapping[str, object]) -> Tournament:
    """Writes these fields and no others; raises TournamentError for what froze with the start, and for rules and a
    number of deals that do not fit together.

    Locks the tournament, so that nobody who loaded it earlier undoes a start that came between, and two changes that
    fit what each had before his eyes cannot both be written. Raises ValueError for a field that is not drawn up.
    """
    if unknown := sorted(set(changes) - set(DRAWN_UP)):
        raise ValueError(f"{', '.join(unknown)}: expected some of {', '.join(DRAWN_UP)}")
    tournament = lock(tournament_id)
    if tournament.is_frozen and (late := sorted(set(changes) - ALWAYS_FREE)):
        raise TournamentError(
            "frozen",
            f"“{tournament}” is {tournament.status}; {', '.join(late)} may no longer change. Nothing is saved.",
        )
    if "slug" in changes and (why := why_not_slug(str(changes["slug"]))):
        raise TournamentError("slug_taken", why)
    for name, value in changes.items():
        setattr(tournament, name, value)
    if THE_GAME & set(changes):
        _check_game(tournament)
    if troubles := why_not_counted_so(tournament):
        raise TournamentError("counted_otherwise", " ".join(troubles.values()))
    tournament.save(update_fields=list(changes))
    return tournament


def _check_game(tournament: Tournament) -> None:
    try:
        rules_of(tournament.rules, tournament.match_overrides)
    except EngineError as refusal:
        raise TournamentError(
            "rules_do_not_fit",
            f"The rules of “{tournament}” and the length of its boards do not fit together: {refusal}. "
            "Somebody else may have changed them meanwhile. Nothing is saved.",
        ) from refusal
