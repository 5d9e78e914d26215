"""A list of players from a file: first a dry run that lists every problem, then all of it or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, BinaryIO

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Lower

from matches.core.names import HOUSE_PREFIX, NameRefused, is_the_houses
from matches.models import Agent, Player, PlayerKind, User
from matches.services.players import people
from tournaments.errors import TournamentError
from tournaments.imports.reading import Problem, Row, read_rows
from tournaments.models import Entry, EntryMember, Tournament
from tournaments.services import entries
from tournaments.services.log import note, note_each
from tournaments.services.members import check_agent, newest_version
from tournaments.services.state import lock

WHOLE_FILE = 0


@dataclass(frozen=True, slots=True)
class Report:
    """What a file would do. `known`: names of players who are here already, under which no new one is made;
    `there`: names of entries that are in the tournament already; `ignored`: headings of columns that are not read.
    """

    rows: tuple[Row, ...]
    problems: tuple[Problem, ...]
    known: tuple[str, ...] = ()
    there: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()

    @property
    def may_be_taken(self) -> bool:
        return bool(self.rows) and not self.problems


def dry_run(tournament: Tournament, file: BinaryIO) -> Report:
    """Reads a list of players and tells every problem with it; changes nothing.

    Columns: name, partner or members, club, rating, seed, substitutes; headings in English, Ukrainian or Russian, in
    any order. CSV with semicolons, commas or tabs, in UTF-8 or Windows-1251, or XLSX.
    """
    listed = read_rows(file, tournament.hands)
    here = _players(name for row in listed.rows for name in row.everybody)
    problems = [*listed.problems, *_closed(tournament), *_against(tournament, listed.rows, here)]
    there = _entries(tournament)
    return Report(
        rows=listed.rows,
        problems=tuple(sorted(problems, key=lambda one: one.line)),
        known=tuple(sorted(player.name for player in here.values())),
        there=tuple(row.entry_name for row in listed.rows if row.entry_name.casefold() in there),
        ignored=listed.ignored,
    )


def format_report(report: Report) -> dict[str, Any]:
    """The report as JSON, to be kept between the dry run and what follows."""
    return asdict(report)


def parse_report(kept: dict[str, Any]) -> Report:
    """Reads what `format_report` wrote."""
    rows = [{**row, "players": tuple(row["players"]), "substitutes": tuple(row["substitutes"])} for row in kept["rows"]]
    return Report(
        rows=tuple(Row(**row) for row in rows),
        problems=tuple(Problem(**problem) for problem in kept["problems"]),
        known=tuple(kept["known"]),
        there=tuple(kept["there"]),
        ignored=tuple(kept["ignored"]),
    )


@transaction.atomic
def take(tournament: Tournament, report: Report, by: User | None = None) -> list[Entry]:
    """Enters everybody whom the report lists and who is not there yet, all or nothing; returns the new entries.

    Of those who are there rating and club are brought up to date before the start, so that a list may be taken twice.
    Who has no player here becomes one, a person. Seeds, where the list has them, order all entries, those without
    behind. Locks the tournament; raises TournamentError, for what has changed since the dry run too.
    """
    if not report.may_be_taken:
        raise TournamentError("import_has_problems", "The list has problems or nobody in it: mend the file first.")
    locked = lock(tournament.pk)
    here, there = _players(name for row in report.rows for name in row.everybody), _entries(locked)
    for problem in (*_closed(locked), *_against(locked, report.rows, here)):
        raise TournamentError("import_outdated", f"Line {problem.line}: {problem.what} Nothing is imported.")
    missing = [row for row in _in_order(report.rows) if row.entry_name.casefold() not in there]
    new = entries.enter_many(locked.pk, _newcomers(missing, here), by)
    if not locked.is_frozen:
        _bring_up_to_date(locked, there, report.rows, by)
        _seed(locked, report.rows, by)
    if new:
        note(locked, "imported", by, entries=[entry.public_id for entry in new])
    return new


def _in_order(rows: Sequence[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: (row.seed is None, row.seed or 0, row.line))


def _newcomers(rows: Sequence[Row], here: Mapping[str, Player]) -> list[entries.Newcomer]:
    """With their players, who are made where they are not here yet."""
    unknown = [name for row in rows for name in row.everybody if name.casefold() not in here]
    try:
        known = dict(here) | {player.name.casefold(): player for player in people(unknown)}
    except NameRefused as refusal:
        raise TournamentError(refusal.code, f"{refusal} Nothing is imported.") from refusal
    agents = _agents([known[name.casefold()] for row in rows for name in row.everybody])
    return [
        entries.Newcomer(
            agents=tuple(agents[name.casefold()] for name in row.players),
            substitutes=tuple(agents[name.casefold()] for name in row.substitutes),
            name=row.name,
            club=row.club,
            rating=row.rating,
        )
        for row in rows
    ]


def _agents(players: Sequence[Player]) -> dict[str, Agent]:
    """The version of each, by name: a person's in one query for all."""
    persons = Agent.objects.filter(player__in=players, kind=PlayerKind.PERSON).select_related("player")
    found = {agent.player.name.casefold(): agent for agent in persons}
    others = [player for player in players if player.name.casefold() not in found]
    return found | {player.name.casefold(): newest_version(player) for player in others}


def _bring_up_to_date(tournament: Tournament, there: dict[str, Entry], rows: Sequence[Row], by: User | None) -> None:
    """Writes what differs, in two statements."""
    rated, changed = [], {}
    for row in rows:
        entry = there.get(row.entry_name.casefold())
        if entry is None:
            continue
        if row.rating is not None and row.rating != entry.rating:
            entry.rating, changed[entry.pk] = row.rating, entry
            rated.append({"entry": entry.public_id, "name": entry.name, "rating": row.rating})
        if row.club and row.club != entry.club:
            entry.club, changed[entry.pk] = row.club, entry
    Entry.objects.bulk_update(changed.values(), ["rating", "club"], batch_size=1000)
    note_each(tournament, "rated", rated, by)


def _seed(tournament: Tournament, rows: Sequence[Row], by: User | None) -> None:
    """Orders all entries by the seeds of the list; without any, nobody's number changes."""
    seeded = [row.entry_name.casefold() for row in _in_order(rows) if row.seed is not None]
    if not seeded:
        return
    entered = list(tournament.entries.order_by("number"))
    places = {name: place for place, name in enumerate(seeded)}
    order = sorted(entered, key=lambda entry: (places.get(entry.name.casefold(), len(places)), entry.number))
    if order != entered:
        entries.seed_by_hand(tournament.pk, [entry.pk for entry in order], by)


def _players(names: Iterable[str]) -> dict[str, Player]:
    """Those who are here, by name: two names that differ in case alone are one."""
    wanted = {name.lower() for name in names}
    found = Player.objects.annotate(lowered=Lower(F("name"))).filter(lowered__in=wanted)
    return {player.name.casefold(): player for player in found}


def _entries(tournament: Tournament) -> dict[str, Entry]:
    return {entry.name.casefold(): entry for entry in tournament.entries.all()}


def _closed(tournament: Tournament) -> Iterator[Problem]:
    try:
        entries.stage_to_join(tournament)
    except TournamentError as refusal:
        yield Problem(WHOLE_FILE, "", str(refusal), "a tournament that takes entries")


def _against(tournament: Tournament, rows: Sequence[Row], here: dict[str, Player]) -> Iterator[Problem]:
    """What speaks against the rows in this tournament: who is entered elsewhere in it, and who cannot play."""
    members = EntryMember.objects.filter(tournament=tournament).select_related("entry", "player")
    playing = {member.player.name.casefold(): member.entry for member in members}
    there = _entries(tournament)
    for row in rows:
        yield from _against_row(tournament, row, playing, there, here)


def _against_row(
    tournament: Tournament,
    row: Row,
    playing: dict[str, Entry],
    there: dict[str, Entry],
    here: dict[str, Player],
) -> Iterator[Problem]:
    same = there.get(row.entry_name.casefold())
    for name in row.everybody:
        entry = playing.get(name.casefold())
        if entry is not None and entry != same:
            yield Problem(row.line, "", f"“{name}” plays for “{entry}” already.", "everybody in one entry")
        elif entry is None and same is not None:
            yield Problem(row.line, "", f"“{same}” is entered already, without “{name}”.", "another name, or them")
        elif name.casefold() in here:
            yield from _why_not(tournament, row, here[name.casefold()])
        elif is_the_houses(name):
            yield Problem(row.line, "", f"“{name}” begins with “{HOUSE_PREFIX}”.", "a house program that is here")


def _why_not(tournament: Tournament, row: Row, player: Player) -> Iterator[Problem]:
    if player.kind == PlayerKind.PERSON:
        return  # who can sit down anywhere
    try:
        check_agent(tournament, newest_version(player))
    except TournamentError as refusal:
        yield Problem(row.line, "", str(refusal), "somebody who can play here")
