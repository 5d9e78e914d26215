"""Tables as files: CSV and XLSX, in which a text is never taken for a formula, and JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter

Cell = str | int | None
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
LONGEST_TITLE = 31
_FORBIDDEN_IN_TITLES = str.maketrans("[]:*?/\\", "       ")
WIDEST = 40


@dataclass(frozen=True, slots=True)
class Sheet:
    """One table: its title, the heads of its columns, its rows."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def write_csv(sheet: Sheet) -> bytes:
    """UTF-8 with a byte order mark, by which spreadsheet programs know it; comma, and CRLF at the end of lines."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([harmless(head) for head in sheet.heads])
    writer.writerows([harmless(cell) for cell in row] for row in sheet.rows)
    return b"\xef\xbb\xbf" + text.getvalue().encode()


def write_json(sheet: Sheet) -> bytes:
    """A list with an object for each row, by the heads of the columns; UTF-8."""
    rows = [dict(zip(sheet.heads, row, strict=True)) for row in sheet.rows]
    return json.dumps(rows, ensure_ascii=False, indent=1).encode()


def harmless(cell: Cell) -> Cell:
    """A text that would be read as a formula gets an apostrophe before it; numbers stay numbers."""
    if not isinstance(cell, str) or not cell.startswith(FORMULA_SIGNS) or _is_number(cell):
        return cell
    return f"'{cell}"


def _is_number(text: str) -> bool:
    return text.lstrip("+-").replace(".", "", 1).isdecimal()


def write_xlsx(sheets: Sequence[Sheet]) -> bytes:
    """A workbook with a page for each sheet, heads in bold and always in sight."""
    book = Workbook(write_only=True)
    for number, sheet in enumerate(sheets, start=1):
        page = book.create_sheet(_title(sheet.title, number))
        page.freeze_panes = "A2"
        for column, width in enumerate(_widths(sheet), start=1):
            page.column_dimensions[get_column_letter(column)].width = width
        page.append([_cell(page, head, is_bold=True) for head in sheet.heads])
        for row in sheet.rows:
            page.append([_cell(page, cell) for cell in row])
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def _title(title: str, number: int) -> str:
    """A page's name, which has fewer letters than a title and none of those that addresses of cells are made of."""
    return title.translate(_FORBIDDEN_IN_TITLES).strip(" '")[:LONGEST_TITLE] or f"{number}"


def _cell(page: object, value: Cell, *, is_bold: bool = False) -> WriteOnlyCell:
    """A text is stored as a text, whatever it begins with."""
    cell = WriteOnlyCell(page, value=ILLEGAL_CHARACTERS_RE.sub("", value) if isinstance(value, str) else value)
    if isinstance(value, str):
        cell.data_type = "s"
    if is_bold:
        cell.font = Font(bold=True)
    return cell


def _widths(sheet: Sheet) -> list[int]:
    columns = zip(sheet.heads, *sheet.rows, strict=True) if sheet.rows else ([head] for head in sheet.heads)
    return [min(WIDEST, 2 + max(len(str(cell)) for cell in column if cell is not None)) for column in columns]
