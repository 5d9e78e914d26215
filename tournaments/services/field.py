"""The field: its entries under lock, the stage they are in, and the round that can still be drawn otherwise."""

from __future__ import annotations

from django.db.models import Max

from matches.models import User
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import EntryStatus, PairingStatus, RoundStatus, StageStatus, TournamentStatus
from tournaments.models import Entry, PairingSeat, Round, Stage, StageEntry, Tournament
from tournaments.services import proposing
from tournaments.services.log import note
from tournaments.services.state import lock

ROUND_BY_ROUND = frozenset({"swiss", "tables_swiss", "partner_swiss"})
"""Formats whose next round is drawn from whoever is there: one may come late, miss a round and come back."""
SETTLED = (RoundStatus.CONFIRMED, RoundStatus.RELEASED, RoundStatus.CLOSED)
OVER = (TournamentStatus.FINISHED, TournamentStatus.PUBLISHED, TournamentStatus.CANCELLED)


def lock_entry(entry_id: int) -> tuple[Tournament, Entry]:
    """The entry as it is once its tournament is locked; raises TournamentError if it has been taken out."""
    tournament_id = Entry.objects.filter(pk=entry_id).values_list("tournament_id", flat=True).first()
    tournament = lock(tournament_id) if tournament_id is not None else None
    entry = Entry.objects.filter(pk=entry_id).first()
    if tournament is None or entry is None:
        raise TournamentError("entry_gone", "This entry was taken out of the tournament meanwhile: load the page anew.")
    entry.tournament = tournament
    return tournament, entry


def check_not_over(tournament: Tournament) -> None:
    """Raises TournamentError for a tournament to which nothing happens any more."""
    if tournament.status in OVER:
        raise TournamentError(
            "tournament_over", f"“{tournament}” is {tournament.status}: nobody comes or goes any more."
        )


def current_stage(tournament: Tournament) -> Stage | None:
    """The stage that is being played."""
    return tournament.stages.filter(status=StageStatus.RUNNING).order_by("-number").first()


def next_round(stage: Stage) -> int:
    """The number of the first round that is not settled: one that is merely proposed is still to be drawn."""
    settled = stage.rounds.filter(status__in=SETTLED).aggregate(last=Max("number"))["last"]
    return (settled or 0) + 1


def rounds_planned(stage: Stage) -> int:
    """How many rounds a stage has that is drawn round by round: what its first draw went by, or would go by now."""
    field = stage.stage_entries.count() or stage.tournament.entries.filter(status=EntryStatus.ACTIVE).count()
    return proposing.rounds_planned(stage, field)


def gone_from(stage: Stage, entry: Entry) -> int:
    """The first round of the stage that an entry which leaves now is not there for.

    Where all rounds were drawn at the start, the first in which its own table is not decided.
    """
    following = next_round(stage)
    if stage.format in ROUND_BY_ROUND:
        return following
    undecided = PairingSeat.objects.filter(
        round__stage=stage, entry=entry, pairing__status__in=[PairingStatus.OPEN, PairingStatus.WAITING]
    )
    first = undecided.exclude(round__status=RoundStatus.WITHDRAWN).order_by("round__number").first()
    return min(following, first.round.number) if first else following


def is_in(stage: Stage, entry: Entry) -> bool:
    return stage.stage_entries.filter(entry=entry).exists()


def make_way(stage: Stage, why: str, by: User | None = None) -> None:
    """Takes a proposed round back because who is there for it has changed; it stays in sight and can be drawn anew.

    To be called under the tournament's lock. Raises TournamentError while somebody changes the round by hand.
    """
    if stage.format not in ROUND_BY_ROUND:
        return
    open_rounds = stage.rounds.filter(status__in=[RoundStatus.PROPOSED, RoundStatus.CHANGING])
    for drawn in open_rounds.order_by("number"):
        _take_back(stage, drawn, why, by)


def _take_back(stage: Stage, drawn: Round, why: str, by: User | None) -> None:
    if drawn.status == RoundStatus.CHANGING:
        raise TournamentError(
            "round_changing",
            f"Round {drawn.number} is being changed by hand, and this would change who is there for it: "
            "confirm it or take it back first.",
        )
    drawn.status, drawn.status_reason = RoundStatus.WITHDRAWN, why[:200]
    drawn.save(update_fields=["status", "status_reason"])
    note(stage.tournament, "round_taken_back", by, stage=stage.number, round=drawn.number, reason=why)


def join(stage: Stage, entry: Entry) -> None:
    """Puts an entry into a stage that has begun, behind all others and with nothing, from the next round on.

    To be called under the tournament's lock; raises TournamentError where nobody can join any more.
    """
    if stage.format not in ROUND_BY_ROUND or stage.number > 1:
        raise TournamentError(
            "late_entry_impossible",
            f"Stage {stage.number} of “{stage.tournament}” was drawn for those who were there at its start: "
            "nobody can join it.",
        )
    if next_round(stage) > rounds_planned(stage):
        raise TournamentError(
            "no_rounds_left", f"Every round of stage {stage.number} is drawn: {entry.name} would have none to play."
        )
    make_way(stage, f"{entry.name} joined", None)
    entry.joined_round = next_round(stage)
    entry.save(update_fields=["joined_round"])
    last = stage.stage_entries.aggregate(last=Max("number"))["last"] or 0
    reason = {"code": "late", "round": entry.joined_round}
    StageEntry.objects.create(stage=stage, entry=entry, number=last + 1, reason=reason)
