"""Cases about single messages to a program that calls us: as `talking` has them, put by way of its mailbox."""

from __future__ import annotations

from dataclasses import replace

from bots_api.conformance.finding import Finding, Outcome, passed
from bots_api.conformance.positions import views
from bots_api.conformance.program import Examinee, Mail
from bots_api.conformance.talking import PRESET, add_unknown, first_question, same_game
from matches.agents import Answer, Question


def mail_of(examinee: Examinee) -> Mail:
    assert examinee.mail is not None
    return examinee.mail


async def duplicate(examinee: Examinee) -> Finding:
    """Answers the same decision, asked again under its id as after a failure of ours, with the same action."""
    question = first_question(examinee)
    first = await examinee.decide(question)
    await mail_of(examinee).reopen(question.decision_id)
    second = await examinee.decide(question)
    for answer in (first, second):
        if fault := await _fault(examinee, question, answer, "The same decision, asked again under its id"):
            return fault
    if first.action != second.action:
        heard = await examinee.overhear(question.decision_id)
        detail = "The same decision had another answer the second time: the first that arrives counts."
        return Finding(Outcome.WARNED, detail, heard.request, heard.reply, second.elapsed_ms)
    return passed()


async def out_of_order(examinee: Examinee) -> Finding:
    """Answers decisions of two games put in together, a later one before an earlier, with numbers left out."""
    asked = views(PRESET, 4)
    mine, other = first_question(examinee), first_question(examinee)
    older, newer, newest = (same_game(examinee, mine, view) for view in asked[:3])
    for together in ([newer, other], [older], [newest]):
        answers = await examinee.decide_all(together)
        for question, answer in zip(together, answers, strict=True):
            if fault := await _fault(examinee, question, answer, "Decisions came out of their order"):
                return fault
        await mail_of(examinee).pass_over_a_number()
    return passed()


async def unknown_fields(examinee: Examinee) -> Finding:
    """Reads a decision that holds fields which it does not know."""
    question = first_question(examinee)
    mail_of(examinee).spoil(question.decision_id, add_unknown)
    answer = await examinee.decide(question)
    return await _fault(examinee, question, answer, "With fields that are new in it") or passed()


async def _fault(examinee: Examinee, question: Question, answer: Answer, when: str) -> Finding | None:
    found = await examinee.fault_in([question], [answer])
    return replace(found, detail=f"{when}: {found.detail}") if found else None
