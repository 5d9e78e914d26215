"""Cases about single messages to a program that is called."""

from __future__ import annotations

import json
import secrets
from typing import Any, Final

from bots_api import observation, wire
from bots_api.conformance.finding import Finding, passed
from bots_api.conformance.line import Line, Said
from bots_api.conformance.positions import finished, views
from bots_api.conformance.program import Examinee
from bots_api.messages import deal_over, game_over, game_start
from bots_api.wire import ReplyError
from engine import View
from engine.record import result_json
from matches.agents import Question

PRESET: Final = "moscow/2"
REFUSALS: Final = (401, 403)
UNKNOWN: Final = {"x_new": {"a": [1, None, "two"]}, "mood": "fair"}
"""Fields that a later revision of version 1 might add."""


def line_of(examinee: Examinee) -> Line:
    assert examinee.line is not None
    return examinee.line


def first_question(examinee: Examinee) -> Question:
    return examinee.question(views(PRESET, 1)[0])


async def ping(examinee: Examinee) -> Finding:
    """Echoes a challenge that nobody can guess."""
    challenge = secrets.token_urlsafe(24)
    said = await line_of(examinee).tell(wire.ping(challenge))
    wrong = said.why_not_200() or _why_not_echo(said, challenge)
    if wrong and said.reply is not None and said.reply.status in REFUSALS:
        wrong = f"Answered {said.reply.status}: the program refuses our signature. Has it the secret of this version?"
    return said.failed(wrong) if wrong else passed(f"Echoed in {said.elapsed_ms} ms.", said.elapsed_ms)


def _why_not_echo(said: Said, challenge: str) -> str | None:
    assert said.reply is not None
    try:
        wire.check_echo(said.reply.body, challenge)
    except ReplyError as error:
        return error.detail
    return None


async def signature(examinee: Examinee) -> Finding:
    """Refuses what is not signed with its secret, and what was signed an hour ago."""
    line, question = line_of(examinee), first_question(examinee)
    message = await line.decision(question)
    forged = await line.post(message, line.forged(question.decision_id, message))
    if forged.is_ok:
        return forged.warned("Played on a forged message: anybody who finds the address can talk to it.")
    stale = await line.post(message, line.stale(question.decision_id, message))
    if stale.is_ok:
        return stale.warned("Played on a message whose timestamp is an hour old: expected to refuse after 5 minutes.")
    for said in (forged, stale):
        if said.reply is None or said.reply.status not in REFUSALS:
            return said.warned(f"{said.why_not_200()} A forged message is best refused with 401.")
    return passed()


async def duplicate(examinee: Examinee) -> Finding:
    """Answers the same decision, delivered twice, with the same action."""
    line, question = line_of(examinee), first_question(examinee)
    message = await line.decision(question)
    first, second = await line.ask(question, message), await line.ask(question, message)
    for said in (first, second):
        if wrong := said.why_no_answer_to(question):
            return said.failed(f"The same decision, delivered twice: {wrong}")
    if first.answer_to(question).action != second.answer_to(question).action:
        return second.warned("The same decision had another answer the second time: the first that arrives counts.")
    return passed()


async def out_of_order(examinee: Examinee) -> Finding:
    """Answers decisions whose numbers do not rise, with those of another game between them."""
    line, asked = line_of(examinee), views(PRESET, 4)
    mine, other = first_question(examinee), first_question(examinee)
    older, between, newer = [await line.number() for _ in range(3)]
    turns = [
        (same_game(examinee, mine, asked[1]), newer),
        (other, between),
        (same_game(examinee, mine, asked[0]), older),
        (same_game(examinee, mine, asked[2]), await line.number()),
    ]
    for question, seq in turns:
        said = await line.ask(question, await line.decision(question, seq))
        if wrong := said.why_no_answer_to(question):
            return said.failed(f"Decisions came out of their order, seq {seq} here: {wrong}")
    return passed()


def same_game(examinee: Examinee, question: Question, view: View) -> Question:
    other = examinee.question(view)
    return Question(question.ref, other.decision_id, view, other.clock, other.chance)


async def unknown_fields(examinee: Examinee) -> Finding:
    """Reads a decision that holds fields which it does not know."""
    line, question = line_of(examinee), first_question(examinee)
    message = json.loads(await line.decision(question))
    add_unknown(message)
    said = await line.ask(question, wire.encode(message).decode())
    if wrong := said.why_no_answer_to(question):
        return said.failed(f"With fields that are new in it: {wrong}")
    return passed()


def add_unknown(decision: dict[str, Any]) -> None:
    for place in (decision, decision["table"], decision["you"], decision["clock"]):
        place.update(UNKNOWN)


async def correction(examinee: Examinee) -> Finding:
    """Asked once more with what was wrong, answers legally."""
    line, question = line_of(examinee), first_question(examinee)
    detail = f'"play:7C" is not legal now; legal are: {", ".join(action.text for action in question.view.legal)}.'
    again = observation.correction(await line.decision(question), "illegal_action", detail)
    said = await line.ask(question, again)
    if wrong := said.why_no_answer_to(question):
        return said.failed(f'Asked again with "attempt":2 and what was wrong: {wrong}')
    return passed()


async def notices(examinee: Examinee) -> Finding:
    """Takes what wants no answer: that a game begins, that a deal is over, that the game is."""
    line, table, ref = line_of(examinee), finished(PRESET), first_question(examinee).ref
    assert table.result is not None
    start = await line.tell(game_start(ref))
    if not start.is_ok:
        return start.failed(f"game_start: {_not_2xx(start)}")
    for message in (deal_over(ref, table.party.deals[0]), game_over(ref, result_json(table.result))):
        said = await line.tell(message)
        if not said.is_ok:
            return said.warned(f"{message['type']}: {_not_2xx(said)} The answer is not read, and play goes on.")
    return passed()


def _not_2xx(said: Said) -> str:
    return said.why_not_200() or "" if said.reply is None else f"Answered {said.reply.status}; expected any 2xx."
