"""What no draw can do better: how many meetings must be repeated at tables of which some sit out."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb


def least_repeated(entrants: int, rounds: int, seats: int = 4) -> int:
    """Repeated pairs that there are at least after so many rounds of as many full tables as can be.

    Either there are more pairs at the tables than pairs at all, or so few tables that each round must put together some
    who sat together in the round before.
    """
    at_tables = entrants // seats * comb(seats, 2) * rounds
    return max(0, at_tables - comb(entrants, 2), (rounds - 1) * least_after_one(entrants, seats))


def least_after_one(entrants: int, seats: int = 4) -> int:
    """What a round must repeat of the one before: each of its tables is spread over the tables and the free places."""
    tables, out = divmod(entrants, seats)
    return min(
        sum(_spread(seats - sum(one == table for one in leaving), tables) for table in range(tables))
        for leaving in combinations_with_replacement(range(tables), out)
    )


def _spread(players: int, tables: int) -> int:
    """Pairs that stay together when so many are shared out as evenly as can be."""
    least, more = divmod(players, tables)
    return more * comb(least + 1, 2) + (tables - more) * comb(least, 2)
