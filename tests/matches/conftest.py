"""Lanes that die, for whoever wants to see what goes on without them."""

from __future__ import annotations

import itertools
import os
from typing import Final

import pytest

from matches import lane
from matches.lane import drive
from matches.models import Match
from tests.matches.drawn import expire

FULL: Final = os.environ.get("MANELA_PROOF") == "full"
LIVES: Final = (1, 7, 2, 11, 4)


@pytest.fixture
def kill_after_each_write(monkeypatch: pytest.MonkeyPatch):
    """Plays a match through lanes that each die with their first write, or soon; returns how often it was written.

    With MANELA_PROOF=full no lane outlives a write; otherwise they live for so many as LIVES says.
    """

    class Killed(BaseException):
        pass

    begun = set()
    lives = itertools.cycle((1,) if FULL else LIVES)
    left, written = 0, 0

    def note_write() -> None:
        nonlocal left, written
        left, written = left - 1, written + 1
        if left <= 0:
            raise Killed

    class ShortLived(lane.Ledger):
        async def append(self, event) -> None:
            await super().append(event)
            note_write()

        async def run(self, work, *arguments):
            done = await super().run(work, *arguments)
            writes = work.__name__ in ("finish_party", "finish_match")
            # To begin a party a second time writes nothing, so that nobody would ever get beyond it.
            if work.__name__ == "begin_party" and arguments[1] not in begun:
                begun.add(arguments[1])
                writes = True
            if writes:
                note_write()
            return done

    def play(match: Match) -> int:
        nonlocal left
        monkeypatch.setattr(lane, "Ledger", ShortLived)
        while match.status != "finished" and written < 1_000:
            left = next(lives)
            try:
                drive(slots=1, seconds=60)
            except* Killed:
                pass
            if Match.objects.filter(pk=match.pk, status="running").exists():
                expire(match)
            match.refresh_from_db()
            assert match.attempts <= 3, "a kill without a card in between is counted against the match"
        return written

    return play
