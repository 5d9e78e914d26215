"""Matches of people, who say how they ended. Anna directs, Bohdan and Dmytro play, Chrystyna is a stranger."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from matches.core.agreement import parse_score
from matches.core.plan import Length, MatchPlan
from matches.models import Agent, Match, Outbox, Player, ResultSeat, ScoreReport, User
from matches.services.create import create_match
from matches.services.players import person
from matches.services.reports import ReportRefused, report, rule
from matches.services.versions import person_agent


def account(name: str) -> User:
    """The user of this name; made when first asked for."""
    return User.objects.filter(username=name).first() or User.objects.create_user(name)


def sitting(name: str) -> Agent:
    """The person of this name as he sits at a table, with an account of the same name."""
    known = Player.objects.filter(name=name.capitalize()).first()
    return person_agent(known or person(name.capitalize(), account(name)))


def at_a_table(*names: str, held: bool = False, **plan: Any) -> Match:
    """A match of people, best of three if nothing else is asked for."""
    agents = tuple(sitting(name).pk for name in names or ("bohdan", "dmytro"))
    asked: dict[str, Any] = {"agents": agents, "length": Length.BEST_OF, "boards": 3, **plan}
    return create_match(MatchPlan(**asked), held=held)


def says(match: Match, name: str, text: str, reason: str = "") -> ScoreReport:
    return report(match.pk, account(name), parse_score(text), reason)


def ruled(match: Match, text: str, reason: str = "seen by Anna") -> ScoreReport:
    """As whoever may correct too."""
    return rule(match.pk, account("anna"), parse_score(text), reason, is_correction=True)


def versions(match: Match) -> list[str]:
    """Each version: whose, what it is now."""
    kept = match.reports.order_by("version").values_list("side", "status")
    return [f"{'-' if side is None else side} {status}" for side, status in kept]


def state(match: Match) -> str:
    match.refresh_from_db()
    return match.status


def decided(match: Match) -> list[tuple[int, str]]:
    return list(ResultSeat.objects.filter(result=match.pk).order_by("index").values_list("points", "outcome"))


def news(match: Match) -> list[str]:
    told = Outbox.objects.filter(match=match, consumer="tournaments")
    return list(told.order_by("id").values_list("kind", flat=True))


def refused(code: str):
    return pytest.raises(ReportRefused, check=lambda refusal: refusal.code == code)


def tried(work: Callable[[], object]) -> str:
    """Why it was refused; empty where it was not."""
    try:
        work()
    except ReportRefused as refusal:
        return refusal.code
    return ""
