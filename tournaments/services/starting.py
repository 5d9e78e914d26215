"""A stage begins: its entries seeded and frozen, its draw made. To be called under the tournament's lock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone

from matches.core.plan import Length, parties_of
from matches.models import PlayerKind
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import Audience, RoundStatus, StageStatus
from tournaments.formats.meetings import Draw
from tournaments.formats.protection import seeded
from tournaments.formats.registry import FormatKind
from tournaments.models import Entry, EntryMember, Stage, StageEntry
from tournaments.services.bracketing import bracket_of, refill, write_bracket
from tournaments.services.history import entrants_of
from tournaments.services.log import note
from tournaments.services.proposing import (
    drawn_ahead,
    lots_of,
    position_of,
    propose,
    rounds_planned,
    stored,
    write_ahead,
)
from tournaments.services.releasing import confirm, release
from tournaments.services.stages import format_of, seats_of, why_not_stage
from tournaments.services.telling import tell_drawn
from tournaments.services.writing import entries_of, make_matches

MOST_ENTRIES = 512
"""Where all rounds are drawn at once, in one transaction."""
MOST_IN_SWISS = 10_000
MOST_PARTIES = 20_000


@dataclass(frozen=True, slots=True)
class Starter:
    """An entry as it goes into a stage. `carried`: quarter points that it brings."""

    entry: Entry
    carried: int = 0
    reason: dict[str, Any] = field(default_factory=dict)


def start_stage(stage: Stage, starters: Sequence[Starter]) -> None:
    """Freezes who is in the stage, the best seed first, and draws what can be drawn; raises TournamentError."""
    check_count(stage, len(starters))
    stage.status, stage.started_at = StageStatus.RUNNING, timezone.now()
    stage.save(update_fields=["status", "started_at"])
    _freeze(stage, starters)
    if format_of(stage).kind is FormatKind.BRACKET and stage.protected_rounds:
        _keep_apart(stage)
    note(stage.tournament, "stage_started", None, stage=stage.number, format=stage.format, entries=len(starters))
    _draw(stage)


def check_count(stage: Stage, entries: int) -> None:
    """Raises TournamentError where the format cannot be played by so many, or one transaction cannot draw them."""
    most = MOST_IN_SWISS if format_of(stage).kind is FormatKind.ROUND_BY_ROUND else MOST_ENTRIES
    if entries > most:
        raise TournamentError(
            "too_large", f"“{stage.tournament}” has {entries} entries; {most} are the most. Enter fewer players."
        )
    if troubles := why_not_stage(stage, entries):
        raise TournamentError("cannot_be_played", f"{stage}: {' '.join(troubles)}")


def _freeze(stage: Stage, starters: Sequence[Starter]) -> None:
    StageEntry.objects.bulk_create(
        StageEntry(stage=stage, entry=one.entry, number=number, carried=one.carried, reason=one.reason)
        for number, one in enumerate(starters, start=1)
    )


def _keep_apart(stage: Stage) -> None:
    """Exchanges seeds of about one strength, so that clubmates and bots of one owner meet as late as can be."""
    order = seeded(entrants_of(stage), True)
    rows = {row.number: row for row in stage.stage_entries.all()}
    if list(order.order) == sorted(rows):
        return
    stage.stage_entries.all().delete()
    told = [[reason.code, *reason.values] for reason in order.reasons]
    StageEntry.objects.bulk_create(
        StageEntry(
            stage=stage,
            entry_id=rows[one].entry_id,
            number=number,
            carried=rows[one].carried,
            reason=rows[one].reason | {"apart": [why for why in told if why[1] == number]},
        )
        for number, one in enumerate(order.order, start=1)
    )


def _draw(stage: Stage) -> None:
    kind = format_of(stage).kind
    if kind is FormatKind.ROUND_BY_ROUND:
        _check_rounds(stage)
        drawn = propose(stage)
        if stage.tournament.auto_draw:
            confirm(drawn)
            release(drawn, Audience.PUBLIC)
        return
    if kind is FormatKind.AHEAD:
        _draw_ahead(stage)
    else:
        _draw_bracket(stage)
    make_matches(stage)
    if stage.tournament.auto_draw:
        tell_drawn(stage.rounds.defer("position", "draw", "changes").order_by("number"))


def _columns(stage: Stage) -> dict[str, Any]:
    """Rounds that are drawn at the start are there for all to see, or for the organiser to confirm one by one."""
    if stage.tournament.auto_draw:
        return {"status": RoundStatus.RELEASED, "audience": Audience.PUBLIC}
    return {"status": RoundStatus.PROPOSED, "audience": Audience.HIDDEN}


def _draw_ahead(stage: Stage) -> None:
    draws = drawn_ahead(stage, position_of(stage))
    _check_parties(stage, _meetings_in(draws))
    entries = entries_of(stage)
    for number, draw in enumerate(draws, start=1):
        write_ahead(stage, number, draw, entries, **_columns(stage))


def _meetings_in(draws: Sequence[Draw]) -> int:
    return sum(len(table.entrants) > 1 for draw in draws for table in draw.tables)


def _draw_bracket(stage: Stage) -> None:
    _check_parties(stage, len(bracket_of(stage).matches))
    entries, engine = entries_of(stage), format_of(stage).engine
    write_bracket(stage, entries, engine=engine, lots=lots_of(stage, 1).seed.hex(), **_columns(stage))
    stage.rounds.filter(number=1).update(position=stored(stage, position_of(stage)))
    refill(stage, entries)


def _check_rounds(stage: Stage) -> None:
    entries, seats = stage.stage_entries.count(), seats_of(stage.tournament)
    _check_parties(stage, rounds_planned(stage, entries) * -(-entries // seats))


def _check_parties(stage: Stage, meetings: int) -> None:
    """The machine plays it all, unless people do: raises TournamentError where that is too much."""
    tournament = stage.tournament
    if EntryMember.objects.filter(tournament=tournament, player__kind=PlayerKind.PERSON).exists():
        return
    boards, length = stage.boards or tournament.boards, Length(stage.length or tournament.length)
    parties = meetings * parties_of(length, boards, tournament.game_rules.players)
    if parties > MOST_PARTIES:
        raise TournamentError(
            "too_large",
            f"“{tournament}” would be {parties} parties: {meetings} pairings, {boards} boards each, from "
            f"every seat. {MOST_PARTIES} are the most: play fewer boards, or enter fewer players.",
        )
