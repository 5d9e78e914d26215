"""The files that a tournament can be taken away in, each under its name."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.exports.document import document_of
from tournaments.exports.spreadsheet import write_csv, write_json, write_xlsx
from tournaments.exports.tables import cross_sheet, standings_sheet
from tournaments.exports.trf import NoTrf, TrfHeading, format_trf
from tournaments.models import Stage, Tournament
from tournaments.services.history import entrants_of, meetings_of, scheme_of
from tournaments.services.proposing import rounds_planned
from tournaments.services.ranking import newest_stage, stage_standings

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@dataclass(frozen=True, slots=True)
class File:
    """One file: its type, what it is called on the page, how it is made.

    `is_whole`: it has a fuller form for directors, `make_whole`, and before the end no other. `tells_meetings`: who met
    whom, so that it waits until nothing is hidden.
    """

    content_type: str
    title: object
    make: Callable[[Tournament, Stage | None], bytes]
    make_whole: Callable[[Tournament], bytes] | None = None
    tells_meetings: bool = False

    @property
    def is_whole(self) -> bool:
        return self.make_whole is not None


def _standings_csv(tournament: Tournament, stage: Stage | None) -> bytes:
    return write_csv(standings_sheet(tournament, stage))


def _cross_csv(tournament: Tournament, stage: Stage | None) -> bytes:
    return write_csv(cross_sheet(_begun(tournament, stage)))


def _standings_json(tournament: Tournament, stage: Stage | None) -> bytes:
    return write_json(standings_sheet(tournament, stage))


def _cross_json(tournament: Tournament, stage: Stage | None) -> bytes:
    return write_json(cross_sheet(_begun(tournament, stage)))


def _xlsx(tournament: Tournament, stage: Stage | None) -> bytes:
    chosen = stage or newest_stage(tournament)
    crosses = [cross_sheet(chosen)] if chosen else []
    return write_xlsx([standings_sheet(tournament, stage), *crosses])


def _trf(tournament: Tournament, stage: Stage | None) -> bytes:
    chosen = _begun(tournament, stage)
    rows = list(chosen.stage_entries.select_related("entry"))
    heading = TrfHeading(
        name=tournament.name,
        city=tournament.venue.name if tournament.venue else "",
        system=chosen.format.replace("_", " ").capitalize(),
        arbiter=tournament.organiser.get_full_name() or tournament.organiser.username,
        start=tournament.started_at.date() if tournament.started_at else None,
        end=tournament.finished_at.date() if tournament.finished_at else None,
        rounds=rounds_planned(chosen, len(rows)),
    )
    try:
        text = format_trf(
            heading,
            entrants_of(chosen),
            meetings_of(chosen),
            {row.number: row.entry.name for row in rows},
            {row.number: row.place for row in stage_standings(chosen)},
            scheme_of(tournament),
        )
    except NoTrf as refusal:
        raise TournamentError(refusal.code, str(refusal)) from refusal
    return text.encode()


def _document(tournament: Tournament, stage: Stage | None) -> bytes:
    return _written(document_of(tournament))


def _whole_document(tournament: Tournament) -> bytes:
    return _written(document_of(tournament, is_whole=True))


def _written(document: dict[str, Any]) -> bytes:
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


def _begun(tournament: Tournament, stage: Stage | None) -> Stage:
    chosen = stage or newest_stage(tournament)
    if chosen is None:
        raise TournamentError("not_begun", f"“{tournament}” has not begun: there is nothing to take away yet.")
    chosen.tournament = tournament
    return chosen


FILES: dict[str, File] = {
    "standings.csv": File("text/csv; charset=utf-8", _("Standings, CSV"), _standings_csv),
    "crosstable.csv": File("text/csv; charset=utf-8", _("Cross table, CSV"), _cross_csv, tells_meetings=True),
    "standings.json": File("application/json", _("Standings, JSON"), _standings_json),
    "crosstable.json": File("application/json", _("Cross table, JSON"), _cross_json, tells_meetings=True),
    "standings.xlsx": File(XLSX, _("Standings and cross table, XLSX"), _xlsx, tells_meetings=True),
    "tournament.trf": File("text/plain; charset=utf-8", _("TRF, for pairing programs"), _trf, tells_meetings=True),
    "tournament.json": File(
        "application/json", _("All of it, JSON"), _document, make_whole=_whole_document, tells_meetings=True
    ),
}
