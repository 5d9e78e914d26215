"""Whether the versions that we call are well: a ping where nobody has spoken to them, quarantine and return."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Now

from bots_api.models import PUSH, Delivery, MessageType, Qualification, QuarantinedBy, VersionHealth
from bots_api.services.pinging import ping_all
from bots_api.services.states import let_play, quarantine
from matches.core.lifecycle import MatchStatus
from matches.models import Agent, AgentStatus, MatchSeat

SILENCE = timedelta(seconds=60)
SOON = timedelta(seconds=20)
LONGEST_PAUSE = timedelta(hours=1)
FAILURES_TO_QUARANTINE = 3
ANSWERS_TO_RETURN = 2
PROBES_AT_ONCE = 200
_SEEN = {
    "unreachable": "no connection",
    "timeout": "no complete reply in time",
    "malformed": "another answer than the challenge",
    "http_error": "an HTTP error",
}


@dataclass(frozen=True, slots=True)
class Pulse:
    """Pings running that were not answered, and those that were since it was put in quarantine for them."""

    failures: int = 0
    answers: int = 0

    @property
    def is_lost(self) -> bool:
        return self.failures >= FAILURES_TO_QUARANTINE


@dataclass(frozen=True, slots=True)
class Finding:
    """What a ping changes: `becomes` is None where the version stays what it is."""

    pulse: Pulse
    pause: timedelta
    becomes: AgentStatus | None = None


def found(pulse: Pulse, *, answered: bool) -> Finding:
    """What follows from one ping more. Who is lost is asked after growing pauses, and is back when it answers twice."""
    if answered and not pulse.is_lost:
        return Finding(Pulse(), SILENCE)
    if answered:
        answers = pulse.answers + 1
        is_back = answers >= ANSWERS_TO_RETURN
        return Finding(Pulse(), SILENCE, AgentStatus.ACTIVE) if is_back else Finding(Pulse(pulse.failures, 1), SOON)
    failures = pulse.failures + 1
    if failures < FAILURES_TO_QUARANTINE:
        return Finding(Pulse(failures), SOON)
    more = failures - FAILURES_TO_QUARANTINE
    return Finding(
        Pulse(failures), min(SILENCE * 2 ** min(more, 10), LONGEST_PAUSE), None if more else AgentStatus.QUARANTINED
    )


def probe_due() -> int:
    """Pings those whose time has come, all at once; returns how many.

    Active ones to whom nothing was sent for a minute, and those in quarantine for pings that they did not answer.
    Nobody is pinged in the middle of a match or of its qualification, or while it takes no new matches.
    """
    _begin_to_watch()
    _hurry_for_matches()
    due = _take_due()
    for delivery in ping_all(due) if due else ():
        _note(delivery)
    return len(due)


def quarantine_rejected(agent_id: int) -> None:
    """A version that refuses our signature is asked no more: answers to pings would not bring it back."""
    quarantine(agent_id, QuarantinedBy.REJECTED, "refused our signature (401 or 403)")


def _begin_to_watch() -> None:
    new = Agent.objects.filter(kind=PUSH, status=AgentStatus.ACTIVE, health=None)
    VersionHealth.objects.bulk_create([VersionHealth(agent=agent) for agent in new], ignore_conflicts=True)


def _hurry_for_matches() -> None:
    """A match waits for minutes and pauses grow to an hour: whoever is awaited by one is asked every minute."""
    waiting = MatchSeat.objects.filter(
        agent=OuterRef("agent"), match__status=MatchStatus.READY, match__due_at__lte=Now()
    )
    VersionHealth.objects.filter(
        Exists(waiting),
        agent__status=AgentStatus.QUARANTINED,
        agent__bot_version__quarantined_by=QuarantinedBy.PROBES,
        next_probe_at__gt=Now() + SILENCE,
    ).update(next_probe_at=Now() + SILENCE)


@transaction.atomic
def _take_due() -> list[int]:
    """Puts off whoever is due until after this round, and names those to be pinged in it. Locks their rows."""
    rows = VersionHealth.objects.filter(pk__in=_due().values("pk")).select_for_update(skip_locked=True)
    due = [row.pk for row in rows.order_by("next_probe_at")[:PROBES_AT_ONCE]]
    spoken = dict(
        VersionHealth.objects.filter(pk__in=due, failures=0)
        .annotate(spoken_at=Subquery(_said().values("sent_at")[:1]))
        .filter(spoken_at__gt=Now() - SILENCE)
        .values_list("pk", "spoken_at")
    )
    VersionHealth.objects.filter(pk__in=due).update(next_probe_at=Now() + SILENCE)
    for agent_id, spoken_at in spoken.items():
        VersionHealth.objects.filter(pk=agent_id).update(next_probe_at=spoken_at + SILENCE)
    return [agent_id for agent_id in due if agent_id not in spoken]


def _due() -> QuerySet[VersionHealth]:
    playing = MatchSeat.objects.filter(agent=OuterRef("agent"), match__status=MatchStatus.RUNNING)
    examined = Qualification.objects.filter(version__agent=OuterRef("agent"), status__in=["waiting", "running"])
    watched = Q(agent__status=AgentStatus.ACTIVE) | Q(
        agent__status=AgentStatus.QUARANTINED, agent__bot_version__quarantined_by=QuarantinedBy.PROBES
    )
    return VersionHealth.objects.filter(
        watched,
        ~Exists(playing),
        ~Exists(examined),
        agent__kind=PUSH,
        agent__bot_version__is_accepting=True,
        next_probe_at__lte=Now(),
    )


def _said() -> QuerySet[Delivery]:
    """What a version was sent besides pings, newest first."""
    said = Delivery.objects.filter(agent=OuterRef("agent"), is_repeat=False)
    return said.exclude(message=MessageType.PING).order_by("-id")


@transaction.atomic
def _note(delivery: Delivery) -> None:
    """Writes down what a ping showed. Locks the version's row of health."""
    health = VersionHealth.objects.select_for_update(of=["self"]).select_related("agent").get(pk=delivery.agent_id)
    if delivery.outcome == "infra":  # we were busy: it says nothing of the program
        return
    finding = found(_pulse_of(health), answered=delivery.outcome == "ok")
    health.failures, health.answers = finding.pulse.failures, finding.pulse.answers
    health.next_probe_at = Now() + finding.pause
    health.last_detail = delivery.detail
    if delivery.outcome == "ok":
        health.last_ok_at = delivery.sent_at
    health.save()
    if finding.becomes is AgentStatus.ACTIVE:
        _back(health.agent)
    elif finding.becomes and health.agent.status == AgentStatus.ACTIVE:
        quarantine(delivery.agent_id, QuarantinedBy.PROBES, _reason(delivery))


def _back(agent: Agent) -> None:
    """Returns from the quarantine that pings put it in, and from no other."""
    if agent.status == AgentStatus.QUARANTINED:
        let_play(agent.pk, but_for=(QuarantinedBy.DESK, QuarantinedBy.REJECTED))


def _pulse_of(health: VersionHealth) -> Pulse:
    """Whoever was let play again otherwise, by its qualification or by hand, begins anew."""
    pulse = Pulse(health.failures, health.answers)
    return Pulse() if pulse.is_lost and health.agent.status == AgentStatus.ACTIVE else pulse


def _reason(delivery: Delivery) -> str:
    # Everybody reads it, and what the transport tells names the address: its owner has that in the log.
    return f"did not answer {FAILURES_TO_QUARANTINE} pings: {_SEEN.get(delivery.outcome, 'no answer that counts')}"
