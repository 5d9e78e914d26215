"""What everybody may know of a tournament from now on, told to whoever listens; inside the transaction that shows it.

Ids and addresses: the lists behind them are read where they stand, as long or as short as they are by then.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.urls import reverse

from matches.core.lifecycle import MatchStatus
from matches.models import Match, OutboxKind
from matches.services.announcing import announce, take_back
from matches.services.outbox import post
from tournaments.models import Round, StandingsSnapshot, Tournament

ROUND_DRAWN = "round.drawn"
MATCH_FINISHED = "match.finished"
STANDINGS_PUBLISHED = "standings.published"


def tell_drawn(rounds: Iterable[Round]) -> None:
    """Rounds whose draw everybody sees from now on."""
    for drawn in rounds:
        tournament = drawn.stage.tournament
        content = {"tournament": _tournament(tournament), "round": _round(drawn)}
        announce(ROUND_DRAWN, drawn.public_id, content, tournament=tournament.public_id)


def tell_results(drawn: Round) -> None:
    """A round that was played among its participants is there for all to see, and so are its results: the news of each
    is delivered once more, now that it may leave."""
    finished = Match.objects.filter(pairing__round=drawn, status=MatchStatus.FINISHED)
    post(OutboxKind.MATCH_FINISHED, *finished.order_by("pairing__number"))


def take_back_news(drawn: Round) -> None:
    """What nobody has been told yet of a round that not everybody may see any more, and of its matches."""
    take_back(ROUND_DRAWN, [drawn.public_id])
    of_it = Q(pairing__round=drawn) | Q(former_pairing__pairing__round=drawn)
    take_back(MATCH_FINISHED, list(Match.objects.filter(of_it).values_list("public_id", flat=True)))


def tell_published(snapshot: StandingsSnapshot) -> None:
    """Standings that were published, without their rows."""
    tournament = snapshot.tournament
    content = {"tournament": _tournament(tournament), "standings": _standings(snapshot)}
    subject = f"{tournament.public_id} {snapshot.number}"
    announce(STANDINGS_PUBLISHED, subject, content, tournament=tournament.public_id)


def _tournament(tournament: Tournament) -> dict[str, Any]:
    page = reverse("tournament", args=[tournament.slug])
    return {"id": tournament.public_id, "slug": tournament.slug, "name": tournament.name, **_at(tournament, page)}


def _round(drawn: Round) -> dict[str, Any]:
    tournament, stage = drawn.stage.tournament, drawn.stage
    page = reverse("tournament-stage-round", args=[tournament.slug, stage.number, drawn.number])
    return {
        "id": drawn.public_id,
        "stage": stage.number,
        "number": drawn.number,
        "part": drawn.part,
        "status": drawn.status,
        **_at(tournament, page, f"/rounds/{drawn.public_id}"),
    }


def _standings(snapshot: StandingsSnapshot) -> dict[str, Any]:
    tournament = snapshot.tournament
    page = reverse("tournament-standings", args=[tournament.slug, snapshot.number])
    return {
        "number": snapshot.number,
        "stage": snapshot.stage.number if snapshot.stage else None,
        "after_round": snapshot.after_round,
        "matches_counted": snapshot.matches_counted,
        "matches_total": snapshot.matches_total,
        "sha256": snapshot.sha256,
        **_at(tournament, page, f"/standings?snapshot={snapshot.number}"),
    }


def _at(tournament: Tournament, page: str, below: str = "") -> dict[str, str]:
    """Where people and programs find it."""
    api = f"/api/v1/tournaments/{tournament.public_id}{below}"
    return {"url": f"{settings.PUBLIC_URL}{page}", "api_url": f"{settings.PUBLIC_URL}{api}"}
