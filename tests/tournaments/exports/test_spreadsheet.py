"""Spreadsheets: read back as they were written, and nothing in them is a formula."""

from __future__ import annotations

import csv
import io

import pytest
from openpyxl import load_workbook

from tournaments.exports.spreadsheet import Sheet, harmless, write_csv, write_xlsx

STANDINGS = Sheet(
    "Standings: round 3/7 [a?]",
    ("Place", "Name", "Points"),
    ((1, "Ганна, «перша»", "3½"), (2, "=HYPERLINK(A1)", "-1"), (3, "@home\x07", None), (4, 'quoted "name"', 0)),
)


def test_a_csv_is_read_back() -> None:
    content = write_csv(STANDINGS)
    assert content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))
    assert rows[0] == ["Place", "Name", "Points"]
    assert rows[1] == ["1", "Ганна, «перша»", "3½"]
    assert rows[2] == ["2", "'=HYPERLINK(A1)", "-1"]
    assert rows[4] == ["4", 'quoted "name"', "0"]


def test_a_workbook_is_read_back() -> None:
    book = load_workbook(io.BytesIO(write_xlsx([STANDINGS, Sheet("Crosstable", ("A",), ())])))
    assert len(book.sheetnames) == 2
    page = book.worksheets[0]
    assert [[cell.value for cell in row] for row in page.iter_rows()][:3] == [
        ["Place", "Name", "Points"],
        [1, "Ганна, «перша»", "3½"],
        [2, "=HYPERLINK(A1)", "-1"],
    ]
    assert {cell.data_type for row in page.iter_rows() for cell in row if isinstance(cell.value, str)} == {"s"}
    assert page["A1"].font.bold
    assert page.freeze_panes == "A2"


@pytest.mark.parametrize(
    ("cell", "written"),
    [("=1+1", "'=1+1"), ("+380", "+380"), ("-5", "-5"), ("-2.5", "-2.5"), ("-cmd", "'-cmd"), ("\tx", "'\tx"), (-5, -5)],
)
def test_a_formula_is_made_harmless_and_a_number_stays_one(cell: str | int, written: str | int) -> None:
    assert harmless(cell) == written
