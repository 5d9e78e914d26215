"""Who sits out, who sits at a short table, and who would sit with whom if nobody had met: by score alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from tournaments.formats.tables_swiss.history import History
from tournaments.formats.tables_swiss.rules import Division

Tables = list[list[int]]
"""Places in the history by table, highest scores first; short tables last."""


def sitting_out(history: History, count: int, byes: Sequence[int]) -> list[int]:
    """Who has the bye: fewest full points without play so far, then lowest score, then by lot."""
    places = sorted(range(len(byes)), key=lambda one: (byes[one], history.points[one], history.lots[one]))
    return places[:count]


def at_short_tables(history: History, playing: Sequence[int], count: int, short: Sequence[int]) -> list[int]:
    """Who sits at tables with a seat less: who did so least, then the lowest score, then the highest number.

    So leaders come there only when everybody below them has been.
    """
    return sorted(playing, key=lambda one: (short[one], history.points[one], -one))[:count]


def by_score(history: History, division: Division, seats: int, byes: Sequence[int], short: Sequence[int]) -> Tables:
    """The tables by score. Where several hold one score alone, they are dealt by number: 1 2 3 | 1 2 3 | …

    `byes`, `short`: how often each had them before.
    """
    out = set(sitting_out(history, division.out, byes))
    playing = [one for one in range(len(byes)) if one not in out]
    small = at_short_tables(history, playing, division.short * (seats - 1), short)
    at_full = sorted(set(playing) - set(small))
    return [*_dealt(history, at_full, seats), *_dealt(history, sorted(small), seats - 1)]


def _dealt(history: History, playing: Sequence[int], seats: int) -> Iterator[list[int]]:
    order = sorted(playing, key=lambda one: (-history.points[one], one))
    chunks = [order[at : at + seats] for at in range(0, len(order), seats)]
    for score, equals in groupby(chunks, key=lambda chunk: _only_score(history, chunk)):
        if score is None:
            yield from equals
        else:
            group = [one for chunk in equals for one in chunk]
            count = len(group) // seats
            yield from (group[table::count] for table in range(count))


def _only_score(history: History, chunk: Sequence[int]) -> int | None:
    """The one score of those at a table; None where there are several."""
    first, last = history.points[chunk[0]], history.points[chunk[-1]]
    return first if first == last else None
