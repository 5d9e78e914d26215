"""What becomes of an answer that a program sends (protocol §6). Pure: a row and an answer in, a row and a reply out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from bots_api.models import DecisionState
from bots_api.pull.mailbox import laid_for
from bots_api.pull.server.problems import RETRY_SECONDS, Refused
from bots_api.wire import Reply, ReplyError, check_legal, printable
from matches.core.clocks import Clock, ClockRules
from matches.core.faults import Cause

TRIED_LIMIT: Final = 40
"""So much of an illegal action is kept to know it again."""
UNPLAYED: Final = frozenset({Cause.INFRA, Cause.ADMIN_VOID})
"""What was closed for these is no fault: nothing was played for the program."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A decision as it stands; the fields are `PullDecision`'s."""

    id: int
    legal: Sequence[str]
    default_action: str
    revokes: Sequence[str]
    budget_ms: int
    bank_ms: int
    grace_ms: int
    is_correctable: bool
    is_corrected: bool
    state: str
    action: str
    note: str
    elapsed_ms: int
    cause: str
    tried: str
    played: str
    first_tried: str
    reply: str

    @property
    def clock(self) -> Clock:
        return Clock(ClockRules(self.budget_ms, self.bank_ms, self.grace_ms), self.bank_ms)


class Verdict(NamedTuple):
    """What the program is told: the fields of a 200, or a problem. `is_news`: the decision is over by this answer."""

    accepted: dict[str, Any] | None = None
    problem: Refused | None = None
    is_news: bool = False


def judge(
    kept: Kept,
    answer: Reply,
    elapsed_ms: int,
    *,
    was_served: bool = True,
    is_given_up: bool = False,
    raw: str = "",
) -> tuple[Kept, Verdict]:
    """The row as it is to stand and what the program is told; of an answer that is refused its `raw` text is kept.

    `elapsed_ms`: from the start of the decision's clock to the answer's arrival, free of our own delays.
    `was_served`: the program could have answered all that time, for one of our servers was there. `is_given_up`: it
    was closed so long ago that nobody asks it again.
    """
    if kept.state == DecisionState.ANSWERED:
        return kept, _again(kept, answer)
    if kept.state == DecisionState.CLOSED:
        return kept, Verdict(problem=_closed(kept, is_given_up=is_given_up))
    if elapsed_ms > kept.clock.hard_ms:
        late = _close(kept, Cause.TIMEOUT if was_served else Cause.INFRA, kept.clock.hard_ms, raw)
        return late, Verdict(problem=_closed(late), is_news=True)
    try:
        check_legal(answer.action, kept.legal)
    except ReplyError as illegal:
        return _illegal(kept, answer, illegal, elapsed_ms, raw)
    row = replace(kept, state=DecisionState.ANSWERED, action=answer.action, note=answer.note, elapsed_ms=elapsed_ms)
    return row, Verdict(accepted=_accepted(row), is_news=True)


def _again(kept: Kept, answer: Reply) -> Verdict:
    """A second answer: of the same one the first reply was lost, and it is told once more."""
    if answer.action == kept.action:
        return Verdict(accepted={**_accepted(kept), "replayed": True})
    detail = f"Another answer was accepted for this decision: {kept.action}."
    return Verdict(problem=Refused(409, "already_decided", detail, more={"action": kept.action}))


def _accepted(kept: Kept) -> dict[str, Any]:
    clock = kept.clock
    return {
        "accepted": True,
        "charged_ms": clock.charged(kept.elapsed_ms),
        "bank_ms": clock.bank_after(kept.elapsed_ms),
    }


def _illegal(kept: Kept, answer: Reply, illegal: ReplyError, elapsed_ms: int, raw: str) -> tuple[Kept, Verdict]:
    """The first is to be corrected, and sent again it is the same one: its reply was lost."""
    tried = printable(answer.action)[:TRIED_LIMIT]
    if kept.is_correctable and not kept.is_corrected:
        row = replace(kept, is_corrected=True, first_tried=tried, reply=raw)
        return row, Verdict(problem=_asked_again(kept, illegal))
    if kept.is_corrected and tried == kept.first_tried:
        return kept, Verdict(problem=_asked_again(kept, illegal))
    row = _close(kept, Cause.ILLEGAL, elapsed_ms, raw)
    if illegal.action is not None:
        laid = laid_for(illegal.action.text, kept.revokes)
        row = replace(row, tried=illegal.action.text, played=laid.text if laid else kept.default_action)
    detail = f"{illegal.detail} That was the second illegal action of this game: {row.played} was played."
    more = {"legal": list(kept.legal), "played": row.played, "cause": row.cause}
    return row, Verdict(problem=Refused(422, "illegal_action", detail, more=more), is_news=True)


def _asked_again(kept: Kept, illegal: ReplyError) -> Refused:
    detail = f"{illegal.detail} Answer once more: the clock is running."
    return Refused(422, "illegal_action", detail, more={"legal": list(kept.legal)})


def _close(kept: Kept, cause: Cause, elapsed_ms: int, raw: str) -> Kept:
    closed = replace(kept, state=DecisionState.CLOSED, cause=cause.value, elapsed_ms=elapsed_ms, reply=raw)
    return replace(closed, played=kept.default_action)


def _closed(kept: Kept, *, is_given_up: bool = False) -> Refused:
    """What was closed by our own fault is asked again under the same id: there is still time to answer it.

    Unless the party was spoiled or the match annulled: whoever sent the same again would do so for ever.
    """
    if kept.cause == Cause.INFRA and not is_given_up:
        detail = "This decision is about to be asked again: send the same answer then."
        return Refused(503, "unavailable", detail, headers={"retry-after": str(RETRY_SECONDS)})
    played = "" if kept.cause in UNPLAYED else kept.played
    detail = f"The decision is closed ({kept.cause}): {played or 'nothing'} was played. Go on with the next one."
    return Refused(410, "deadline_passed", detail, more={"played": played, "cause": kept.cause})
