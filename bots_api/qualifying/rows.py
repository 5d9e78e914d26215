"""Qualifications in the database: who is next, what was found, what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.db import connection, transaction
from django.db.models import F, Window
from django.db.models.functions import Now, RowNumber

from bots_api.conformance import CaseResult, Verdict
from bots_api.models import Qualification, QualificationCase, QualificationStatus, QuarantinedBy
from bots_api.services.states import let_play

LOCK: Final = 0x6D6E6C71
"""The advisory lock of whoever runs qualifications: one process does, whose slots bound the load."""
LONGEST_REASON: Final = 300


@contextmanager
def the_only_runner(*, wait: bool = False) -> Iterator[bool]:
    """Whether we alone run qualifications while this is open; PostgreSQL gives the lock back when its holder dies.

    So whatever is marked as running belongs to nobody when the lock is ours.
    """
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT pg_{'' if wait else 'try_'}advisory_lock(%s)", [LOCK])
        is_ours = wait or bool(cursor.fetchone()[0])
    try:
        yield is_ours
    finally:
        if is_ours:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])


def give_back_what_was_left() -> int:
    """Runs that a dead process left begin again; to be called by the only runner. Returns how many they are."""
    return Qualification.objects.filter(status=QualificationStatus.RUNNING).update(status=QualificationStatus.WAITING)


def take(most: int) -> list[Qualification]:
    """Marks up to so many as running: the first of every owner before the second of any, and those the oldest first."""
    turn = Window(RowNumber(), partition_by=F("version__bot__player__owner"), order_by=["id"])
    waiting = Qualification.objects.filter(status=QualificationStatus.WAITING).annotate(turn=turn)
    chosen = waiting.order_by("turn", "id").values_list("pk", flat=True)[:most]
    return [taken for pk in list(chosen) if (taken := take_one(pk))]


@transaction.atomic
def take_one(qualification_id: int) -> Qualification | None:
    """Marks one as running, if it waits; what an earlier run of it found is forgotten."""
    waiting = Qualification.objects.filter(pk=qualification_id, status=QualificationStatus.WAITING)
    if not waiting.update(status=QualificationStatus.RUNNING, started_at=Now()):
        return None
    QualificationCase.objects.filter(qualification=qualification_id).delete()
    return Qualification.objects.select_related("version__agent").get(pk=qualification_id)


def keep(qualification_id: int, result: CaseResult) -> None:
    """Writes down what a case found."""
    QualificationCase.objects.create(
        qualification_id=qualification_id,
        number=QualificationCase.objects.filter(qualification=qualification_id).count() + 1,
        code=result.code,
        outcome=result.outcome.value,
        detail=_storable(result.detail),
        request=_storable(result.request),
        reply=_storable(result.reply),
        elapsed_ms=result.elapsed_ms,
    )


def _storable(text: str) -> str:
    """PostgreSQL holds no NUL."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")


@transaction.atomic
def finish(qualification: Qualification, verdict: Verdict | None) -> None:
    """Writes what came of a run and admits a version that passed, unless the desk holds it.

    None: the run failed by our own fault.
    """
    may_play = verdict is not None and verdict.may_play
    running = Qualification.objects.filter(pk=qualification.pk, status=QualificationStatus.RUNNING)
    ended = running.update(
        status=QualificationStatus.PASSED if may_play else QualificationStatus.FAILED,
        reason=_reason(verdict)[:LONGEST_REASON],
        finished_at=Now(),
    )
    if ended and may_play:
        let_play(qualification.version.agent_id, but_for=(QuarantinedBy.DESK,))


def _reason(verdict: Verdict | None) -> str:
    if verdict is None:
        return "Our own failure: it says nothing of the program. Ask again."
    failed = [result.code for result in verdict.results if result.outcome == "failed"]
    return f"failed: {', '.join(failed)}" if failed else ""
