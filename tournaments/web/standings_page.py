"""The standings page as it is read: the stage that is looked at, its tables, cross tables, and what was published."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q

from matches.models import User
from tournaments.models import Stage, Tournament
from tournaments.services.history import closed_rounds
from tournaments.services.ranking import live_standings, stage_standings, stages_begun
from tournaments.services.stages import chain_of, seats_of
from tournaments.standings.table import Row
from tournaments.web.bracket_page import read_bracket
from tournaments.web.crossing import crosses_of
from tournaments.web.meetings import read_draw, read_progress
from tournaments.web.pulse import read_pulse
from tournaments.web.reading import heading, visible_rounds
from tournaments.web.rounds import MOST_MEETINGS_SHOWN
from tournaments.web.stage_words import stage_title
from tournaments.web.tables import entrants_of, published, tables_of


@dataclass(frozen=True, slots=True)
class StageTab:
    number: int
    title: str
    is_shown: bool


def sides_at(tournament: Tournament) -> int:
    """How many meet at a table, each for himself or with a partner that the draw chose."""
    seats = seats_of(tournament)
    return seats if tournament.table_kind in ("3", "4") else 2


def rows_of(tournament: Tournament, stage: Stage | None, newest: Stage | None) -> tuple[Row, ...]:
    """The newest stage with all who did not get into it behind; any other by itself."""
    if stage is None or stage == newest:
        return live_standings(tournament)
    return stage_standings(stage)


def read_standings(user: User | AnonymousUser, tournament: Tournament, asked: int = 0) -> dict[str, Any]:
    """The page's context. `asked`: the number of the stage to look at, 0 for the newest."""
    stages = stages_begun(tournament)
    newest = stages[-1] if stages else None
    stage = next((one for one in stages if one.number == asked), newest)
    visible = visible_rounds(user, tournament)
    draw = read_draw(tournament, visible)
    of_stage = [one for one in draw.meetings if stage is None or one.stage == stage.number]
    entrants, rows, sides = entrants_of(tournament), rows_of(tournament, stage, newest), sides_at(tournament)
    tables = tables_of(rows, entrants, sides, of_stage)
    of_this = Q(stage=stage) | Q(stage=None) if stage else Q()
    latest = tournament.snapshots.filter(of_this).order_by("-number").first()
    return {
        "heading": heading(tournament, len(entrants)),
        "pulse": read_pulse(tournament, draw),
        "is_large": draw.total > MOST_MEETINGS_SHOWN,
        "tables": tables,
        "stage_number": stage.number if stage else 1,
        "stage_tabs": tabs_of(stages, stage),
        "bracket": read_bracket(stage, of_stage, set(visible.values_list("pk", flat=True))) if stage else None,
        "crosses": crosses_of(tables, of_stage, stage.format if stage else ""),
        "published": published(latest, entrants, rows, sides) if latest else None,
        "plan": plan_of(tournament, stages),
        "after_round": closed_rounds(stage) if stage else 0,
    }


def read_part(user: User | AnonymousUser, tournament: Tournament) -> dict[str, Any]:
    """How far it is and no more: what the page of a large tournament asks for again and again."""
    draw = read_progress(tournament, visible_rounds(user, tournament))
    return {"heading": heading(tournament, 0), "pulse": read_pulse(tournament, draw)}


def tabs_of(stages: Sequence[Stage], shown: Stage | None) -> tuple[StageTab, ...]:
    """None where there is but one stage."""
    if len(stages) < 2:
        return ()
    return tuple(StageTab(one.number, stage_title(one), one == shown) for one in stages)


def plan_of(tournament: Tournament, begun: Sequence[Stage]) -> tuple[str, ...]:
    """The titles of all stages in order, where there are several."""
    chain = chain_of(tournament) if len(begun) < 2 else begun
    return tuple(stage_title(one) for one in chain) if len(chain) > 1 else ()
