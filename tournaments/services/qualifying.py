"""Who goes on from one stage to the next: by standings that are frozen when the next one begins, by nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import EntryStatus, Seeding
from tournaments.formats.lots import Lots
from tournaments.formats.positions import format_reasons
from tournaments.formats.qualification import Cut, Place, Standing, cut
from tournaments.models import Entry, Stage, StandingsSnapshot
from tournaments.services.bracketing import is_bracket
from tournaments.services.log import note
from tournaments.services.publishing import freeze
from tournaments.services.seeding import order_of
from tournaments.services.stages import take_of
from tournaments.services.starting import Starter


def starters_of(stage: Stage) -> list[Starter]:
    """Those who go on into this stage, the first seed first; freezes the standings of the one before.

    To be called under the tournament's lock; raises TournamentError where nobody goes on.
    """
    before = stage.tournament.stages.get(number=stage.number - 1)
    before.tournament = stage.tournament
    snapshot = freeze(before)
    entries = _entries(before)
    taken = cut(_standings(snapshot, entries), take_of(stage), cross=is_bracket(stage))
    if not taken.through:
        raise TournamentError("nobody_goes_on", f"Nobody who is still there goes on from {before}.")
    _tell(stage, taken, snapshot)
    return _ordered(stage, taken.through, snapshot, entries)


def _entries(before: Stage) -> dict[int, Entry]:
    """By number in the stage that is over."""
    rows = before.stage_entries.select_related("entry").order_by("number")
    return {row.number: row.entry for row in rows}


def _standings(snapshot: StandingsSnapshot, entries: Mapping[int, Entry]) -> list[Standing]:
    return [
        Standing(
            number=row["number"],
            place=row["place"],
            group=row["group"],
            points=row["points"],
            difference=row["difference"],
            games=row["played"],
            left=entries[row["number"]].status != EntryStatus.ACTIVE,
        )
        for row in snapshot.rows
    ]


def _tell(stage: Stage, taken: Cut, snapshot: StandingsSnapshot) -> None:
    """Logs the whole cut: who goes on, who is next in line, who had left, each with why."""
    lists = {"through": taken.through, "reserves": taken.reserves, "out": taken.out}
    told = {
        name: [{"number": one.number, "reasons": format_reasons(one.reasons)} for one in places]
        for name, places in lists.items()
    }
    note(stage.tournament, "cut", None, stage=stage.number, standings=snapshot.number, **told)


def _ordered(
    stage: Stage, through: Sequence[Place], snapshot: StandingsSnapshot, entries: Mapping[int, Entry]
) -> list[Starter]:
    """In the order of the cut, or as the stage is seeded otherwise."""
    points = {row["number"]: row["points"] for row in snapshot.rows}
    starters = {entries[one.number].pk: _starter(stage, one, entries, points) for one in through}
    if stage.seeding == Seeding.EARLIER:
        return list(starters.values())
    lots = Lots(bytes(stage.tournament.lots_seed)).of("seeding", stage.number)
    chosen = [starter.entry for starter in starters.values()]
    ordered = order_of(stage.tournament, chosen, Seeding(stage.seeding), lots, snapshot)
    return [starters[entry.pk] for entry in ordered]


def _starter(stage: Stage, one: Place, entries: Mapping[int, Entry], points: Mapping[int, int]) -> Starter:
    reason: dict[str, Any] = {"place": one.standing.place, "reasons": format_reasons(one.reasons)}
    if one.standing.group is not None:
        reason["group"] = one.standing.group
    return Starter(entries[one.number], points[one.number] if stage.carries_points else 0, reason)
