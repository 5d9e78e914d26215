"""What the page of a version shows. All of it is for the owner alone."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from bots_api import wire
from bots_api.conformance.running import NOT_TRIED
from bots_api.models import (
    BotVersion,
    CaseOutcome,
    Delivery,
    Qualification,
    QualificationCase,
    QualificationStatus,
    QuarantinedBy,
)
from bots_api.pull.presence import GONE_SECONDS
from bots_api.services import shown_secret
from bots_api.services.states import is_held_by_desk
from bots_api.stats import Lately, Stats, Waiting, lately_of, stats_of, waiting_of
from bots_api.web.next_step import Standing, Step, next_step
from bots_api.web.starting import Command, commands_of_called
from bots_api.web.token_lines import TokenList, token_list
from bots_api.web.words import case_words, outcome_words, queue_words
from bots_api.wire import ReplyError
from matches.audience import visible_matches
from matches.core.lifecycle import MatchStatus
from matches.models import AgentStatus, Game, Match, User

LOG_SHOWN = 100
RUNNING_SHOWN = 10
SEEN_WITHIN = timedelta(seconds=GONE_SECONDS)
UNDER_WAY = (QualificationStatus.WAITING, QualificationStatus.RUNNING)


@dataclass(frozen=True, slots=True)
class CaseLine:
    """One case of a qualification. Request and reply were kept where it failed."""

    title: str
    why: str
    outcome: str
    outcome_words: str
    detail: str
    request: str
    reply: str
    elapsed_ms: int

    @property
    def was_not_tried(self) -> bool:
        """Whether it would have been put, had another one not failed."""
        return self.outcome == CaseOutcome.SKIPPED and self.detail.startswith(NOT_TRIED)

    @property
    def is_told(self) -> bool:
        """Whether there is more to read than that it passed."""
        return self.outcome in (CaseOutcome.FAILED, CaseOutcome.WARNED)


@dataclass(frozen=True, slots=True)
class QualificationPart:
    status: str
    status_words: str
    reason: str
    is_under_way: bool
    started_at: datetime | None
    finished_at: datetime | None
    cases: tuple[CaseLine, ...]

    @property
    def put(self) -> tuple[CaseLine, ...]:
        return tuple(case for case in self.cases if not case.was_not_tried)

    @property
    def not_tried(self) -> int:
        return len(self.cases) - len(self.put)

    @property
    def passed(self) -> int:
        return sum(case.outcome in (CaseOutcome.PASSED, CaseOutcome.WARNED) for case in self.cases)

    @property
    def counted(self) -> int:
        return sum(case.outcome != CaseOutcome.SKIPPED for case in self.cases)


@dataclass(frozen=True, slots=True)
class PartyLink:
    match_id: str
    title: str
    number: int


@dataclass(frozen=True, slots=True)
class LogLine:
    """One message and what came of it; request and reply were kept where something went wrong.

    `is_repeat`: its owner had it sent again. `party`: of which match, if its owner may look at it.
    """

    number: int
    sent_at: datetime
    message: str
    seq: int
    attempt: int
    outcome: str
    outcome_words: str
    is_fault: bool
    detail: str
    status: int | None
    elapsed_ms: int
    action: str
    note: str
    request: str
    reply: str
    is_repeat: bool
    party: PartyLink | None = None


@dataclass(frozen=True, slots=True)
class MatchLink:
    public_id: str
    title: str


@dataclass(frozen=True, slots=True)
class VersionPage:
    """`secret`: in the form of Standard Webhooks; empty for a version that calls us. `commands`: those that take it.

    `seen_at`: when one that calls us was heard of last.
    """

    public_id: str
    label: str
    name: str
    bot_id: str
    status: str
    status_words: str
    status_reason: str
    is_pull: bool
    url: str
    secret: str
    old_secret_until: datetime | None
    is_accepting: bool
    is_connected: bool
    seen_at: datetime | None
    created_at: datetime
    step: Step
    running: tuple[MatchLink, ...]
    qualification: QualificationPart | None
    stats: Stats
    faults: tuple[tuple[str, int], ...]
    queue: str
    commands: tuple[Command, ...]
    tokens: TokenList

    @property
    def is_retired(self) -> bool:
        return self.status == AgentStatus.RETIRED

    @property
    def token_name(self) -> str:
        """What another token may be called, that no living one is."""
        taken = {token.name for token in self.tokens.living}
        return next((name for name in (self.label, f"{self.label} 2") if name not in taken), self.label)

    @property
    def fault_rate(self) -> str:
        """Faults in a hundred decisions."""
        return f"{self.stats.fault_rate_bp / 100:g}"

    @property
    def may_qualify(self) -> bool:
        under_way = self.qualification is not None and self.qualification.is_under_way
        return not self.is_retired and not under_way


def find_version(public_id: str, user: User | AnonymousUser) -> BotVersion:
    """A version of the reader's own by the id of its agent; raises Http404 for everybody but the owner."""
    if not user.is_authenticated:
        raise Http404
    found = BotVersion.objects.select_related("agent__player", "agent__presence", "agent__health", "bot__player__owner")
    return get_object_or_404(found, agent__public_id=public_id, bot__player__owner=user)


def version_page(version: BotVersion) -> VersionPage:
    """Of a version as `find_version` gives it; queries are bounded."""
    agent, waiting, stats = version.agent, waiting_of(version.agent), stats_of(version.agent)
    qualification = version.qualifications.prefetch_related("cases").first()
    secret = "" if version.is_pull else shown_secret(version)
    return VersionPage(
        public_id=agent.public_id,
        label=agent.label,
        name=agent.player.name,
        bot_id=version.bot.public_id,
        status=agent.status,
        status_words=str(agent.get_status_display()),
        status_reason=agent.status_reason,
        is_pull=version.is_pull,
        url=version.url,
        secret=secret,
        old_secret_until=version.old_secret_until,
        is_accepting=version.is_accepting,
        is_connected=is_connected(version),
        seen_at=_seen_at(version),
        created_at=version.created_at,
        step=next_step(standing_of(version, qualification, waiting, lately_of(agent))),
        running=_running(version) if waiting.running else (),
        qualification=_qualification(qualification) if qualification else None,
        stats=stats,
        faults=faults_in_words(stats.faults),
        queue=queue_words(waiting),
        commands=() if version.is_pull else commands_of_called(version.url, secret),
        tokens=_tokens(version),
    )


def _running(version: BotVersion) -> tuple[MatchLink, ...]:
    """What it plays just now, of what its owner may see."""
    playing = Match.objects.filter(status=MatchStatus.RUNNING, seats__agent=version.agent_id).distinct()
    seen = visible_matches(version.bot.player.owner or AnonymousUser(), playing).order_by("started_at")
    return tuple(MatchLink(match.public_id, str(match)) for match in seen[:RUNNING_SHOWN])


def standing_of(version: BotVersion, qualification: Qualification | None, waiting: Waiting, lately: Lately) -> Standing:
    health = getattr(version.agent, "health", None)
    living = version.tokens.filter(revoked_at=None, expires_at__gt=Now())
    return Standing(
        status=version.agent.status,
        status_reason=version.agent.status_reason,
        is_pull=version.is_pull,
        was_seen=not version.is_pull or _seen_at(version) is not None,
        is_connected=is_connected(version),
        is_accepting=version.is_accepting,
        qualification=qualification.status if qualification else "",
        waiting=waiting,
        lately=lately,
        returns_alone=version.quarantined_by == QuarantinedBy.PROBES,
        is_held=is_held_by_desk(version),
        last_detail=health.last_detail if health else "",
        has_token=not version.is_pull or living.exists(),
    )


def is_connected(version: BotVersion) -> bool:
    """Whether a version that calls us was heard of just now; others are called when they are needed."""
    seen = _seen_at(version)
    return not version.is_pull or (seen is not None and timezone.now() - seen < SEEN_WITHIN)


def _seen_at(version: BotVersion) -> datetime | None:
    presence = getattr(version.agent, "presence", None)
    return presence.seen_at if presence else None


def _qualification(run: Qualification) -> QualificationPart:
    return QualificationPart(
        status=run.status,
        status_words=str(run.get_status_display()),
        reason=_failed_words(run) or run.reason,
        is_under_way=run.status in UNDER_WAY,
        started_at=run.started_at,
        finished_at=run.finished_at,
        cases=tuple(_case(case) for case in run.cases.all()),
    )


def _failed_words(run: Qualification) -> str:
    """The titles of the cases that failed."""
    failed = [case_words(case.code)[0] for case in run.cases.all() if case.outcome == CaseOutcome.FAILED]
    return _("Failed: %(cases)s") % {"cases": ", ".join(failed)} if failed else ""


def _case(case: QualificationCase) -> CaseLine:
    title, why = case_words(case.code)
    return CaseLine(
        title=title,
        why=why,
        outcome=case.outcome,
        outcome_words=str(case.get_outcome_display()),
        detail=case.detail,
        request=case.request,
        reply=case.reply,
        elapsed_ms=case.elapsed_ms,
    )


def _tokens(version: BotVersion) -> TokenList:
    version_id = version.agent.public_id
    return token_list(
        version.tokens.order_by("-created_at"),
        lambda token: reverse("version-token-end", args=[version_id, token.public_id]),
    )


def delivery_log(version: BotVersion, faults_only: bool) -> tuple[LogLine, ...]:
    """The newest messages to the version and what came of them. Two queries."""
    rows = Delivery.objects.filter(agent=version.agent_id).order_by("-id")
    if faults_only:
        rows = rows.exclude(outcome="ok")
    shown = list(rows[:LOG_SHOWN])
    parties = _parties(version, {row.game for row in shown})
    return tuple(log_line(row, parties.get(row.game)) for row in shown)


def _parties(version: BotVersion, games: set[str]) -> dict[str, PartyLink]:
    """In which party each of these games is, of those whose match the owner may see."""
    rows = Game.objects.filter(public_id__in=games, match_seat__agent=version.agent_id)
    seen = rows.filter(party__match__in=visible_matches(version.bot.player.owner or AnonymousUser()))
    return {
        game.public_id: PartyLink(game.party.match.public_id, str(game.party.match), game.party.number)
        for game in seen.select_related("party__match")
    }


def party_of(version: BotVersion, message: Delivery) -> PartyLink | None:
    """In which party a message was sent, if in one that the owner may see. One query."""
    return _parties(version, {message.game}).get(message.game)


def find_delivery(version: BotVersion, number: int) -> Delivery:
    """A message to this version by its number in the log; raises Http404."""
    return get_object_or_404(_of(version), pk=number)


def _of(version: BotVersion) -> QuerySet[Delivery]:
    return Delivery.objects.filter(agent=version.agent_id)


def log_line(row: Delivery, party: PartyLink | None = None) -> LogLine:
    return LogLine(
        number=row.pk,
        sent_at=row.sent_at,
        message=str(row.get_message_display()),
        seq=row.seq,
        attempt=row.attempt,
        outcome=row.outcome,
        outcome_words=outcome_words(row.outcome),
        is_fault=row.outcome != "ok",
        detail=row.detail,
        status=row.status,
        elapsed_ms=row.elapsed_ms,
        action=row.action,
        note=row.note or _note_in(row.reply),
        request=row.request,
        reply=row.reply,
        is_repeat=row.is_repeat,
        party=party,
    )


def _note_in(reply: str) -> str:
    """What the program noted beside an answer that was refused."""
    with suppress(ReplyError):
        return wire.read_answer(reply.encode()).note
    return ""


def faults_in_words(faults: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """Causes with how often, the most frequent first."""
    return tuple((outcome_words(code), count) for code, count in sorted(faults.items(), key=lambda one: -one[1]))
