"""Who sits at a match that has not begun."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction

from matches.core.house import KIND as HOUSE
from matches.core.house import thinks
from matches.core.lifecycle import MatchStatus
from matches.models import Agent, Match, MatchSeat, PlayerKind

NOT_BEGUN = (MatchStatus.READY, MatchStatus.HELD, MatchStatus.AWAITED)


@transaction.atomic
def reseat(match_ids: Iterable[int], out: Agent, comes: Agent) -> int:
    """Gives one version's seats to another at those of the matches that have not begun; returns at how many.

    A person and a program do not take each other's seats: what lanes play and what people report are different matches.
    Locks the matches.
    """
    if (out.kind == PlayerKind.PERSON) != (comes.kind == PlayerKind.PERSON):
        return 0
    seated = MatchSeat.objects.filter(match__in=list(match_ids), agent=out).values("match")
    matches = list(Match.objects.select_for_update().filter(pk__in=seated, status__in=NOT_BEGUN).order_by("pk"))
    MatchSeat.objects.filter(match__in=matches, agent=out).update(agent=comes)
    for match in matches:
        _know_the_house(match)
    return len(matches)


def _know_the_house(match: Match) -> None:
    """Keeps what the lanes go by: whether a house program of this match thinks long."""
    labels = match.seats.filter(agent__kind=HOUSE).values_list("agent__label", flat=True)
    match.house_thinks = not match.is_reported and any(thinks(label) for label in labels)
    match.save(update_fields=["house_thinks"])
