"""The chain of a tournament's stages: planning it while nothing has begun, and what stands in its way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F

from engine import RulesError
from matches.core.plan import Length, MatchPlan, why_not_plan
from matches.models import User
from tournaments.errors import TournamentError
from tournaments.formats import groups, qualification
from tournaments.formats.lifecycle import EntryStatus, Seeding
from tournaments.formats.qualification import Take
from tournaments.formats.registry import FORMATS, Format, Meets, default_format, meets_at, seats_at
from tournaments.formats.settings import SettingsError, format_settings, parse_settings
from tournaments.models import Stage, Tournament
from tournaments.models.tournament import EntriesAre
from tournaments.services.log import note
from tournaments.services.state import lock
from tournaments.services.table_rules import short_rules

COLUMNS = ("name", "seeding", "takes", "carries_points", "protected_rounds", "length", "boards", "deals")
"""What an organiser chooses of a stage beside its format and the format's settings."""


@transaction.atomic
def plan(
    tournament_id: int,
    format: str,
    *,
    name: str = "",
    settings: Mapping[str, object] | None = None,
    position: int | None = None,
    by: User | None = None,
    **columns: Any,
) -> Stage:
    """Adds a stage to the chain, at its end or at `position` from 1; those behind move on by one.

    Locks the tournament; raises TournamentError once it has started, and for what the format does not have.
    """
    tournament = lock(tournament_id)
    _check_columns(columns)
    _check_open(tournament)
    last = tournament.stages.count()
    number = min(max(position or last + 1, 1), last + 1)
    _make_room(tournament, number)
    columns.setdefault("seeding", Seeding.ENTERED if number == 1 else Seeding.EARLIER)
    stage = Stage(tournament=tournament, number=number, name=name, format=format, **columns)
    _save(tournament, stage, settings or {})
    note(tournament, "stage_planned", by, stage=stage.number, format=format)
    return stage


@transaction.atomic
def change(stage_id: int, *, by: User | None = None, **changes: Any) -> Stage:
    """Changes a stage that is still to come; a new format has its own settings. As `plan`, in what it raises."""
    tournament = _lock_of(stage_id)
    _check_columns(changes, "format", "settings")
    _check_open(tournament)
    stage = Stage.objects.select_related("tournament").get(pk=stage_id)
    settings = changes.pop("settings", {} if changes.get("format", stage.format) != stage.format else stage.settings)
    for column, value in changes.items():
        setattr(stage, column, value)
    _save(tournament, stage, settings)
    note(tournament, "stage_changed", by, stage=stage.number, changed=sorted(changes))
    return stage


@transaction.atomic
def remove(stage_id: int, *, by: User | None = None) -> None:
    """Takes a stage out of the chain; those behind move up. Locks the tournament."""
    tournament = _lock_of(stage_id)
    _check_open(tournament)
    stage = Stage.objects.get(pk=stage_id)
    number = stage.number
    stage.delete()
    for later in tournament.stages.filter(number__gt=number).order_by("number"):
        Stage.objects.filter(pk=later.pk).update(number=F("number") - 1)
    note(tournament, "stage_removed", by, stage=number)


def chain_of(tournament: Tournament) -> list[Stage]:
    """The stages in order; of a tournament for which none was planned the one that it gets at its start."""
    planned = list(tournament.stages.order_by("number"))
    return planned or [Stage(tournament=tournament, number=1, format=default_format(meets_of(tournament)))]


def why_not(tournament: Tournament, entries: int | None = None) -> list[str]:
    """What stands in the way of the whole chain, as sentences that say what to do; empty if it can be played.

    `entries`: how many there will be, by default those who are entered and active.
    """
    if entries is None:
        entries = tournament.entries.filter(status=EntryStatus.ACTIVE).count()
    troubles: list[str] = []
    before: Stage | None = None
    for stage in chain_of(tournament):
        if before is not None:
            entries, trouble = _going_on(stage, before, entries)
            troubles += trouble
        troubles += [f"{_called(stage)}: {why}" for why in why_not_stage(stage, entries)]
        before = stage
    return troubles


def meets_of(tournament: Tournament) -> Meets:
    """Who meets at the tournament's tables."""
    return meets_at(tournament.table_kind, individuals=are_individuals(tournament))


def seats_of(tournament: Tournament) -> int:
    """How many entries meet at a full table."""
    return seats_at(tournament.table_kind, individuals=are_individuals(tournament))


def are_individuals(tournament: Tournament) -> bool:
    return tournament.entries_are == EntriesAre.INDIVIDUALS


def format_of(stage: Stage) -> Format:
    """The stage's format; raises TournamentError for one that is not played here."""
    if stage.format not in FORMATS:
        raise TournamentError("no_such_format", f"“{stage.format}” is no format. There are: {', '.join(FORMATS)}.")
    return FORMATS[stage.format]


def settings_of(stage: Stage) -> Any:
    """The format's settings as the stage has them; raises TournamentError."""
    try:
        return format_of(stage).read_settings(stage.settings)
    except SettingsError as error:
        raise TournamentError(error.code, f"{_called(stage)}: {error}") from error


def take_of(stage: Stage) -> Take:
    """The rule by which entries come into the stage from the one before; raises TournamentError."""
    try:
        return parse_settings(Take, stage.takes)
    except SettingsError as error:
        raise TournamentError("bad_takes", f"{_called(stage)}, who goes on: {error}") from error


def _going_on(stage: Stage, before: Stage, entries: int) -> tuple[int, list[str]]:
    """How many come into the stage of those in the one before, and why not so many."""
    take = take_of(stage)
    sizes = _groups_of(before, entries)
    if trouble := qualification.why_not(sizes, take):
        return entries, [f"{_called(stage)}: {trouble}"]
    if take.of_each or take.best:
        return take.of_each * len(sizes) + take.best, []
    return take.first or entries, []


def _groups_of(stage: Stage, entries: int) -> tuple[int, ...]:
    """The sizes of the groups that there will be; one where there are none."""
    if stage.format != "groups" or groups.why_not(entries, settings_of(stage)):
        return (entries,)
    return groups.sizes_of(entries, settings_of(stage))


def why_not_stage(stage: Stage, entries: int) -> list[str]:
    """What stands in the way of this stage alone with so many."""
    tournament = stage.tournament
    chosen = format_of(stage)
    if chosen.meets is not meets_of(tournament):
        return [_why_not_here(tournament, chosen)]
    told = [
        chosen.why_not(entries, settings_of(stage), seats_of(tournament)),
        _why_not_length(stage),
        _why_not_short(stage),
    ]
    return [why for why in told if why]


def _why_not_here(tournament: Tournament, chosen: Format) -> str:
    fitting = [one.name for one in FORMATS.values() if one.meets is meets_of(tournament)]
    return f"{chosen.name} is not played at {tournament.rules}: choose one of {', '.join(fitting)}."


def _why_not_length(stage: Stage) -> str | None:
    tournament = stage.tournament
    length = Length(stage.length or tournament.length)
    try:
        rules = tournament.game_rules
    except RulesError as error:
        return f"The rules do not fit together: {error}"
    return why_not_plan(MatchPlan(agents=(), length=length, boards=stage.boards or tournament.boards), rules)


def _why_not_short(stage: Stage) -> str | None:
    """Where there may be tables of three beside those of four, they have rules of the same house."""
    if not allows_short(stage) or short_rules(stage.tournament):
        return None
    return (
        f"There are no rules for a table of three that fit {stage.tournament.rules} and its options: "
        "let those sit out who do not fill a table."
    )


def allows_short(stage: Stage) -> bool:
    """Whether some tables may have a seat less than the others."""
    return stage.tournament.table_kind == "4" and getattr(settings_of(stage), "short_tables", "") == "allow"


def _called(stage: Stage) -> str:
    return stage.name or f"Stage {stage.number}"


def _save(tournament: Tournament, stage: Stage, settings: Mapping[str, object]) -> None:
    """Every setting is written, so that a later default changes nothing that was decided."""
    chosen = format_of(stage)
    if chosen.meets is not meets_of(tournament):
        raise TournamentError("format_does_not_fit", _why_not_here(tournament, chosen))
    stage.settings = dict(settings)
    stage.settings = format_settings(settings_of(stage))
    take_of(stage)
    try:
        stage.full_clean(exclude=["tournament"], validate_unique=False, validate_constraints=False)
    except ValidationError as error:
        raise TournamentError("bad_stage", f"{_called(stage)}: {' '.join(error.messages)}") from error
    stage.save()


def _make_room(tournament: Tournament, number: int) -> None:
    for later in tournament.stages.filter(number__gte=number).order_by("-number"):
        Stage.objects.filter(pk=later.pk).update(number=F("number") + 1)


def _lock_of(stage_id: int) -> Tournament:
    return lock(Stage.objects.values_list("tournament_id", flat=True).get(pk=stage_id))


def _check_columns(columns: Mapping[str, Any], *more: str) -> None:
    if unknown := sorted(set(columns) - {*COLUMNS, *more}):
        raise ValueError(f"{', '.join(unknown)}: expected some of {', '.join((*COLUMNS, *more))}")


def _check_open(tournament: Tournament) -> None:
    if tournament.is_frozen:
        raise TournamentError(
            "frozen", f"“{tournament}” is {tournament.status}: its stages are planned before the start only."
        )
