"""Many boards, shared among processes; in whatever process a board is played, it is the same board."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager

from engine.ladder.boards import Board, Duel, play_board

Crew = Executor | None
"""Who plays: a pool of processes, or None for this one."""

CHUNK = 4
"""Boards that a process takes at a time: few, for some bots think long."""


@contextmanager
def crew_of(processes: int) -> Iterator[Crew]:
    """So many processes, started afresh so that nothing of ours is in them; one is this one."""
    if processes == 1:
        yield None
        return
    with ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


def play_boards(crew: Crew, duel: Duel, numbers: Sequence[int]) -> list[Board]:
    """The boards with these numbers, in their order."""
    duels = [duel] * len(numbers)
    if crew is None:
        return list(map(play_board, duels, numbers))
    return list(crew.map(play_board, duels, numbers, chunksize=CHUNK))
