"""One entry as its page shows it: who it is, whom it met, and the numbers behind its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _

from matches.models import User
from tournaments.models import Entry, Stage, StageEntry, Tournament
from tournaments.services.ranking import explain_cell, stage_standings, stages_begun
from tournaments.standings.table import Row
from tournaments.standings.values import format_value
from tournaments.web.category_words import PartLine, part_line
from tournaments.web.criteria_words import CRITERIA
from tournaments.web.draw_page import names_of
from tournaments.web.entry_facts import EntryFacts
from tournaments.web.meetings import Meeting, Side, meetings_of_entry
from tournaments.web.reading import visible_rounds
from tournaments.web.reason_words import sentence_of
from tournaments.web.stage_words import stage_title
from tournaments.web.tables import Member, members_of
from tournaments.web.wording import points_words


@dataclass(frozen=True, slots=True)
class Value:
    """What one criterion says of the entry; `lines` are the numbers behind it, where they were asked for.

    `tied`: with how many it was level before it was asked, and after.
    """

    code: str
    title: str
    help: str
    value: str
    tied_before: int
    tied_after: int
    lines: tuple[PartLine, ...] | None


@dataclass(frozen=True, slots=True)
class InStage:
    """The entry in one stage; `values` is empty where places come from a bracket."""

    number: int
    title: str
    seed: int
    place: int
    points: str
    carried: str
    why_seeded: tuple[str, ...]
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Seated:
    """A meeting from the entry's side."""

    meeting: Meeting
    own: Side
    others: tuple[Side, ...]


@dataclass(frozen=True, slots=True)
class EntryPage(EntryFacts):
    members: tuple[Member, ...]
    stages: tuple[InStage, ...]
    meetings: tuple[Seated, ...]


def read_entry(
    user: User | AnonymousUser, tournament: Tournament, entry: Entry, why: str = "", stage: int = 0
) -> EntryPage:
    """`why`, `stage`: the criterion whose numbers are asked for, and where."""
    visible = visible_rounds(user, tournament)
    begun = [one for one in stages_begun(tournament) if one.stage_entries.filter(entry=entry).exists()]
    meetings = meetings_of_entry(tournament, entry.pk, visible)
    hidden = frozenset(_hidden(begun, set(visible.values_list("pk", flat=True))))
    return EntryPage.of(
        entry,
        members=members_of(entry),
        stages=tuple(_in_stage(one, entry, why if one.number == stage else "", hidden) for one in begun),
        meetings=tuple(_seated(one, entry.public_id) for one in meetings),
    )


def _hidden(stages: Sequence[Stage], shown: set[int]) -> list[tuple[int, int]]:
    """Stage and number of the rounds that the reader may not see."""
    return [
        (stage.number, number)
        for stage in stages
        for pk, number in stage.rounds.values_list("pk", "number")
        if pk not in shown
    ]


def _in_stage(stage: Stage, entry: Entry, why: str, hidden: frozenset[tuple[int, int]]) -> InStage:
    row = next((one for one in stage_standings(stage) if one.entry == entry.public_id), None)
    seeded = stage.stage_entries.get(entry=entry)
    rounds = frozenset(number for of_stage, number in hidden if of_stage == stage.number)
    return InStage(
        number=stage.number,
        title=stage_title(stage),
        seed=seeded.number,
        place=row.place if row else 0,
        points=points_words(row.points) if row else "",
        carried=points_words(seeded.carried) if seeded.carried else "",
        why_seeded=_why_seeded(seeded),
        values=tuple(_values(stage, row, why, rounds)) if row else (),
    )


def _why_seeded(seeded: StageEntry) -> tuple[str, ...]:
    """How it came to its seed: from the stage before, and by being kept apart from others."""
    name_of = names_of(seeded.stage_id)
    reasons = [*seeded.reason.get("reasons", ()), *seeded.reason.get("apart", ())]
    return tuple(sentence_of(code, values, name_of, "bracket") for code, *values in reasons)


def _values(stage: Stage, row: Row, why: str, hidden: frozenset[int]) -> list[Value]:
    return [
        Value(
            code=cell.criterion,
            title=str(CRITERIA[cell.criterion].title),
            help=str(CRITERIA[cell.criterion].help),
            value=format_value(cell.criterion, cell.value) or _("silent"),
            tied_before=cell.tied_before,
            tied_after=cell.tied_after,
            lines=_lines(stage, row.number, cell.criterion, hidden) if cell.criterion == why else None,
        )
        for cell in row.cells
    ]


def _lines(stage: Stage, number: int, criterion: str, hidden: frozenset[int]) -> tuple[PartLine, ...]:
    name_of = names_of(stage.pk)
    parts = explain_cell(stage, number, criterion).parts
    return tuple(part_line(criterion, part, name_of, hidden) for part in parts)


def _seated(meeting: Meeting, entry: str) -> Seated:
    own = next(side for side in meeting.sides if entry in dict(side.entries))
    return Seated(meeting, own, tuple(side for side in meeting.sides if side is not own))
