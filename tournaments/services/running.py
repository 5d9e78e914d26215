"""Opening check-in, starting, pausing, resuming, ending early, cancelling."""

from __future__ import annotations

import secrets

from django.db import transaction

from engine import RulesError
from matches.core.lifecycle import OVER
from matches.models import AgentStatus, Match, User
from matches.services.desk import hold_matches, release_matches, void_matches
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import (
    EntryStatus,
    PairingStatus,
    RoundStatus,
    Seeding,
    StageStatus,
    TournamentStatus,
)
from tournaments.formats.lots import Lots
from tournaments.models import Entry, Stage, Tournament
from tournaments.services.advancing import GOES_ON, advance, finish_stage, pairings_of
from tournaments.services.checking_in import close_check_in
from tournaments.services.log import note
from tournaments.services.members import check_house
from tournaments.services.proposing import standing_rounds
from tournaments.services.seeding import order_of
from tournaments.services.stages import chain_of, seats_of, why_not
from tournaments.services.starting import Starter, check_count, start_stage
from tournaments.services.state import lock, move


@transaction.atomic
def open_check_in(tournament_id: int, by: User | None = None) -> Tournament:
    """From now on those who came say so; who does not is not drawn. Locks the tournament; raises TournamentError."""
    tournament = lock(tournament_id)
    if tournament.status != TournamentStatus.CHECK_IN:
        move(tournament, TournamentStatus.CHECK_IN)
        note(tournament, "check_in_opened", by)
    return tournament


@transaction.atomic
def start(tournament_id: int, seed: bytes | None = None, by: User | None = None) -> Tournament:
    """Freezes rules, stages and entries and draws the first stage, all or nothing.

    What is drawn ahead is drawn whole and handed to the workers; where an organiser confirms every round it waits for
    him. `seed`: 32 secret bytes from which all boards follow; drawn fresh if not given. Locks the tournament, so that
    eight starts at once draw it once; raises TournamentError.
    """
    tournament = lock(tournament_id)
    close_check_in(tournament, by)
    entries = _ready_entries(tournament)
    tournament.seed = seed or secrets.token_bytes(32)
    stage = _first_stage(tournament, entries)
    move(tournament, TournamentStatus.RUNNING)
    note(tournament, "started", by, entries=len(entries))
    lots = Lots(bytes(tournament.lots_seed)).of("seeding", stage.number)
    ordered = order_of(tournament, entries, Seeding(stage.seeding), lots)
    start_stage(stage, [Starter(entry) for entry in ordered])
    advance(tournament)
    return tournament


def _ready_entries(tournament: Tournament) -> list[Entry]:
    """The active entries in order of their numbers; raises TournamentError unless play could begin."""
    entries = list(
        tournament.entries.filter(status=EntryStatus.ACTIVE)
        .prefetch_related("members__agent__player")
        .order_by("number")
    )
    _check_rules(tournament)
    least = seats_of(tournament)
    if len(entries) < least:
        told = "two are the least" if least == 2 else f"a table of {least} needs {least}"
        raise TournamentError("too_few_entries", f"“{tournament}” has {len(entries)} entries; {told}.")
    for entry in entries:
        _check_entry(tournament, entry)
    return entries


def _check_rules(tournament: Tournament) -> None:
    try:
        tournament.game_rules  # noqa: B018  # the engine reads and checks them all
    except RulesError as error:
        raise TournamentError("bad_rules", f"The rules do not fit together: {error}") from error


def _check_entry(tournament: Tournament, entry: Entry) -> None:
    members = list(entry.members.all())
    if not members or any(member.agent.status != AgentStatus.ACTIVE for member in members):
        raise TournamentError(
            "version_not_active", f"{entry.name} cannot play: its version is not active. Take it out or admit it."
        )
    for member in members:
        check_house(tournament, member.agent)
    hands = entry.hands or len(members)
    if hands > tournament.hands:
        raise TournamentError(
            "too_many_members",
            f"{entry.name} has {hands} members, and at {tournament.rules} each plays for himself. "
            "Take it out, or choose a table for pairs.",
        )


def _first_stage(tournament: Tournament, entries: list[Entry]) -> Stage:
    """The first of the chain, which is written now where none was planned; raises TournamentError."""
    stage = chain_of(tournament)[0]
    check_count(stage, len(entries))
    if troubles := why_not(tournament, len(entries)):
        raise TournamentError("cannot_be_played", " ".join(troubles))
    stage.tournament = tournament
    if stage.pk is None:
        stage.save()
    return stage


@transaction.atomic
def pause(tournament_id: int, by: User | None = None) -> Tournament:
    """No further match begins; those being played go on to their end. Locks the tournament."""
    tournament = lock(tournament_id)
    move(tournament, TournamentStatus.PAUSED)
    note(tournament, "paused", by)
    hold_matches(_unfinished(tournament))
    return tournament


@transaction.atomic
def resume(tournament_id: int, by: User | None = None) -> Tournament:
    """Takes a paused tournament up again. Locks the tournament."""
    tournament = lock(tournament_id)
    move(tournament, TournamentStatus.RUNNING)
    note(tournament, "resumed", by)
    release_matches(_unfinished(tournament, RoundStatus.RELEASED))
    return tournament


@transaction.atomic
def finish(tournament_id: int, by: User | None = None) -> Tournament:
    """Ends the stage that is on with the rounds it has had, and goes on to the next stage or to the end.

    Every table has to be decided; a draw that is not confirmed is taken back. Where no stage is on, since the next one
    could not begin, those that are left are dropped. Locks the tournament; raises TournamentError.
    """
    tournament = lock(tournament_id)
    if tournament.status not in GOES_ON:
        raise TournamentError("nothing_to_finish", f"“{tournament}” is {tournament.status}: nothing of it is on.")
    stage = tournament.stages.filter(status=StageStatus.RUNNING).order_by("number").first()
    if stage is None:
        _drop_stages(tournament, by)
    else:
        stage.tournament = tournament
        _end_early(stage, by)
    advance(tournament)
    return tournament


def _drop_stages(tournament: Tournament, by: User | None) -> None:
    planned = tournament.stages.filter(status=StageStatus.PLANNED)
    note(tournament, "stages_dropped", by, formats=list(planned.order_by("number").values_list("format", flat=True)))
    planned.delete()


def _end_early(stage: Stage, by: User | None) -> None:
    stage.rounds.filter(status__in=[RoundStatus.PROPOSED, RoundStatus.CHANGING]).update(
        status=RoundStatus.WITHDRAWN, status_reason="the stage was ended before it"
    )
    undecided = pairings_of(stage.tournament).filter(status__in=[PairingStatus.OPEN, PairingStatus.WAITING])
    if tables := undecided.count():
        raise TournamentError(
            "still_open", f"{tables} tables are not decided: wait for them, rule on them, or annul their matches."
        )
    stage.ended_with = standing_rounds(stage).count()
    stage.save(update_fields=["ended_with"])
    note(stage.tournament, "ended_early", by, stage=stage.number)
    finish_stage(stage)


@transaction.atomic
def cancel(tournament_id: int, reason: str, by: User | None = None) -> Tournament:
    """Ends a tournament for good; every match that is not decided is void. Locks the tournament."""
    tournament = lock(tournament_id)
    if not reason.strip():
        raise TournamentError(
            "reason_missing", "Say why the tournament is cancelled: the pages of its matches show it."
        )
    move(tournament, TournamentStatus.CANCELLED)
    note(tournament, "cancelled", by, reason=reason)
    void_matches(_unfinished(tournament), f"the tournament was cancelled: {reason}")
    return tournament


def _unfinished(tournament: Tournament, *rounds: RoundStatus) -> list[int]:
    """Matches that are not over; with `rounds` only those of rounds in these states."""
    matches = Match.objects.filter(pairing__round__stage__tournament=tournament).exclude(status__in=list(OVER))
    if rounds:
        matches = matches.filter(pairing__round__status__in=rounds)
    return list(matches.order_by("pk").values_list("pk", flat=True))
