"""Lines of text cells from a file that somebody uploads, CSV as spreadsheets write it or XLSX. Trusts nothing in it."""

from __future__ import annotations

import csv
import io
import warnings
import xml.etree.ElementTree as ElementTree
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import BinaryIO

from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

MOST_BYTES = 2 * 1024 * 1024
MOST_LINES = 5_000
MOST_COLUMNS = 50
LONGEST_CELL = 1_000
MOST_UNPACKED_BYTES = 32 * 1024 * 1024
MOST_RATIO = 150
"""A workbook of players packs about twenty to one; what unpacks to more is made to fill a memory."""
LAST_ROW = 1_048_576
"""No spreadsheet goes further, and what says it does would have every empty row before it counted."""
DELIMITERS = ";,\t"
_ZIP, _OLD_EXCEL = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_BROKEN = (
    zipfile.BadZipFile,
    InvalidFileException,
    ElementTree.ParseError,
    zlib.error,
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    NotImplementedError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""What openpyxl raises for workbooks that are none: it takes them for granted and fails wherever it stumbles."""


class SheetRefused(Exception):
    """A file that cannot be read as a sheet; the text says what was expected. `line`: 0 for the file as a whole."""

    def __init__(self, text: str, line: int = 0) -> None:
        super().__init__(text)
        self.line = line


@dataclass(frozen=True, slots=True)
class Line:
    """One line that is not empty. `number`: as a spreadsheet shows it, from 1."""

    number: int
    cells: tuple[str, ...]


def read_sheet(file: BinaryIO) -> tuple[Line, ...]:
    """The lines of a CSV or XLSX file, cells stripped of blanks around them, empty lines left out.

    Of a workbook the first sheet counts. Raises SheetRefused for what is too large or no sheet.
    """
    content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise SheetRefused(f"The file is larger than {MOST_BYTES // 1024 // 1024} MB: leave in it the list of players.")
    if content.startswith(_OLD_EXCEL):
        raise SheetRefused("This is a workbook of the old kind, or one with a password: save it as XLSX or as CSV.")
    return tuple(_bounded(_workbook(content) if content.startswith(_ZIP) else _text(content)))


def _bounded(lines: Iterable[Line]) -> Iterator[Line]:
    count = 0
    for line in lines:
        cells = tuple(cell.strip() for cell in line.cells)
        if not any(cells):
            continue
        count += 1
        _check_line(Line(line.number, cells), count)
        yield Line(line.number, cells)


def _check_line(line: Line, count: int) -> None:
    if count > MOST_LINES + 1:
        raise SheetRefused(f"There are more than {MOST_LINES} lines: import them in parts.", line.number)
    if len(line.cells) > MOST_COLUMNS:
        raise SheetRefused(f"There are more than {MOST_COLUMNS} columns: leave those of the players.", line.number)
    if any(len(cell) > LONGEST_CELL for cell in line.cells):
        raise SheetRefused(f"A cell has more than {LONGEST_CELL} characters: a name was expected.", line.number)


def _text(content: bytes) -> Iterator[Line]:
    text = _decoded(content)
    if "\0" in text:
        raise SheetRefused("This is no text: save the list as CSV or XLSX.")
    told = text.partition("\n")[0].strip().casefold() if text.casefold().startswith("sep=") else ""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=told[4:5] or _delimiter(text), strict=True)
    start = 1
    try:
        for cells in reader:
            if not (start == 1 and told):
                yield Line(start, tuple(cells))
            start = reader.line_num + 1
    except csv.Error as error:
        raise SheetRefused(f"The quotation marks of this line do not fit together ({error}).", start) from error


def _decoded(content: bytes) -> str:
    """UTF-8, or what older spreadsheets write here: Windows' Cyrillic; with a mark, UTF-16."""
    if content.startswith(_UTF_16):
        encodings: tuple[str, ...] = ("utf-16",)
    else:
        encodings = ("utf-8-sig", "cp1251")
    for encoding in encodings:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise SheetRefused("The letters cannot be read: save the list as CSV in UTF-8, or as XLSX.")


def _delimiter(text: str) -> str:
    """Whichever the first line has most of, outside quotation marks."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    bare = "".join(first.split('"')[::2])
    return max(DELIMITERS, key=bare.count)


def _workbook(content: bytes) -> list[Line]:
    _check_packing(content)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what a workbook has beside its cells is of no interest
            return _first_sheet(content)
    except _BROKEN as error:
        raise SheetRefused("The workbook cannot be read: save it anew as XLSX, or as CSV.") from error


def _first_sheet(content: bytes) -> list[Line]:
    book = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
    try:
        sheet = book.worksheets[0]
        sheet.reset_dimensions()  # what a workbook says of its size need not be so
        rows = sheet.iter_rows(max_row=LAST_ROW, max_col=MOST_COLUMNS + 1, values_only=True)
        blank = (None,) * (MOST_COLUMNS + 1)  # of which there may be a million
        lines = (Line(number, _cells(row)) for number, row in enumerate(rows, start=1) if row != blank)
        return list(islice((line for line in lines if line.cells), MOST_LINES + 2))
    finally:
        book.close()


def _cells(row: Sequence[object]) -> tuple[str, ...]:
    cells = ["" if value is None else _written(value) for value in row]
    while cells and not cells[-1]:
        cells.pop()
    return tuple(cells)


def _written(value: object) -> str:
    """A number as it is read: spreadsheets keep 1500 as 1500.0."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _check_packing(content: bytes) -> None:
    """Raises SheetRefused for what unpacks to too much, and for parts that define entities: no spreadsheet writes any.

    What a part says of its size binds: no more than that is ever unpacked of it.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            unpacked = sum(part.file_size for part in packed.infolist())
            if unpacked > min(MOST_UNPACKED_BYTES, MOST_RATIO * len(content)):
                raise SheetRefused("The workbook unpacks to far more than a list of players: save the list as CSV.")
            for part in packed.infolist():
                if b"<!DOCTYPE" in packed.read(part):
                    raise SheetRefused("The workbook has parts that no spreadsheet writes: save the list as CSV.")
    except _BROKEN as error:
        raise SheetRefused("The workbook cannot be read: save it anew as XLSX, or as CSV.") from error
