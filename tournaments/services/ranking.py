"""Who stands where: of one stage, and of the tournament as a whole. Reads rows, writes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from tournaments.formats import brackets, table_elimination
from tournaments.formats.brackets import Decision
from tournaments.formats.lifecycle import Audience, EntryStatus, RoundStatus, StageStatus
from tournaments.formats.lots import Lots
from tournaments.formats.meetings import Entrant, Meeting
from tournaments.formats.positions import parse_reasons
from tournaments.formats.registry import FormatKind
from tournaments.models import Stage, Tournament
from tournaments.services.bracketing import bracket_of, decisions_of, is_bracket, pairings_of
from tournaments.services.history import closed_rounds, meetings_of, scheme_of
from tournaments.services.stages import format_of
from tournaments.standings.criteria import CRITERIA, DIRECT_ENCOUNTER, POINTS
from tournaments.standings.points import Scheme
from tournaments.standings.table import Cell, Row, explain, standings


def criteria_of(tournament: Tournament) -> tuple[str, ...]:
    """What orders the standings: points first, then the organiser's tie-breaks, each once; unknown ones left out."""
    known = [one for one in tournament.tie_breaks if one in CRITERIA or one == DIRECT_ENCOUNTER]
    return tuple(dict.fromkeys([POINTS, *known]))


def stages_begun(tournament: Tournament) -> list[Stage]:
    """In order; each knows its tournament."""
    stages = list(tournament.stages.exclude(status=StageStatus.PLANNED).order_by("number"))
    for stage in stages:
        stage.tournament = tournament
    return stages


def newest_stage(tournament: Tournament) -> Stage | None:
    """The last one that has begun."""
    return next(reversed(stages_begun(tournament)), None)


def live_standings(tournament: Tournament) -> tuple[Row, ...]:
    """The table as it stands now: of the newest stage, and behind it those who did not go on, in the order of the
    stage before. Before the first has begun: the entries, by number."""
    stages = stages_begun(tournament)
    if not stages:
        return _entered(tournament)
    rows: tuple[Row, ...] = ()
    for stage in stages:
        rows = _with_the_rest(stage_standings(stage), rows)
    return rows


def _entered(tournament: Tournament) -> tuple[Row, ...]:
    entered = tournament.entries.filter(status=EntryStatus.ACTIVE).order_by("number")
    entries = dict(entered.values_list("number", "public_id"))
    entrants = [Entrant(number) for number in entries]
    rows = standings(entrants, (), criteria_of(tournament), Lots(b""), 0, False, scheme_of(tournament))
    return _named(rows, entries)


def _with_the_rest(rows: tuple[Row, ...], before: Sequence[Row]) -> tuple[Row, ...]:
    """Those of the stage before who are not in this one share the places that they shared there, behind all who are."""
    on = {row.entry for row in rows}
    out = sorted((row for row in before if row.entry not in on), key=lambda row: row.place)
    place, behind = len(rows) + 1, []
    for _, level in groupby(out, key=lambda row: row.place):
        together = [replace(row, place=place, group=None) for row in level]
        behind += together
        place += len(together)
    return (*rows, *behind)


@dataclass(frozen=True, slots=True)
class _Fold:
    """What a stage's standings are folded from: five queries at most. `entries`: public ids by number; who was expelled
    has no row, and those who met him still did."""

    entrants: tuple[Entrant, ...]
    meetings: tuple[Meeting, ...]
    criteria: tuple[str, ...]
    lots: Lots
    closed_rounds: int
    is_round_robin: bool
    scheme: Scheme
    entries: Mapping[int, str]

    def rows(self, numbers: Iterable[int] | None = None, criteria: tuple[str, ...] | None = None) -> tuple[Row, ...]:
        """Of these entrants, or of all."""
        wanted = self.entries.keys() if numbers is None else set(numbers)
        among = [one for one in self.entrants if one.number in wanted and one.number in self.entries]
        asked = self.criteria if criteria is None else criteria
        found = standings(among, self.meetings, asked, self.lots, self.closed_rounds, self.is_round_robin, self.scheme)
        return _named(found, self.entries)


def _fold(stage: Stage) -> _Fold:
    tournament, is_swiss = stage.tournament, format_of(stage).kind is FormatKind.ROUND_BY_ROUND
    columns = ("number", "carried", "entry_id", "entry__public_id", "entry__status")
    entered = list(stage.stage_entries.order_by("number").values_list(*columns))
    return _Fold(
        entrants=tuple(Entrant(number, carried=carried) for number, carried, *_ in entered),
        meetings=meetings_of(stage, {entry: number for number, _, entry, *_ in entered}),
        criteria=criteria_of(tournament),
        lots=Lots(bytes(tournament.lots_seed)),
        closed_rounds=closed_rounds(stage) if is_swiss else 0,
        is_round_robin=not is_swiss,
        scheme=scheme_of(tournament),
        entries={number: entry for number, *_, entry, status in entered if status != EntryStatus.EXPELLED},
    )


def _named(rows: Iterable[Row], entries: Mapping[int, str]) -> tuple[Row, ...]:
    return tuple(replace(row, entry=entries[row.number]) for row in rows)


def stage_standings(stage: Stage) -> tuple[Row, ...]:
    """One stage by itself, best first; of groups one after another, each with places of its own."""
    fold = _fold(stage)
    if is_bracket(stage):
        bracket = bracket_of(stage)
        return fold.rows() if bracket.by_points else _by_place(fold, brackets.places_of(bracket, _counted(stage)))
    if stage.format == "table_elimination":
        numbers = [one.number for one in fold.entrants]
        return _by_place(fold, table_elimination.places_of(numbers, fold.meetings))
    if stage.format == "groups":
        return _by_group(stage, fold)
    return fold.rows()


def _counted(stage: Stage) -> dict[int, Decision]:
    """A bracket's decisions before the first round that is played while not everybody may see it."""
    pairings = pairings_of(stage)
    released = [one.round for one in pairings if one.round.status == RoundStatus.RELEASED]
    unseen = [one.number for one in released if one.audience != Audience.PUBLIC]
    return {
        number: decision
        for number, decision in decisions_of(stage, pairings).items()
        if not unseen or pairings[number - 1].round.number < min(unseen)
    }


def _by_place(fold: _Fold, places: Mapping[int, int]) -> tuple[Row, ...]:
    """By the places that an elimination has decided; those who are still in it share the first of all."""
    rows = [replace(row, place=places.get(row.number, 1)) for row in fold.rows(criteria=())]
    return tuple(sorted(rows, key=lambda row: (row.place, row.number)))


def _by_group(stage: Stage, fold: _Fold) -> tuple[Row, ...]:
    ranked: list[Row] = []
    for group, members in groups_of(stage).items():
        ranked += [replace(row, group=group) for row in fold.rows(members)]
    return tuple(ranked)


def groups_of(stage: Stage) -> dict[int, tuple[int, ...]]:
    """Numbers of the entrants by group, as the first draw put them together, whatever was changed by hand since."""
    drawn = stage.rounds.filter(number=1, draw__isnull=False).order_by("id")
    reasons = parse_reasons(drawn.values_list("draw__reasons", flat=True).first() or ())
    groups = {int(one.values[0]): map(int, one.values[1:]) for one in reasons if one.code == "group"}
    return {group: tuple(sorted(groups[group])) for group in sorted(groups)}


def explain_cell(stage: Stage, number: int, criterion: str) -> Cell:
    """One cell of a stage's standings with the numbers behind it; ValueError if there is no such row or column."""
    fold = _fold(stage)
    members = groups_of(stage).values() if stage.format == "groups" else ()
    among = next((own for own in members if number in own), fold.entries.keys())
    entrants = [one for one in fold.entrants if one.number in among and one.number in fold.entries]
    return explain(
        number,
        criterion,
        entrants,
        fold.meetings,
        fold.criteria,
        fold.lots,
        fold.closed_rounds,
        fold.is_round_robin,
        fold.scheme,
    )
