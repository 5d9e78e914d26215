"""One round as its page shows it: who meets whom and why, what was changed by hand, and how to draw it again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from matches.core.owners import have_one_owner
from tournaments.formats.lifecycle import Audience, RoundStatus
from tournaments.models import EntryMember, Round, StageEntry, Tournament
from tournaments.web.meetings import Meeting, meetings_of_round
from tournaments.web.pairing_words import Drawn, order_sentences
from tournaments.web.reason_words import NameOf, sentence_of
from tournaments.web.stage_words import own_length_words, stage_title
from tournaments.web.wording import AUDIENCE, PART, ROUND_STATUS


@dataclass(frozen=True, slots=True)
class TableOfDraw:
    """A meeting with the sentences that say why."""

    meeting: Meeting
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DrawPage:
    """`byes` are the tables with one entry alone. `departures`: rules of the format that could not be kept.

    `one_owners`: tables where sides that play have an owner in common. `lots`: the seed of this draw's chance, made
    known with the draw itself.
    """

    public_id: str
    stage: int
    stage_title: str
    number: int
    address: str
    status: str
    status_words: str
    audience_words: str
    is_public: bool
    part: str
    own_length: str
    reason: str
    starts_at: datetime | None
    minutes: int | None
    tables: tuple[TableOfDraw, ...]
    byes: tuple[TableOfDraw, ...]
    reasons: tuple[str, ...]
    departures: tuple[str, ...]
    one_owners: tuple[str, ...]
    engine: str
    lots: str
    changes: tuple[str, ...]
    change_reason: str
    has_groups: bool
    is_large: bool


def round_address(slug: str, stage: int, number: int) -> str:
    """The page of a round; those of the first stage have the short one."""
    if stage == 1:
        return reverse("tournament-round", args=[slug, number])
    return reverse("tournament-stage-round", args=[slug, stage, number])


def names_of(stage_id: int) -> NameOf:
    """From a number in the stage to a name. One query."""
    return _naming(dict(StageEntry.objects.filter(stage=stage_id).values_list("number", "entry__name")))


def _naming(names: Mapping[int, str]) -> NameOf:
    return lambda number: names.get(number, f"#{number}")


def _drawn(drawn: Round) -> Drawn:
    """What the round was drawn from. One query."""
    rows = StageEntry.objects.filter(stage=drawn.stage_id).values_list("number", "entry__public_id", "entry__name")
    names, numbers = {}, {}
    for number, entry, name in rows:
        names[number], numbers[entry] = name, number
    return Drawn(drawn.stage.format, drawn.number, drawn.draw or {}, numbers, _naming(names))


def read_round(tournament: Tournament, drawn: Round) -> DrawPage:
    """Seven queries, however many tables."""
    drawn.stage.tournament = tournament
    meetings = meetings_of_round(tournament, drawn.pk)
    drawn_from = _drawn(drawn)
    name_of = drawn_from.name_of
    tables = tuple(_table(one, drawn_from) for one in meetings)
    draw = drawn.draw or {}
    changes = drawn.changes or {}
    return DrawPage(
        public_id=drawn.public_id,
        stage=drawn.stage.number,
        stage_title=stage_title(drawn.stage),
        number=drawn.number,
        address=round_address(tournament.slug, drawn.stage.number, drawn.number),
        status=drawn.status,
        status_words=str(ROUND_STATUS[RoundStatus(drawn.status)]),
        audience_words=str(AUDIENCE[Audience(drawn.audience)]),
        is_public=drawn.audience == Audience.PUBLIC,
        part=str(PART.get(drawn.part, "")),
        own_length=own_length_words(drawn.stage),
        reason=drawn.status_reason,
        starts_at=drawn.starts_at,
        minutes=drawn.minutes,
        tables=tuple(one for one in tables if one.meeting.state != "bye"),
        byes=tuple(one for one in tables if one.meeting.state == "bye"),
        reasons=_sentences(draw.get("reasons", ()), name_of, drawn.stage.format),
        departures=_sentences(draw.get("departures", ()), name_of, drawn.stage.format),
        one_owners=_one_owners(tournament, drawn, meetings),
        engine=drawn.engine,
        lots=drawn.lots,
        changes=_changes(changes, draw, name_of),
        change_reason=str(changes.get("reason", "")),
        has_groups=any(one.group is not None for one in meetings),
        is_large=any(len(one.sides) > 2 for one in meetings),
    )


def _one_owners(tournament: Tournament, drawn: Round, meetings: Iterable[Meeting]) -> tuple[str, ...]:
    playing = EntryMember.objects.filter(entry__pairing_seats__pairing__round=drawn.pk, position__lt=tournament.hands)
    owned = playing.filter(player__owner__isnull=False).values_list("entry__public_id", "player__owner_id")
    owners: dict[str, set[int]] = {}
    for entry, owner in owned:
        owners.setdefault(entry, set()).add(owner)
    return tuple(
        one.title
        for one in meetings
        if have_one_owner(
            (number, owner)
            for number, side in enumerate(one.sides)
            for entry, _name in side.entries
            for owner in owners.get(entry, ())
        )
    )


def _table(meeting: Meeting, drawn: Drawn) -> TableOfDraw:
    own = _sentences(meeting.reasons, drawn.name_of, drawn.format)
    return TableOfDraw(meeting, (*own[:1], *order_sentences(meeting, drawn), *own[1:]))


def _sentences(reasons: Iterable[Sequence[Any]], name_of: NameOf, format_name: str) -> tuple[str, ...]:
    return tuple(sentence_of(code, values, name_of, format_name) for code, *values in reasons)


def _changes(changes: dict[str, Any], proposed: dict[str, Any], name_of: NameOf) -> tuple[str, ...]:
    """What was put in the place of the proposal, and what the format had drawn instead."""
    made = [tuple(table) for table in changes.get("tables", ())]
    drawn = [tuple(table["entrants"]) for table in proposed.get("tables", ())]
    replaced = [
        _("The format had drawn: %(table)s.") % {"table": _who(one, name_of)} for one in drawn if one not in made
    ]
    by_hand = [_("By hand: %(table)s.") % {"table": _who(one, name_of)} for one in made if one not in drawn]
    return (*by_hand, *replaced)


def _who(numbers: Sequence[int], name_of: NameOf) -> str:
    names = [name_of(number) for number in numbers]
    return " – ".join(names) if len(names) > 1 else _("%(name)s has a bye") % {"name": names[0]}
