"""Cases that are play: questions as a lane asks them, and whole parties. They apply to every program."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

from bots_api.conformance.finding import Finding, Outcome, passed
from bots_api.conformance.positions import TABLES, views
from bots_api.conformance.program import WHAT_CAME, Examinee
from bots_api.conformance.talking import PRESET, first_question
from bots_api.practice import Conditions, Played, PracticeSeat, play_party
from engine import PartySetup, rules_of
from matches.core.house import KIND
from matches.party_play import SpoiledParty

GAMES_TOGETHER: Final = 32
VIEWS_A_TABLE: Final = 6
PARTY_SECONDS: Final = 20
"""A party of a program that is slow, and makes no fault, is left after so long: it has shown enough."""
HOUSE_RANDOM: Final = PracticeSeat(KIND, 0, "random@1")


async def decision(examinee: Examinee) -> Finding:
    """Answers one decision with a legal action."""
    question = first_question(examinee)
    answer = await examinee.decide(question)
    if fault := await examinee.fault_in([question], [answer]):
        return fault
    if answer.corrected:
        heard = await examinee.overhear(question.decision_id)
        detail = f"Only the second answer could be played, and a game has one correction. {heard.detail}"
        return Finding(Outcome.WARNED, detail, heard.request, heard.reply, answer.elapsed_ms)
    return passed(f"Answered in {answer.elapsed_ms} ms.", answer.elapsed_ms)


async def together(examinee: Examinee) -> Finding:
    """Answers the decisions of many games that are asked in the same moment."""
    questions = [first_question(examinee) for _ in range(GAMES_TOGETHER)]
    answers = await examinee.decide_all(questions)
    slowest = max(answer.elapsed_ms for answer in answers)
    fault = await examinee.fault_in(questions, answers)
    return fault or passed(f"{GAMES_TOGETHER} games at once, the slowest answer after {slowest} ms.", slowest)


async def tables(examinee: Examinee) -> Finding:
    """Sits down at every kind of table: two, three, four players, pairs, Short with its stakes."""
    slowest = 0
    for preset in TABLES:
        questions = [examinee.question(view) for view in views(preset, VIEWS_A_TABLE)]
        answers = await examinee.decide_all(questions)
        if fault := await examinee.fault_in(questions, answers):
            return Finding(fault.outcome, f"{preset}: {fault.detail}", fault.request, fault.reply, fault.elapsed_ms)
        slowest = max(slowest, *(answer.elapsed_ms for answer in answers))
    return passed(f"{', '.join(TABLES)}.", slowest)


async def self_play(examinee: Examinee) -> Finding:
    """Plays a whole party against itself without a fault."""
    return await _party(examinee, "self_play", [examinee.seat, examinee.seat])


async def house_random(examinee: Examinee) -> Finding:
    """Plays a whole party against `house:random` without a fault."""
    return await _party(examinee, "house_random", [HOUSE_RANDOM, examinee.seat])


async def _party(examinee: Examinee, name: str, seats: Sequence[PracticeSeat]) -> Finding:
    setup = PartySetup(rules_of(PRESET), hashlib.sha256(name.encode()).digest())
    conditions = Conditions(setup.rules, strict=True)
    try:
        played = await play_party(conditions, setup, seats, examinee.agents, seconds=PARTY_SECONDS)
    except SpoiledParty:
        return Finding(Outcome.FAILED, WHAT_CAME["infra"])
    return await _judged(examinee, seats, played)


async def _judged(examinee: Examinee, seats: Sequence[PracticeSeat], played: Played) -> Finding:
    own = [entry for entry in played.entries if seats[entry.seat] == examinee.seat and entry.kind == "action"]
    slowest = max((entry.elapsed_ms for entry in own), default=0)
    for entry in own:
        if entry.cause:
            found = await examinee.fault(played.decision_id(entry), entry.cause, entry.elapsed_ms)
            return Finding(found.outcome, f"Ply {entry.seq}: {found.detail}", found.request, found.reply, slowest)
    deals = len(played.table.party.deals)
    told = f"{len(own)} decisions in {deals} deals, the slowest after {slowest} ms."
    return passed(told if played.is_over else f"{told} Left unfinished after {PARTY_SECONDS} s.", slowest)
