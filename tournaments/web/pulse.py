"""How far a tournament is, and in one sentence why nothing is being played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from matches.core.lifecycle import MatchStatus
from matches.models import Party
from tournaments.formats.lifecycle import RoundStatus, TournamentStatus
from tournaments.models import Tournament
from tournaments.web.idle import Waits, why_idle
from tournaments.web.idle_words import idle_sentence
from tournaments.web.meetings import Draw, Meeting
from tournaments.web.waiting import read_waits
from tournaments.web.wording import time_left_words

RATE_WINDOW = timedelta(minutes=1)
RATE_PARTIES = 500


@dataclass(frozen=True, slots=True)
class Pulse:
    """How far a tournament is. `idle` says in one sentence why nothing is being played; empty while something is."""

    done: int
    total: int
    playing: int
    parties_done: int
    parties_total: int
    parties_a_minute: str
    time_left: str
    idle: str
    idle_code: str
    stalled: tuple[Meeting, ...]


def read_pulse(tournament: Tournament, draw: Draw) -> Pulse:
    """Ten queries at the most. Everything is reckoned to the last party that ended, so that it only changes when play
    goes on.
    """
    waits = _seen(read_waits(tournament), draw)
    reason = why_idle(TournamentStatus(tournament.status), draw.tally, waits)
    done, total, rate = _parties(tournament)
    left = timedelta(minutes=(total - done) / rate) if rate and not reason else None
    return Pulse(
        done=draw.done,
        total=draw.total,
        playing=draw.tally.playing,
        parties_done=done,
        parties_total=total,
        parties_a_minute=f"{rate:.0f}" if rate and not reason else "",
        time_left=time_left_words(left),
        idle=idle_sentence(reason, draw.tally, tournament.auto_publish, waits) if reason else "",
        idle_code=reason or "",
        stalled=tuple(one for one in draw.meetings if one.state == MatchStatus.STALLED),
    )


def _seen(waits: Waits, draw: Draw) -> Waits:
    """Of play that the reader may not see he is told that it is not released, to him, and of no table."""
    if not draw.hides:
        return waits
    return replace(waits, status=RoundStatus.CONFIRMED, awaited=(), reported=(), disputed=(), unfilled=())


def _parties(tournament: Tournament) -> tuple[int, int, float]:
    """Parties finished, parties in all, and how many end in a minute by the last minute of play."""
    parties = Party.objects.filter(match__pairing__round__stage__tournament=tournament).exclude(status="void")
    parties = parties.exclude(match__status=MatchStatus.VOID)
    finished = parties.filter(status="finished")
    newest = finished.order_by("-finished_at").values_list("finished_at", flat=True)[:RATE_PARTIES]
    ended = [moment for moment in newest if moment]
    total = parties.count()
    done = len(ended) if len(ended) < RATE_PARTIES else finished.count()
    return done, total, _rate(ended)


def _rate(ended: Sequence[datetime]) -> float:
    """Per minute, from times newest first; 0 if they tell nothing."""
    window = [moment for moment in ended if moment > ended[0] - RATE_WINDOW]
    if len(window) < 2:
        return 0.0
    return (len(window) - 1) / max((window[0] - window[-1]).total_seconds(), 1.0) * 60
