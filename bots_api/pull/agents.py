"""Programs that call us, as a lane plays with them: what it asks lies in the mailbox until they take and answer it.

A lane waits without a thread and without a connection. Rows are the truth: whatever kills it, the next lane finds the
same decision open, with its clock where it was, or answered.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, Self

from bots_api.delivery_log import Delivered, DeliveryLog, NoLog
from bots_api.messages import Decisions, deal_over, decision_closed, game_over, game_start
from bots_api.models import MessageType
from bots_api.pull import hints
from bots_api.pull.hints import Hints
from bots_api.pull.mailbox import Asked, Ended, is_logged, is_served, is_told, laid_for, notice
from bots_api.pull.riding import LOOK_SECONDS, Outgoing, Sought
from engine import View
from engine.actions import ACTION_OF, PLAYS
from engine.cards import cards_in
from engine.deal import Phase
from engine.party import DealRecord
from matches.agents import Answer, GameRef, Question
from matches.core.faults import Cause
from matches.lag import LagMeter
from matches.ledger import Ledger

OUTAGE_SECONDS: Final = 15.0
"""So long we wait for a server of ours to be back before a decision is asked again; three times, and all is in vain."""
_WHY = {
    Cause.TIMEOUT: "No answer came in time.",
    Cause.INFRA: "None of our servers was there to take an answer; it is asked again.",
    Cause.ADMIN_VOID: "The match was annulled.",
}


class PullAgents:
    """Every program of one lane that calls us: mailbox, hints and log are shared."""

    def __init__(self, lag: LagMeter, ledger: Ledger, *, keeps_log: bool = True) -> None:
        """The lag does not matter: what programs are charged is measured where they call."""
        self._run = ledger.run
        self._outgoing = Outgoing(ledger, self._announce)
        self._sought = Sought(ledger)
        self._hints = Hints()
        self._log = DeliveryLog(ledger.run) if keeps_log else NoLog(ledger.run)
        self._decisions = Decisions()
        self._outages: Counter[str] = Counter()

    async def __aenter__(self) -> Self:
        await self._hints.__aenter__()
        self._hints.listen(hints.ANSWERED, self._sought.look)
        self._looking = asyncio.create_task(self._sought.keep_looking())
        self._flusher = asyncio.create_task(self._log.keep_flushing())
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._outgoing.close()
        self._looking.cancel()
        self._log.close()
        await asyncio.gather(self._looking, self._flusher, return_exceptions=True)
        await self._hints.__aexit__()

    async def begin(self, ref: GameRef) -> None:
        await self._tell(ref, MessageType.GAME_START, game_start(ref))

    def expect(self, ref: GameRef) -> None:
        """A decision gets its number where it is put in."""

    async def decide(self, question: Question) -> Answer:
        asked = self._asked(question)
        is_new = await self._outgoing.send(asked)
        ended = await self._sought.ended(asked.decision_id, look=not is_new)
        outages = self._outages.pop(question.ref.game, 0)
        if is_new or not await self._run(is_logged, ended.decision_id, ended.seq, asked.agent_id):
            for line in _lines(question, ended, 1 + outages):
                self._log.add(line)
        if ended.cause == Cause.INFRA:
            self._outages[question.ref.game] = outages + 1
            await self._outage_over()
        elif ended.cause and not await self._is_told(ended, asked.agent_id, is_new=is_new):
            closed = decision_closed(question.ref, ended.decision_id, _played(ended, asked), ended.cause)
            self._tell(question.ref, MessageType.DECISION_CLOSED, closed)
        return _answer(ended)

    async def _is_told(self, ended: Ended, agent_id: int, *, is_new: bool) -> bool:
        """Whether the program knows of it: a lane that was killed has told it, or whoever annulled the match."""
        if ended.cause == Cause.ADMIN_VOID:
            return True
        return not is_new and await self._run(is_told, ended.decision_id, ended.seq, agent_id)

    async def _outage_over(self) -> None:
        """Returns when programs can call again, or after a time: the lane has to come to its end."""
        until = time.monotonic() + OUTAGE_SECONDS
        while not await self._run(is_served) and time.monotonic() < until:
            await asyncio.sleep(LOOK_SECONDS)

    def deal_over(self, ref: GameRef, deal: DealRecord) -> None:
        self._tell(ref, MessageType.DEAL_OVER, deal_over(ref, deal))

    async def over(self, ref: GameRef, causes: Sequence[Cause | None]) -> None:
        return None

    async def end(self, ref: GameRef, result: Mapping[str, Any]) -> None:
        self._tell(ref, MessageType.GAME_OVER, game_over(ref, result))

    def leave(self, ref: GameRef) -> None:
        self._decisions.forget(ref.game)
        self._outages.pop(ref.game, None)

    def _tell(self, ref: GameRef, kind: MessageType, message: Mapping[str, Any]) -> asyncio.Future[bool]:
        return self._outgoing.send(notice(ref.agent_id, kind, message))

    def _announce(self, agent_ids: Collection[int]) -> None:
        self._hints.mention(hints.ASKED, agent_ids)

    def _asked(self, question: Question) -> Asked:
        ref, view, clock = question.ref, question.view, question.clock
        before, after = self._decisions.around(question)
        return Asked(
            agent_id=ref.agent_id,
            decision_id=question.decision_id,
            game=ref.game,
            match=ref.match,
            before=before,
            after=after,
            legal=[action.text for action in view.legal],
            default_action=view.default.text if view.default else "",
            revokes=_revokes(view),
            budget_ms=clock.rules.budget_ms,
            bank_ms=clock.bank_ms,
            grace_ms=clock.rules.grace_ms,
            is_correctable=question.may_correct,
        )


def _revokes(view: View) -> list[str]:
    """The cards of the hand that may not be played, where the table punishes whoever does it all the same (R66)."""
    if view.rules.illegal_move is None or view.phase is not Phase.PLAY:
        return []
    allowed = {action.card for action in view.legal}
    return [PLAYS[card].text for card in cards_in(view.hand) if card not in allowed]


def _played(ended: Ended, asked: Asked) -> str:
    """What lies on the table for a program that failed, as `matches` decides it."""
    laid = laid_for(ended.tried, asked.revokes) if ended.cause == Cause.ILLEGAL else None
    return laid.text if laid else asked.default_action


def _answer(ended: Ended) -> Answer:
    if ended.cause == Cause.INFRA:
        return Answer(None, cause=Cause.INFRA)
    if ended.cause:
        tried = ACTION_OF.get(ended.tried)
        return Answer(None, ended.elapsed_ms, Cause(ended.cause), ended.is_corrected, tried)
    return Answer(ACTION_OF[ended.action], ended.elapsed_ms, corrected=ended.is_corrected)


def _lines(question: Question, ended: Ended, attempt: int) -> list[Delivered]:
    """Lines of the log: what had to be corrected, and the answer with its note or what went wrong; all as it was asked.

    Of two answers that were refused the raw text of the second is kept.
    """
    last = _line(question, ended, attempt)
    if not (ended.is_corrected and ended.first_tried and ended.reply):
        return [last]
    detail = f"{_illegal(question, ended.first_tried)} It was asked for once more."
    reply = "" if ended.cause else ended.reply
    first = last._replace(
        outcome="illegal_action", detail=detail[:300], elapsed_ms=0, action="", note="", request=ended.body, reply=reply
    )
    return [first, last._replace(attempt=attempt + 1)]


def _line(question: Question, ended: Ended, attempt: int) -> Delivered:
    return Delivered(
        agent_id=question.ref.agent_id,
        message=MessageType.DECISION.value,
        seq=ended.seq,
        game=question.ref.game,
        message_id=ended.decision_id,
        attempt=attempt,
        outcome=ended.cause or "ok",
        detail=_why(question, ended)[:300],
        status=None,
        elapsed_ms=ended.elapsed_ms,
        action=ended.action,
        note=ended.note,
        request=ended.body if ended.cause else "",
        reply=ended.reply if ended.cause else "",
        sent_at=ended.sent_at,
    )


def _why(question: Question, ended: Ended) -> str:
    if ended.cause == Cause.ILLEGAL:
        return _illegal(question, ended.tried)
    return _WHY.get(Cause(ended.cause), "") if ended.cause else ""


def _illegal(question: Question, tried: str) -> str:
    subject = f"“{tried}”" if tried else "What was answered is no action and"
    return f"{subject} is not legal there; legal were: {', '.join(action.text for action in question.view.legal)}."
