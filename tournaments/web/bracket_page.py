"""A stage's bracket, drawn from rows: who sits where, what came of it, and where each match leads to."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime

from matches.core.lifecycle import MatchStatus
from tournaments.formats.brackets import OPEN, Slot, folded
from tournaments.models import Stage
from tournaments.services.bracketing import bracket_of, decisions_of, is_bracket, pairings_of
from tournaments.web.bracket_drawing import Drawing, Tie, Words, drawing_of
from tournaments.web.meetings import Meeting
from tournaments.web.stage_words import stage_title

PLAYING = {
    MatchStatus.RUNNING: "playing",
    MatchStatus.AWAITED: "playing",
    MatchStatus.REPORTED: "playing",
    MatchStatus.DISPUTED: "disputed",
}


def read_bracket(stage: Stage, meetings: Sequence[Meeting], shown: Collection[int]) -> Drawing | None:
    """None where the stage has no bracket. `meetings`, `shown`: those that the reader may see, and their rounds' keys.

    Of a round that is not shown the seats stay open, whoever sits there.
    """
    if not is_bracket(stage):
        return None
    bracket, pairings = bracket_of(stage), pairings_of(stage)
    slots, over = folded(bracket, decisions_of(stage, pairings))
    numbers = {pairing.public_id: number for number, pairing in enumerate(pairings, start=1)}
    hidden = {number for number, pairing in enumerate(pairings, start=1) if pairing.round_id not in shown}
    words = Words(
        title=stage_title(stage),
        names=dict(stage.stage_entries.values_list("number", "entry__name")),
        over={number: outcome for number, outcome in over.items() if number not in hidden},
        ties={numbers[one.public_id]: _tie(one) for one in meetings if one.public_id in numbers},
    )
    masked = {number: _masked(seats) if number in hidden else seats for number, seats in slots.items()}
    return drawing_of(bracket, masked, words)


def _masked(seats: tuple[Slot, ...]) -> tuple[Slot, ...]:
    return tuple(OPEN for _seat in seats)


def _tie(meeting: Meeting) -> Tie:
    note = [meeting.place_name, _time(meeting)]
    if not meeting.is_decided and meeting.match_id and meeting.state != MatchStatus.READY:
        note.append(meeting.state_words)
    return Tie(
        url=reverse("match", args=[meeting.match_id]) if meeting.match_id else "",
        scores=tuple(_score(side.points, side.is_absent) for side in meeting.sides) if meeting.is_decided else (),
        state=PLAYING.get(meeting.state, "") if isinstance(meeting.state, MatchStatus) else "",
        note=", ".join(one for one in note if one),
    )


def _score(points: int | None, is_absent: bool) -> str:
    return "–" if is_absent or points is None else str(points)


def _time(meeting: Meeting) -> str:
    if meeting.starts_at is None or meeting.is_decided:
        return ""
    return date_format(localtime(meeting.starts_at), "j M, H:i")
