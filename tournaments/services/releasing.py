"""From a proposal to a round that is played: confirmed with its matches held, released to those who may see it.

To be called under the tournament's lock.
"""

from __future__ import annotations

from matches.services.desk import release_matches
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import Audience, RoundStatus, TournamentStatus
from tournaments.models import Pairing, Round
from tournaments.services.proposing import is_fresh
from tournaments.services.telling import take_back_news, tell_drawn, tell_results
from tournaments.services.writing import make_matches


def confirm(drawn: Round) -> None:
    """Settles a proposal, changed by hand or not, and makes its matches, held; raises TournamentError."""
    if drawn.status not in (RoundStatus.PROPOSED, RoundStatus.CHANGING):
        raise TournamentError("illegal_move", f"{drawn} is {drawn.status}: only a proposal is confirmed.")
    if not is_fresh(drawn):
        raise TournamentError(
            "stale_draw",
            f"{drawn} was drawn from results or entries that have changed since: take it back and draw again.",
        )
    drawn.status = RoundStatus.CONFIRMED
    drawn.save(update_fields=["status"])
    make_matches(drawn.stage, [drawn])


def release(drawn: Round, audience: Audience) -> None:
    """Lets a confirmed round be played, and seen by `audience`; of a released one only who sees it changes."""
    if drawn.status not in (RoundStatus.CONFIRMED, RoundStatus.RELEASED, RoundStatus.CLOSED):
        raise TournamentError("illegal_move", f"{drawn} is {drawn.status}: confirm it before it is released.")
    is_new, was_public = drawn.status == RoundStatus.CONFIRMED, drawn.audience == Audience.PUBLIC
    drawn.audience = audience
    if is_new:
        drawn.status = RoundStatus.RELEASED
    drawn.save(update_fields=["status", "audience"])
    if is_new and drawn.stage.tournament.status == TournamentStatus.RUNNING:
        release_matches(_matches_of(drawn))
    if audience == Audience.PUBLIC and (is_new or not was_public):
        tell_drawn([drawn])
        tell_results(drawn)
    elif audience != Audience.PUBLIC and was_public:
        take_back_news(drawn)


def _matches_of(drawn: Round) -> list[int]:
    pairings = Pairing.objects.filter(round=drawn, match__isnull=False)
    return list(pairings.order_by("number").values_list("match_id", flat=True))
