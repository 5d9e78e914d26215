"""Lanes that die, for whoever wants to see what goes on without them."""

from __future__ import annotations

import pytest

from matches import lane
from matches.lane import drive
from matches.models import Match
from tests.matches.drawn import expire


@pytest.fixture
def kill_after_each_write(monkeypatch: pytest.MonkeyPatch):
    """Plays a match through lanes that each die with their first write; returns how many it took."""

    class Killed(BaseException):
        pass

    begun = set()

    class ShortLived(lane.Ledger):
        async def append(self, event) -> None:
            await super().append(event)
            raise Killed

        async def run(self, work, *arguments):
            done = await super().run(work, *arguments)
            writes = work.__name__ in ("finish_party", "finish_match")
            # To begin a party a second time writes nothing, so that nobody would ever get beyond it.
            if work.__name__ == "begin_party" and arguments[1] not in begun:
                begun.add(arguments[1])
                writes = True
            if writes:
                raise Killed
            return done

    def play(match: Match) -> int:
        lives = 0
        monkeypatch.setattr(lane, "Ledger", ShortLived)
        while match.status != "finished" and lives < 1_000:
            lives += 1
            with pytest.raises((Killed, BaseExceptionGroup)):
                drive(slots=1, seconds=60)
            if Match.objects.filter(pk=match.pk, status="running").exists():
                expire(match)
            match.refresh_from_db()
            assert match.attempts <= 3, "a kill without a card in between is counted against the match"
        return lives

    return play
