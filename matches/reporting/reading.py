"""What the page of a match shows of its reports: what was said, by whom, what follows, and what the reader may do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _

from matches.core.lifecycle import OF_PEOPLE, MatchStatus
from matches.directing import may_rule, ruling_terms
from matches.models import Match, ReportKind, ReportStatus, ScoreReport, User
from matches.reporting.forms import ScoreForm
from matches.web.wording import known_rules, score_words


@dataclass(frozen=True, slots=True)
class Version:
    """One version of the score. `whose`: a side's name, or the organiser; `confirmed_by`: the other side's."""

    number: int
    side: int | None
    whose: str
    score: str
    parties: str
    absent: str
    state: str
    state_words: str
    reason: str
    confirmed_by: str
    when: datetime


@dataclass(frozen=True, slots=True)
class Reporting:
    """`told`: how the match stands, in words. `to_confirm`: what other sides have reported and the reader may confirm;

    `own`: what his side has reported. `form`, `ruling`: none where he may not. `correct_at`: where an organiser
    corrects what is decided, if not here.
    """

    told: str
    versions: tuple[Version, ...]
    to_confirm: tuple[Version, ...]
    own: Version | None
    form: ScoreForm | None
    ruling: ScoreForm | None
    correct_at: str
    asks_login: bool


def reporting_of(
    match: Match,
    names: Sequence[str],
    reader: User | AnonymousUser,
    form: ScoreForm | None = None,
    ruling: ScoreForm | None = None,
) -> Reporting | None:
    """Of a match as `read_match` gives it; None where nobody has reported and the reader has nothing to say.

    `names`: the sides'. `form`, `ruling`: what was typed and refused, to be shown again.
    """
    rules_here = match.status != MatchStatus.VOID and may_rule(reader, match)
    reports = sorted(match.reports.all(), key=lambda report: report.version)
    if not (match.is_reported or reports or rules_here) or known_rules(match.rules, match.overrides) is None:
        return None  # by rules that the engine has forgotten nobody could say what a score means
    terms = ruling_terms(match) if rules_here else None
    is_ruled_here = rules_here and not (terms and (terms.why_not or match.status == MatchStatus.FINISHED))
    versions = tuple(_version(match, report, names) for report in reports)
    sides = _sides_of(match, reader)
    side = min(sides) if len(sides) == 1 and match.status in OF_PEOPLE else None
    standing = [one for one in versions if one.state == ReportStatus.REPORTED]
    speaks = side is not None and match.status != MatchStatus.DISPUTED
    return Reporting(
        told=_told(match, versions, sides),
        versions=versions,
        to_confirm=tuple(one for one in standing if side is not None and one.side != side),
        own=next((one for one in standing if side is not None and one.side == side), None),
        form=(form or ScoreForm(match.terms, names)) if speaks else None,
        ruling=(ruling or _ruling_form(match, reports, names)) if is_ruled_here else None,
        correct_at=terms.correct_at if terms and match.status == MatchStatus.FINISHED else "",
        asks_login=match.status in OF_PEOPLE and not reader.is_authenticated,
    )


def _ruling_form(match: Match, reports: Sequence[ScoreReport], names: Sequence[str]) -> ScoreForm:
    """It begins with what is decided, or with what is reported if nobody says otherwise."""
    told = [one for one in reports if one.status == ReportStatus.CONFIRMED] or [one for one in reports if one.is_open]
    return ScoreForm(match.terms, names, prefix="rule", told=told[0].score if len(told) == 1 else None)


def _sides_of(match: Match, reader: User | AnonymousUser) -> frozenset[int]:
    if reader.pk is None:
        return frozenset()
    return frozenset(seat.side for seat in match.seats.all() if seat.agent.player.owner_id == reader.pk)


def _version(match: Match, report: ScoreReport, names: Sequence[str]) -> Version:
    score = report.score
    return Version(
        number=report.version,
        side=report.side,
        whose=names[report.side] if report.side is not None else _("the organiser"),
        score=score_words(score, names, match.unit),
        parties="" if score.parties is None else " : ".join(map(str, score.parties)),
        absent=", ".join(names[side] for side in sorted(score.absent)),
        state=report.status,
        state_words=str(report.get_status_display()),
        reason=report.reason,
        confirmed_by=_confirmer(match, report, names),
        when=report.created_at,
    )


def _confirmer(match: Match, report: ScoreReport, names: Sequence[str]) -> str:
    if report.kind == ReportKind.RULING or report.confirmed_by_id is None:
        return ""
    sides = {seat.side for seat in match.seats.all() if seat.agent.player.owner_id == report.confirmed_by_id}
    return ", ".join(names[side] for side in sorted(sides))


def _told(match: Match, versions: Sequence[Version], sides: frozenset[int]) -> str:
    """How the match stands and what it waits for."""
    standing = [one for one in versions if one.state == ReportStatus.REPORTED]
    match MatchStatus(match.status):
        case MatchStatus.AWAITED if len(sides) > 1:
            return _("Nobody has said yet how it ended. You have players on several sides: an organiser enters it.")
        case MatchStatus.AWAITED if sides:
            return _("Nobody has said yet how it ended. You play in this match: report the score.")
        case MatchStatus.AWAITED:
            return _("Nobody has said yet how it ended. Those who play it report the score.")
        case MatchStatus.REPORTED:
            values = {"side": standing[0].whose, "score": standing[0].score}
            if not _others_with_accounts(match, standing[0].side):
                return (
                    _("%(side)s reported %(score)s. Nobody else here has an account: the organiser enters it.") % values
                )
            return _("%(side)s reported %(score)s. It counts as soon as another side confirms it.") % values
        case MatchStatus.DISPUTED:
            return _("The sides report different scores. The organiser rules, unless one of them confirms the other's.")
        case MatchStatus.HELD if match.is_reported:
            return _("The organiser has not let this match begin, or has stopped it: nothing can be reported.")
        case MatchStatus.FINISHED:
            return _told_of_the_end(versions)
    return ""


def _others_with_accounts(match: Match, side: int | None) -> bool:
    """Whether anybody is there who could confirm."""
    return any(seat.side != side and seat.agent.player.owner_id for seat in match.seats.all())


def _told_of_the_end(versions: Sequence[Version]) -> str:
    confirmed = next((one for one in versions if one.state == ReportStatus.CONFIRMED), None)
    if confirmed is None:
        return ""
    if confirmed.side is None:
        return _("%(score)s, by the organiser's word.") % {"score": confirmed.score}
    values = {"score": confirmed.score, "side": confirmed.whose, "other": confirmed.confirmed_by or _("another side")}
    return _("%(score)s: reported by %(side)s, confirmed by %(other)s.") % values
