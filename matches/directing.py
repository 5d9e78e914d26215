"""Who may rule how a match ended: by a right of the desk, or because its competition is run by him."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.utils.module_loading import import_string

from matches.core.agreement import ReportedScore
from matches.models import Match, ScoreReport, User
from matches.services.reports import ReportRefused, rule

MAY_RULE = "matches.change_match"


@dataclass(frozen=True, slots=True)
class RulingTerms:
    """What a competition says of rulings in a match of its own.

    `correct_at`: the address at which a decided result is corrected, with all that follows from it; `why_not`: why
    nothing is ruled yet, empty if it can be.
    """

    correct_at: str
    why_not: str = ""


def ruling_terms(match: Match) -> RulingTerms | None:
    """As the match's competition has them, whose room the setting MATCH_RULINGS names; None of a match of none.

    One query at the most.
    """
    return import_string(settings.MATCH_RULINGS)(match) if settings.MATCH_RULINGS else None


def enter_ruling(match: Match, by: User, score: ReportedScore, reason: str) -> ScoreReport:
    """Rules in the match as far as its competition allows that from its own page; raises ReportRefused.

    Whether `by` may rule is for the caller to ask.
    """
    terms = ruling_terms(match)
    if terms and terms.why_not:
        raise ReportRefused("not_released", terms.why_not)
    return rule(match.pk, by, score, reason, is_correction=terms is None)


def may_rule(user: User | AnonymousUser, match: Match) -> bool:
    """Whether a user rules in this match. The setting MATCH_DIRECTORS names another room's function that says so too.

    One query at the least for whoever is logged in.
    """
    if not user.is_authenticated:
        return False
    if user.has_perm(MAY_RULE):
        return True
    return bool(settings.MATCH_DIRECTORS) and bool(import_string(settings.MATCH_DIRECTORS)(user, match))
