"""What the lines of a list of players say, and everything that is wrong with them by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from matches.core.names import NameRefused, parse_name
from tournaments.imports.columns import CALLED, Column, column_of, columns_of
from tournaments.imports.sheet import Line, SheetRefused, read_sheet

LONGEST_CLUB = 60
MOST_RATING = 10_000
MOST_SEED = 10_000
MOST_MEMBERS = 8
_BETWEEN_NAMES = re.compile(r"[;,/|&+\n]")
_BETWEEN_PARTNERS = re.compile(r"[;/|&+\n]|\s[-–—]\s")
_NOTHING = frozenset({"", "-", "–", "—"})
_NUMBER = re.compile(r"[0-9]{1,6}(?:[.,]0+)?", re.ASCII)
_ERRORS = ("#REF!", "#N/A", "#VALUE!", "#NAME?", "#DIV/0!", "#NULL!", "#NUM!")


@dataclass(frozen=True, slots=True)
class Row:
    """One entry as the list has it. `name`: None where it is called as its players are; `players`: first the hands."""

    line: int
    name: str | None
    players: tuple[str, ...]
    substitutes: tuple[str, ...] = ()
    club: str = ""
    rating: int | None = None
    seed: int | None = None

    @property
    def entry_name(self) -> str:
        return self.name if self.name is not None else " & ".join(self.players)

    @property
    def everybody(self) -> tuple[str, ...]:
        return self.players + self.substitutes


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong: in which line (0: the whole file) and column (as the file calls it), and what was expected."""

    line: int
    column: str
    what: str
    expected: str


@dataclass(frozen=True, slots=True)
class Listed:
    """All that a file says. `ignored`: headings of columns that are not read."""

    rows: tuple[Row, ...] = ()
    problems: tuple[Problem, ...] = ()
    ignored: tuple[str, ...] = ()


class _Wrong(Exception):
    """A cell that cannot be; becomes a Problem with the line and the column added."""

    def __init__(self, column: Column, what: str, expected: str) -> None:
        super().__init__(what)
        self.column, self.what, self.expected = column, what, expected


def read_rows(file: BinaryIO, hands: int) -> Listed:
    """Reads a list of players for entries of so many hands. Never raises for what is in the file."""
    try:
        lines = read_sheet(file)
    except SheetRefused as refusal:
        return _refused(refusal.line, str(refusal), f"a list as CSV or XLSX with a column {_named(Column.NAME)}")
    if not lines:
        return _refused(0, "The file is empty.", f"a line of headings, with a column {_named(Column.NAME)}")
    heading, *rest = lines
    columns = columns_of(heading.cells)
    if problems := tuple(_heading_problems(heading, columns)):
        return Listed(problems=problems)
    if not rest:
        return _refused(heading.number, "There are headings and nothing below them.", "a line for each entry")
    return _read(heading, columns, rest, hands)


def _refused(line: int, what: str, expected: str) -> Listed:
    return Listed(problems=(Problem(line, "", what, expected),))


def _named(column: Column) -> str:
    """A column as a message names it, with how else it may be called."""
    return f"“{column}” ({', '.join(CALLED[column][1:12:4])}…)"


def _heading_problems(heading: Line, columns: Mapping[int, Column]) -> Iterator[Problem]:
    there = list(columns.values())
    if Column.NAME not in there:
        told = ", ".join(cell for cell in heading.cells if cell)
        yield Problem(
            heading.number, "", f"None of the headings is a name: {told}.", f"one called {_named(Column.NAME)}"
        )
    for column in Column:
        if there.count(column) > (2 if column is Column.NAME else 1):
            twice = [heading.cells[position] for position, one in columns.items() if one == column]
            expected = "one of them; of a name two parts at the most"
            yield Problem(heading.number, ", ".join(twice), f"Several columns are the {column}.", expected)


def _read(heading: Line, columns: Mapping[int, Column], lines: Sequence[Line], hands: int) -> Listed:
    rows, problems = [], []
    called = {column: heading.cells[position] for position, column in columns.items()}
    for line in lines:
        cells = _cells(line, columns)
        try:
            rows.append(_row(line.number, cells, hands))
        except _Wrong as wrong:
            problems.append(Problem(line.number, called.get(wrong.column, wrong.column), wrong.what, wrong.expected))
    problems += _doubles(rows, called)
    ignored = tuple(cell for cell in heading.cells if cell and column_of(cell) is None)
    return Listed(tuple(rows), tuple(sorted(problems, key=lambda one: one.line)), ignored)


def _cells(line: Line, columns: Mapping[int, Column]) -> dict[Column, str]:
    """By column; a name that has two columns, such as surname and first name, is put together in their order."""
    cells: dict[Column, str] = {}
    for position, column in columns.items():
        cell = line.cells[position] if position < len(line.cells) else ""
        cells[column] = f"{cells.get(column, '')} {cell}".strip()
    return cells


def _row(line: int, cells: Mapping[Column, str], hands: int) -> Row:
    name, players = _players(cells, hands)
    substitutes = tuple(_name(Column.SUBSTITUTES, one) for one in _split(cells.get(Column.SUBSTITUTES, "")))
    everybody = players + substitutes
    if len(everybody) > MOST_MEMBERS:
        raise _Wrong(Column.SUBSTITUTES, f"{len(everybody)} people are too many.", f"{MOST_MEMBERS} at the most")
    if twice := next((one for one in everybody if _count(one, everybody) > 1), None):
        raise _Wrong(Column.NAME, f"“{twice}” is there twice.", "everybody once")
    return Row(
        line=line,
        name=name,
        players=players,
        substitutes=substitutes,
        club=_club(cells.get(Column.CLUB, "")),
        rating=_number(Column.RATING, cells.get(Column.RATING, ""), MOST_RATING),
        seed=_number(Column.SEED, cells.get(Column.SEED, ""), MOST_SEED),
    )


def _count(name: str, among: Sequence[str]) -> int:
    return sum(one.casefold() == name.casefold() for one in among)


def _players(cells: Mapping[Column, str], hands: int) -> tuple[str | None, tuple[str, ...]]:
    """How the entry is called, if not as its players, and who plays its hands."""
    written, partner = cells[Column.NAME], cells.get(Column.PARTNER, "")
    members = _split(cells.get(Column.MEMBERS, ""))
    if partner in _NOTHING:
        partner = ""
    if members and partner:
        raise _Wrong(Column.PARTNER, "There are a partner and members too.", "one of both")
    if members:
        team = _name(Column.NAME, written) if written not in _NOTHING else None
        players = tuple(_name(Column.MEMBERS, one) for one in members)
    elif partner:
        team, players = None, (_name(Column.NAME, written), _name(Column.PARTNER, partner))
    else:
        both = [one for one in _BETWEEN_PARTNERS.split(written) if one.strip()] if hands == 2 else [written]
        team, players = None, tuple(_name(Column.NAME, one) for one in both)
    _check_hands(players, hands, bool(members))
    return team, players


def _check_hands(players: Sequence[str], hands: int, are_members: bool) -> None:
    column = Column.MEMBERS if are_members else Column.PARTNER
    if len(players) > hands:
        told = "each plays for himself" if hands == 1 else "two play together, and who stands by is a substitute"
        raise _Wrong(column, f"{', '.join(players)}: {len(players)} players.", f"{hands}, because here {told}")
    if len(players) < hands:
        raise _Wrong(column, f"{players[0]} has no partner.", "the names of both who play together")


def _split(cell: str) -> list[str]:
    return [one.strip() for one in _BETWEEN_NAMES.split(cell) if one.strip() not in _NOTHING]


def _name(column: Column, written: str) -> str:
    """A name as it is kept; raises _Wrong."""
    if written.upper() in _ERRORS:
        raise _Wrong(column, f"The spreadsheet says {written}.", "a name; mend the formula")
    try:
        name = parse_name(written)
    except NameRefused as refusal:
        raise _Wrong(column, str(refusal), "the name of a player") from refusal
    return name


def _club(cell: str) -> str:
    club = "" if cell in _NOTHING else " ".join(cell.split())
    if len(club) > LONGEST_CLUB:
        raise _Wrong(Column.CLUB, f"The club has {len(club)} characters.", f"{LONGEST_CLUB} at the most")
    return club


def _number(column: Column, cell: str, most: int) -> int | None:
    """A whole number from 1, as spreadsheets write it (1500.0 too); None for an empty cell. Raises _Wrong."""
    if cell in _NOTHING:
        return None
    value = int(re.split("[.,]", cell)[0]) if _NUMBER.fullmatch(cell) else 0
    if not 0 < value <= most:
        raise _Wrong(column, f"“{cell[:40]}” is no {column}.", f"a whole number from 1 to {most}, or nothing")
    return value


def _doubles(rows: Sequence[Row], called: Mapping[Column, str]) -> Iterator[Problem]:
    """Names and seeds that an earlier line has."""
    people: dict[str, int] = {}
    names: dict[str, int] = {}
    seeds: dict[int, int] = {}
    for row in rows:
        for one in row.everybody:
            before = people.setdefault(one.casefold(), row.line)
            if before != row.line:
                expected = "everybody once; two of one name need a town or a year behind it"
                yield Problem(row.line, called[Column.NAME], f"“{one}” is in line {before} too.", expected)
        before = names.setdefault(row.entry_name.casefold(), row.line)
        if before != row.line and row.name is not None:
            yield Problem(row.line, called[Column.NAME], f"“{row.name}” is in line {before} too.", "another name")
        if row.seed is not None and (before := seeds.setdefault(row.seed, row.line)) != row.line:
            yield Problem(row.line, called[Column.SEED], f"Seed {row.seed} is in line {before} too.", "every seed once")
