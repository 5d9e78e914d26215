"""Asking for a qualification, running it, and letting a version play."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Final

from django.db import transaction

from bots_api.conformance import Verdict
from bots_api.models import BotVersion, Qualification, QualificationStatus
from bots_api.qualifying import rows
from bots_api.qualifying.examining import examined
from bots_api.sequence import Counter
from bots_api.services.states import is_held_by_desk, let_play
from matches.ledger import Ledger
from matches.models import AgentStatus, User
from matches.services.wake import send_hint

logger = logging.getLogger(__name__)
AT_ONCE: Final = 8
"""Versions that are examined side by side."""
TAKING_SECONDS: Final = 60.0
"""So long a runner takes on others; the rest is the next one's, so that no task outlives the broker's patience."""
LOOK_SECONDS: Final = 0.5
UNDER_WAY: Final = (QualificationStatus.WAITING, QualificationStatus.RUNNING)


class QualificationRefused(Exception):
    """A version cannot be examined; `code` is stable, the text says why."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


@transaction.atomic
def ask_for(version: BotVersion, by: User) -> Qualification:
    """The qualification of a version that is under way, else a new one that waits for its turn.

    Locks the version. Raises QualificationRefused (`retired`, `not_yours`, `held_by_desk`).
    """
    held = BotVersion.objects.select_for_update(of=["self"]).select_related("agent").get(pk=version.pk)
    version.agent.refresh_from_db()
    if version.agent.status == AgentStatus.RETIRED:
        raise QualificationRefused("retired", "A retired version does not play any more: register a new one.")
    if version.bot.player.owner_id != by.pk and not by.has_perm("bots_api.change_botversion"):
        raise QualificationRefused("not_yours", "Only its owner asks for a version to be examined.")
    if is_held_by_desk(held):
        raise QualificationRefused("held_by_desk", "The organisers took it off the table: write to them.")
    under_way = version.qualifications.filter(status__in=UNDER_WAY).first()
    if under_way:
        return under_way
    transaction.on_commit(_wake)
    return Qualification.objects.create(version=version)


def _wake() -> None:
    from bots_api.tasks import qualify

    send_hint(lambda: qualify.apply_async(expires=10, retry=False))


def admit(version: BotVersion) -> None:
    """Lets a version play without a case being put to it: the desk's staff answer for that."""
    let_play(version.agent_id)


def run(qualification_id: int) -> None:
    """Runs one qualification that waits, once nobody else runs any. A version that passes may play."""
    with rows.the_only_runner(wait=True):
        taken = rows.take_one(qualification_id)
        if taken:
            asyncio.run(_run_all([taken], taking=False))


def run_waiting() -> int:
    """Runs all that wait, several side by side, unless another process does so; returns how many it ran.

    Takes on others for a bounded time only; what a process left that died is begun again.
    """
    with rows.the_only_runner() as is_ours:
        if not is_ours:
            return 0
        rows.give_back_what_was_left()
        first = rows.take(AT_ONCE)
        return asyncio.run(_run_all(first, taking=True)) if first else 0


async def _run_all(first: list[Qualification], *, taking: bool) -> int:
    """Runs these and, if it is to go on taking, those that come to wait meanwhile."""
    stop_at = time.monotonic() + (TAKING_SECONDS if taking else 0)
    async with Ledger() as ledger:
        numbers = Counter(ledger)
        running = {asyncio.create_task(_run(one, ledger, numbers)) for one in first}
        count = len(running)
        while running:
            await asyncio.wait(running, timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            running = {task for task in running if not task.done()}
            if time.monotonic() < stop_at and len(running) < AT_ONCE:
                more = await ledger.run(rows.take, AT_ONCE - len(running))
                running |= {asyncio.create_task(_run(one, ledger, numbers)) for one in more}
                count += len(more)
    return count


async def _run(qualification: Qualification, ledger: Ledger, numbers: Counter) -> None:
    """One run to its end; whatever becomes of it, the others go on."""
    verdict: Verdict | None = None
    try:
        verdict = await examined(qualification.pk, qualification.version, ledger, numbers)
    except Exception:  # the outermost loop of a run: told on the row, and in our own log
        logger.exception("The qualification %s failed by itself", qualification.public_id)
    try:
        await ledger.run(rows.finish, qualification, verdict)
    except Exception:  # without a database the next runner begins it again
        logger.exception("The qualification %s is left as it stands", qualification.public_id)
