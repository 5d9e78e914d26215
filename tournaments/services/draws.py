"""A round's draw: proposed by the format, changed by hand in a marked phase, confirmed, released, taken back.

Every verb locks the tournament and may be called twice; all raise TournamentError.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from matches.core.lifecycle import MatchStatus
from matches.models import User
from matches.services.desk import void_matches
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import (
    Audience,
    PairingStatus,
    RoundStatus,
    StageStatus,
    TournamentStatus,
)
from tournaments.formats.meetings import Kind, Reason, Table
from tournaments.formats.positions import format_reasons, parse_draw
from tournaments.formats.registry import FormatKind
from tournaments.models import Round, Stage, Tournament
from tournaments.services import proposing, releasing
from tournaments.services.advancing import advance
from tournaments.services.log import note
from tournaments.services.proposing import drawn_again
from tournaments.services.stages import allows_short, are_individuals, format_of, seats_of
from tournaments.services.state import lock
from tournaments.services.violating import violations_of
from tournaments.services.writing import Numbered, entries_of, has_begun, write_tables

__all__ = [
    "begin_changes",
    "change",
    "confirm",
    "drawn_again",
    "propose",
    "propose_by_hand",
    "release",
    "take_back",
    "violations",
]
BY_HAND = "by_hand"
"""The reason of a table that the organiser made."""
PARTNERS_OPPOSITE = (0, 1, 0, 1)


@transaction.atomic
def propose(stage_id: int, by: User | None = None) -> Round:
    """Draws the next round, for the organiser alone to see; eight at once draw it once.

    Nothing is drawn before every table of the round before is decided. Where a round is under way, that one is
    returned; a proposal that results or entries have overtaken is taken back and drawn anew.
    """
    stage = _lock_running(stage_id)
    before = stage.rounds.count()
    drawn = proposing.propose(stage)
    if stage.rounds.count() > before:
        note(stage.tournament, "round_proposed", by, stage=stage.number, round=drawn.number)
    return drawn


@transaction.atomic
def propose_by_hand(stage_id: int, by: User | None = None) -> Round:
    """Opens the next round with nobody seated, to be made by hand, where the format has no draw for it.

    Where it has one, that is proposed as ever. The tournament is no longer played by the rules.
    """
    stage = _lock_running(stage_id)
    try:
        with transaction.atomic():
            return proposing.propose(stage)
    except proposing.Undrawable:
        drawn = proposing.open_by_hand(stage)
    _leave_the_rules(stage.tournament)
    note(stage.tournament, "round_by_hand", by, stage=stage.number, round=drawn.number)
    return drawn


def _lock_running(stage_id: int) -> Stage:
    """The stage, brought up to date; raises TournamentError unless it is being played."""
    tournament = lock(Stage.objects.values_list("tournament_id", flat=True).get(pk=stage_id))
    advance(tournament)
    stage = Stage.objects.get(pk=stage_id)
    stage.tournament = tournament
    if stage.status != StageStatus.RUNNING or not _goes_on(tournament):
        raise TournamentError("not_running", f"{stage} is {stage.status}: a round is drawn while it is played.")
    return stage


@transaction.atomic
def begin_changes(round_id: int, by: User | None = None) -> Round:
    """Opens the phase in which the organiser changes a proposal by hand."""
    drawn = _lock(round_id)
    if drawn.status == RoundStatus.CHANGING:
        return drawn
    _check(drawn, RoundStatus.PROPOSED)
    if format_of(drawn.stage).kind is FormatKind.BRACKET:
        raise TournamentError(
            "bracket_by_hand", "A bracket follows from its seeds and results: seed by hand before the start instead."
        )
    _move(drawn, RoundStatus.CHANGING)
    note(drawn.stage.tournament, "changes_begun", by, stage=drawn.stage.number, round=drawn.number)
    return drawn


@transaction.atomic
def change(round_id: int, tables: Sequence[Sequence[str]], reason: str, by: User | None = None) -> Round:
    """Puts these tables in the place of the proposal: public ids of entries in seat order, one alone has a bye.

    Who asked for a bye and is at none of them keeps it. What differs from the proposal is kept with the reason, and the
    tournament is no longer played by the rules. What it breaks is listed by `violations`, and forbidden is nothing but
    to seat somebody twice, at a table of the wrong size, or who is not in the stage.
    """
    drawn = _lock(round_id)
    _check(drawn, RoundStatus.CHANGING)
    entries = entries_of(drawn.stage)
    numbers = _numbers(drawn.stage, tables, entries)
    difference = _difference(drawn, numbers)
    if difference and not reason.strip():
        raise TournamentError("reason_missing", "Say why the draw is changed: it is shown beside the round.")
    _rewrite(drawn, numbers, entries)
    drawn.changes = _told(numbers, difference, reason, by) if difference else None
    drawn.save(update_fields=["changes"])
    if difference:
        _leave_the_rules(drawn.stage.tournament)
        told = {"stage": drawn.stage.number, "round": drawn.number, "reason": reason, "difference": difference}
        note(drawn.stage.tournament, "round_changed", by, **told)
    return drawn


def _told(numbers: list[tuple[int, ...]], difference: list[list[int]], reason: str, by: User | None) -> dict[str, Any]:
    return {
        "tables": [list(table) for table in numbers],
        "difference": difference,
        "reason": reason.strip(),
        "by": by.get_username() if by else None,
    }


def _numbers(stage: Stage, tables: Sequence[Sequence[str]], entries: Numbered) -> list[tuple[int, ...]]:
    by_id = {entry.public_id: number for number, entry in entries.items()}
    given = Counter(one for table in tables for one in table)
    if unknown := sorted(set(given) - set(by_id)):
        raise TournamentError("not_in_stage", f"{', '.join(unknown)}: not among the entries of {stage}.")
    if twice := sorted({entries[by_id[one]].name for one in given if given[one] > 1}):
        raise TournamentError("twice_seated", f"{', '.join(twice)}: at two tables of one round.")
    seats = _sizes(stage)
    for table in tables:
        if len(table) not in seats:
            told = " or ".join(map(str, sorted(seats - {1})))
            raise TournamentError("bad_table", f"A table of {len(table)}: expected {told}, or 1 for a bye.")
    return [tuple(by_id[one] for one in table) for table in tables]


def _sizes(stage: Stage) -> set[int]:
    """How many a match can be played by: as the rules have it, one less where that is allowed, and alone a bye."""
    seats = seats_of(stage.tournament)
    return {1, seats, seats - 1} if allows_short(stage) else {1, seats}


def _difference(drawn: Round, numbers: Sequence[tuple[int, ...]]) -> list[list[int]]:
    """The tables that the format did not draw so."""
    proposed = {table.entrants for table in parse_draw(drawn.draw).tables} if drawn.draw else set()
    return [list(table) for table in numbers if table not in proposed] or (
        [] if len(numbers) >= len(proposed) else [list(table) for table in sorted(proposed - set(numbers))]
    )


def _rewrite(drawn: Round, numbers: Sequence[tuple[int, ...]], entries: Numbered) -> None:
    proposed = {table.entrants: table for table in parse_draw(drawn.draw).tables} if drawn.draw else {}
    sides = PARTNERS_OPPOSITE if are_individuals(drawn.stage.tournament) else ()
    groups = {one: table.group for table in proposed.values() for one in table.entrants}
    tables = [proposed.get(table) or _by_hand(table, sides, groups) for table in numbers]
    seated = {one for table in numbers for one in table}
    byes = [one for one in proposing.asked_byes(drawn.stage, drawn.number, entries) if one.entrants[0] not in seated]
    drawn.pairings.all().delete()
    write_tables(drawn, [*tables, *byes], entries)


def _by_hand(numbers: tuple[int, ...], sides: tuple[int, ...], groups: Mapping[int, int | None]) -> Table:
    """A table of one group stays one of that group; who is of two groups meets outside of both."""
    of_groups = {groups.get(one) for one in numbers}
    group = of_groups.pop() if len(of_groups) == 1 else None
    if len(numbers) == 1:
        return Table(numbers, Kind.BYE, reasons=(Reason(BY_HAND),), group=group)
    return Table(numbers, sides=sides, reasons=(Reason(BY_HAND),), group=group)


def _leave_the_rules(tournament: Tournament) -> None:
    if tournament.is_by_the_rules:
        tournament.is_by_the_rules = False
        tournament.save(update_fields=["is_by_the_rules"])


def violations(round_id: int) -> list[Reason]:
    """What the round breaks, as it stands: see `violating`."""
    return violations_of(Round.objects.select_related("stage__tournament").get(pk=round_id))


@transaction.atomic
def confirm(round_id: int, by: User | None = None) -> Round:
    """Settles a proposal, as it was drawn or changed; its matches are made, and held until it is released."""
    drawn = _lock(round_id)
    if drawn.status in (RoundStatus.CONFIRMED, RoundStatus.RELEASED, RoundStatus.CLOSED):
        return drawn
    if not drawn.pairings.exists():
        raise TournamentError("nobody_seated", f"{drawn} has no table: seat somebody, or take it back.")
    broken = format_reasons(violations_of(drawn))
    releasing.confirm(drawn)
    told = {"stage": drawn.stage.number, "round": drawn.number, "violations": broken}
    note(drawn.stage.tournament, "round_confirmed", by, **told)
    advance(drawn.stage.tournament)
    return Round.objects.get(pk=round_id)


@transaction.atomic
def release(round_id: int, audience: Audience = Audience.PUBLIC, by: User | None = None) -> Round:
    """Lets a confirmed round be played, and be seen by the audience; who sees it may be changed later.

    What is played cannot be hidden from those who play it.
    """
    drawn = _lock(round_id)
    if audience == Audience.HIDDEN:
        raise TournamentError(
            "hidden_release",
            f"{drawn} would be played by people who do not see it: leave it confirmed for as long as it is hidden.",
        )
    if drawn.status in (RoundStatus.RELEASED, RoundStatus.CLOSED) and drawn.audience == audience:
        return drawn
    releasing.release(drawn, audience)
    told = {"stage": drawn.stage.number, "round": drawn.number, "audience": audience}
    note(drawn.stage.tournament, "round_released", by, **told)
    advance(drawn.stage.tournament)
    return Round.objects.get(pk=round_id)


@transaction.atomic
def take_back(round_id: int, reason: str, by: User | None = None, *, even_played: bool = False) -> Round:
    """Takes the newest draw back: its matches are void, and it stays in sight beside the one that replaces it.

    A result in it forbids that, unless `even_played`.
    """
    drawn = _lock(round_id)
    if drawn.status == RoundStatus.WITHDRAWN:
        return drawn
    if not reason.strip():
        raise TournamentError("reason_missing", "Say why the draw is taken back: it stays in sight with that.")
    _check_can_go(drawn, even_played)
    void_matches(_open_matches(drawn), f"round {drawn.number} was taken back: {reason}")
    drawn.pairings.exclude(status=PairingStatus.BYE).update(status=PairingStatus.VOID)
    drawn.status, drawn.status_reason, drawn.closed_at = RoundStatus.WITHDRAWN, reason.strip()[:200], None
    drawn.save(update_fields=["status", "status_reason", "closed_at"])
    told = {"stage": drawn.stage.number, "round": drawn.number, "reason": reason, "is_by_hand": True}
    note(drawn.stage.tournament, "round_taken_back", by, **told)
    return drawn


def _check_can_go(drawn: Round, even_played: bool) -> None:
    if not _goes_on(drawn.stage.tournament) or drawn.stage.status != StageStatus.RUNNING:
        raise TournamentError("not_running", f"{drawn.stage} is not being played: its draws stand.")
    kind = format_of(drawn.stage).kind
    if kind is FormatKind.BRACKET:
        raise TournamentError(
            "bracket_by_hand", "A bracket is drawn as a whole: correct or annul single results instead."
        )
    later = drawn.stage.rounds.filter(number__gt=drawn.number).exclude(status=RoundStatus.WITHDRAWN)
    if kind is FormatKind.ROUND_BY_ROUND and later.exists():
        raise TournamentError("later_rounds", f"Later rounds follow from {drawn}: take those back first.")
    begun = [one for one in drawn.pairings.select_related("match") if one.match is not None and has_begun(one.match)]
    if begun and not even_played:
        tables = ", ".join(str(one.number) for one in begun)
        raise TournamentError("played", f"Tables {tables} are being played or decided: taking them back voids that.")


def _open_matches(drawn: Round) -> list[int]:
    matches = drawn.pairings.filter(match__isnull=False).exclude(match__status=MatchStatus.VOID)
    return list(matches.order_by("number").values_list("match_id", flat=True))


def _lock(round_id: int) -> Round:
    """The round as it is once its tournament is locked."""
    tournament = lock(Round.objects.values_list("stage__tournament_id", flat=True).get(pk=round_id))
    drawn = Round.objects.select_related("stage").get(pk=round_id)
    drawn.stage.tournament = tournament
    return drawn


def _check(drawn: Round, needed: RoundStatus) -> None:
    if drawn.status != needed:
        raise TournamentError("illegal_move", f"{drawn} is {drawn.status}: expected one that is {needed}.")


def _move(drawn: Round, new: RoundStatus) -> None:
    drawn.status = new
    drawn.save(update_fields=["status"])


def _goes_on(tournament: Tournament) -> bool:
    return tournament.status in (TournamentStatus.RUNNING, TournamentStatus.PAUSED)
