"""The numbers of legal sequences from fixed tables are those that `perft.json` keeps."""

import json
from itertools import takewhile

import pytest

from engine.presets import PRESETS
from tests.engine.agreements import FULL
from tests.engine.perft import MOST, PAGE, STARTS, Start, sequences, starts

KEPT: dict[str, list[int]] = json.loads(PAGE.read_text(encoding="utf-8"))
LARGEST = MOST if FULL else 2_000
"""Larger numbers are counted in `make proof` alone."""


@pytest.mark.parametrize("preset", PRESETS)
def test_counts_of_legal_sequences(preset: str) -> None:
    for deal in range(len(STARTS)):
        one = Start(preset, deal)
        table = one.table()
        kept = list(takewhile(lambda number: number <= LARGEST, KEPT[one.name]))
        assert [sequences(table, depth) for depth in range(1, len(kept) + 1)] == kept, one.name


def test_every_table_is_kept_and_counted_deep() -> None:
    assert list(KEPT) == [one.name for one in starts()]
    assert min(map(len, KEPT.values())) >= 3
    assert [name for name, counts in KEPT.items() if max(counts) < 100] == []
