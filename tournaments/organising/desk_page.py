"""The organiser's page as it is read: what happens now, what to do next, rounds, entries, the log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, Prefetch, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from matches.core.lifecycle import MatchStatus
from tournaments.formats.lifecycle import Audience, EntryStatus, PairingStatus, RoundStatus, TournamentStatus
from tournaments.models import Entry, EntryMember, Pairing, Round, Tournament
from tournaments.organising.steps import Standing, Step, next_step
from tournaments.organising.verbs import OF_ENTRY, OF_ROUND, OF_TOURNAMENT, Verb, standing
from tournaments.services import stages
from tournaments.web.draw_page import round_address
from tournaments.web.entry_facts import EntryFacts
from tournaments.web.event_words import EventLine, event_line
from tournaments.web.reading import OF_DRAW
from tournaments.web.stage_words import stage_title
from tournaments.web.wording import AUDIENCE, PART, ROUND_STATUS

ENTRIES_A_PAGE = 60
EVENTS_SHOWN = 30
ROUNDS_SHOWN = 6
OPEN = (PairingStatus.OPEN, PairingStatus.WAITING)
AUDIENCES = tuple((one.value, AUDIENCE[one]) for one in Audience if one is not Audience.HIDDEN)
PRIMARY = {
    Step.OPEN: "open",
    Step.START: "start",
    Step.CHECK_IN: "start",
    Step.PROPOSE: "propose",
    Step.RESUME: "resume",
    Step.PUBLISH: "publish",
}

OF_THE_ROUND = (Step.LOOK_AT_DRAW, Step.FINISH_CHANGES, Step.RELEASE, Step.WAIT)
"""Steps that are taken at the earliest round that is not over."""


@dataclass(frozen=True, slots=True)
class RoundLine:
    """A round on the desk, with what can be done to it."""

    public_id: str
    number: int
    title: str
    part: str
    address: str
    status: str
    status_words: str
    audience: str
    audience_words: str
    starts_at: datetime | None
    decided: int
    tables: int
    verbs: tuple[Verb, ...]


@dataclass(frozen=True, slots=True)
class EntryLine(EntryFacts):
    """An entry on the desk, with what can be done to it. `byes`: rounds that it asked to sit out."""

    members: str
    byes: tuple[tuple[int, str], ...]
    verbs: tuple[Verb, ...]

    def has(self, name: str) -> bool:
        return any(one.name == name for one in self.verbs)

    @property
    def may_check_in(self) -> bool:
        return self.has("check_in")

    @property
    def plain_verbs(self) -> tuple[Verb, ...]:
        """Those that need nothing but a reason."""
        return tuple(one for one in self.verbs if one.name not in ("check_in", "check_out", "rate", *BYE_VERBS))


BYE_VERBS = ("ask_bye", "take_back_bye")


@dataclass(frozen=True, slots=True)
class DeskPage:
    """`primary`: the button of the next step; `next_round`: where that is taken at a round. `grave`: the buttons that
    end something, apart from the others.
    """

    step: Step
    told: str
    primary: Verb | None
    next_round: RoundLine | None
    verbs: tuple[Verb, ...]
    grave: tuple[Verb, ...]
    troubles: tuple[str, ...]
    entries: int
    checked_in: int
    rounds: tuple[RoundLine, ...]
    disputed: tuple[tuple[str, str], ...]


def read_desk(tournament: Tournament) -> DeskPage:
    """Eight queries, however many entries and rounds."""
    rounds = list(
        Round.objects.filter(stage__tournament=tournament)
        .exclude(status=RoundStatus.WITHDRAWN)
        .select_related("stage")
        .defer(*OF_DRAW)
        .annotate(
            decided=Count("pairings", filter=Q(pairings__status=PairingStatus.DECIDED)),
            tables=Count("pairings", filter=~Q(pairings__status__in=[PairingStatus.BYE, PairingStatus.VOID])),
        )
        .order_by("-stage__number", "-number")
    )
    in_progress = [one for one in rounds if one.status != RoundStatus.CLOSED]
    earliest = min(in_progress, key=lambda one: (one.stage.number, one.number), default=None)
    now, troubles, disputed = _standing(tournament, rounds, earliest)
    step = next_step(now)
    able = standing(OF_TOURNAMENT, tournament)
    primary = next((one for one in able if one.name == PRIMARY.get(step)), None)
    others = [one for one in able if one is not primary and _makes_sense(one, step)]
    return DeskPage(
        step=step,
        told=step_words(step, now),
        primary=primary,
        next_round=round_line(tournament, earliest) if earliest and step in OF_THE_ROUND else None,
        verbs=tuple(one for one in others if not one.is_grave),
        grave=tuple(one for one in others if one.is_grave),
        troubles=tuple(troubles),
        entries=now.entries,
        checked_in=now.checked_in,
        rounds=tuple(round_line(tournament, one) for one in _shown(rounds)),
        disputed=disputed,
    )


def _standing(
    tournament: Tournament, rounds: Sequence[Any], earliest: Any
) -> tuple[Standing, list[str], tuple[tuple[str, str], ...]]:
    counted = tournament.entries.filter(status=EntryStatus.ACTIVE).aggregate(
        entries=Count("pk"), checked_in=Count("pk", filter=Q(checked_in_at__isnull=False))
    )
    troubles = [] if tournament.is_frozen else stages.why_not(tournament, counted["entries"])
    disputed = tuple(
        Pairing.objects.filter(round__stage__tournament=tournament, match__status=MatchStatus.DISPUTED)
        .order_by("round__number", "number")
        .values_list("match__public_id", "match__title")
    )
    now = Standing(
        status=TournamentStatus(tournament.status),
        least=stages.seats_of(tournament),
        troubles=len(troubles),
        round_status=RoundStatus(earliest.status) if earliest else None,
        undecided=sum(one.tables - one.decided for one in rounds if one.status == RoundStatus.RELEASED),
        disputed=len(disputed),
        **counted,
    )
    return now, troubles, disputed


def _makes_sense(verb: Verb, step: Step) -> bool:
    """Drawing the next round is offered where there is one to draw."""
    return verb.name not in ("propose", "propose_by_hand") or step is Step.PROPOSE


def _shown(rounds: Sequence[Any]) -> list[Any]:
    """The rounds that are not over, and the newest that are; in the order of play."""
    open_ones = [one for one in rounds if one.status != RoundStatus.CLOSED]
    closed = [one for one in rounds if one.status == RoundStatus.CLOSED]
    chosen = [*open_ones[-ROUNDS_SHOWN:], *closed[:2]]
    return sorted(chosen, key=lambda one: (one.stage.number, one.number))


def round_line(tournament: Tournament, drawn: Any) -> RoundLine:
    """`drawn` with the counts `decided` and `tables`, or without."""
    drawn.stage.tournament = tournament
    return RoundLine(
        public_id=drawn.public_id,
        number=drawn.number,
        title=_("%(stage)s, round %(number)s") % {"stage": stage_title(drawn.stage), "number": drawn.number},
        part=str(PART.get(drawn.part, "")),
        address=round_address(tournament.slug, drawn.stage.number, drawn.number),
        status=drawn.status,
        status_words=str(ROUND_STATUS[RoundStatus(drawn.status)]),
        audience=drawn.audience,
        audience_words=str(AUDIENCE[Audience(drawn.audience)]),
        starts_at=drawn.starts_at,
        decided=getattr(drawn, "decided", 0),
        tables=getattr(drawn, "tables", 0),
        verbs=tuple(standing(OF_ROUND, drawn)),
    )


def step_words(step: Step, now: Standing) -> str:
    """What to do next, in one or two sentences."""
    entries = ngettext("%(count)s entry", "%(count)s entries", now.entries) % {"count": now.entries}
    tables = ngettext("%(count)s table is", "%(count)s tables are", now.undecided) % {"count": now.undecided}
    disputed = ngettext(
        "%(count)s result is disputed: rule on it.", "%(count)s results are disputed: rule on them.", now.disputed
    ) % {"count": now.disputed}
    return {
        Step.OPEN: _("A draft, which you alone see. Plan its stages, then open registration."),
        Step.ENTER: _("%(entries)s so far; %(least)s are the least. Enter players, or wait for them.")
        % {"entries": entries, "least": now.least},
        Step.MEND_PLAN: _("It cannot be played as it is planned: see what stands in the way."),
        Step.START: _("%(entries)s are in. Start when everybody is there.") % {"entries": entries},
        Step.CHECK_IN: _("%(there)s of %(entries)s have checked in. Who has not when you start is not drawn.")
        % {"there": now.checked_in, "entries": now.entries},
        Step.LOOK_AT_DRAW: _("A round is drawn, and you alone see it. Look at it, then confirm and release it."),
        Step.FINISH_CHANGES: _("A round is being changed by hand. Finish that, then confirm and release it."),
        Step.RELEASE: _("A round is confirmed. Release it to those who may see it: play begins with that."),
        Step.RULE: disputed,
        Step.WAIT: _("%(tables)s still to be decided. The round closes by itself with the last.") % {"tables": tables},
        Step.PROPOSE: _("Every table is decided. Draw the next round."),
        Step.RESUME: _("Paused: no match begins until you let it go on."),
        Step.PUBLISH: _("Every match is decided. Publish the standings."),
        Step.NOTHING: _("It is over; there is nothing left to do."),
    }[step]


def entry_lines(tournament: Tournament, search: str, page: str) -> Page[Any]:
    """One page of the entries, those whose name or club has `search` in it. Four queries."""
    found = tournament.entries.order_by("number").prefetch_related(
        Prefetch("members", EntryMember.objects.select_related("player").order_by("position")), "asked_byes"
    )
    if search:
        is_found = Q(name__icontains=search) | Q(club__icontains=search) | Q(members__player__name__icontains=search)
        found = found.filter(is_found).distinct()
    shown: Page[Any] = Paginator(found, ENTRIES_A_PAGE).get_page(page)
    shown.object_list = [entry_line(tournament, one) for one in shown.object_list]
    return shown


def entry_line(tournament: Tournament, entry: Entry) -> EntryLine:
    entry.tournament = tournament
    return EntryLine.of(
        entry,
        members=_members(entry),
        byes=tuple((one.round_number, one.kind) for one in entry.asked_byes.all()),
        verbs=tuple(standing(OF_ENTRY, entry)),
    )


def _members(entry: Entry) -> str:
    """The players' names, where they say more than the entry's own."""
    names = [member.player.name for member in entry.members.all()]
    return "" if names == [entry.name] else ", ".join(names)


def newest_events(tournament: Tournament, most: int = EVENTS_SHOWN) -> list[EventLine]:
    return [event_line(one) for one in tournament.events.select_related("actor").order_by("-id")[:most]]
