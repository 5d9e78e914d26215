"""How a match ended, as people say it: one side reports, another confirms or says otherwise, an organiser rules.

Every version is kept; one of a match is confirmed at the most, by a constraint of the database. All verbs lock the
match, and all may be called twice.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from matches.core.agreement import ReportedScore, why_not_score
from matches.core.lifecycle import OF_PEOPLE, MatchStatus
from matches.models import Match, ReportKind, ReportStatus, ScoreReport, User
from matches.services.decide import decide

LONGEST_REASON = 300


class ReportRefused(Exception):
    """`code` is stable; the text says what to do."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def sides_of(match: Match, user: User) -> frozenset[int]:
    """The sides for which a user speaks: he owns a player at one of their seats."""
    return frozenset(match.seats.filter(agent__player__owner=user).values_list("side", flat=True))


@transaction.atomic
def report(match_id: int, by: User, score: ReportedScore, reason: str = "") -> ScoreReport:
    """A side says how the match ended; returns the version that says so.

    The same as another side has reported confirms that one; something else makes the match disputed. Until another side
    has spoken a side may correct itself. Raises ReportRefused.
    """
    match = _lock(match_id)
    side = _side_of(match, by)
    if (confirmed := _confirmed(match)) and confirmed.score.agrees_with(score):
        return confirmed
    _check_open(match)
    _check_score(match, score)
    standing = _open_reports(match)
    own = next((one for one in standing if one.side == side), None)
    if own is not None and own.score.agrees_with(score):
        return own
    same = next((one for one in standing if one.side != side and one.score.agrees_with(score)), None)
    if same is not None:
        return _confirm(match, same, by)
    if match.status == MatchStatus.DISPUTED:
        raise ReportRefused(
            "disputed", "Two versions of this match are reported already: confirm the other one, or let it be ruled."
        )
    if own is not None:
        _settle(own, ReportStatus.SUPERSEDED)
    version = _new_version(match, score, by, reason, kind=ReportKind.REPORT, side=side)
    _follow_reports(match)
    return version


@transaction.atomic
def confirm(match_id: int, version: int, by: User) -> ScoreReport:
    """A side agrees to what another one has reported: the match is decided. Raises ReportRefused."""
    match = _lock(match_id)
    side = _side_of(match, by)
    chosen = match.reports.filter(version=version).first()
    if chosen is None:
        raise ReportRefused("no_such_version", f"There is no version {version} of this match's score.")
    if chosen.status == ReportStatus.CONFIRMED:
        return chosen
    _check_open(match)
    if not chosen.is_open:
        raise ReportRefused("outdated", f"Version {version} does not stand any more: look what is reported now.")
    if chosen.side == side:
        raise ReportRefused("own_report", "Your own side has reported this: another side has to confirm it.")
    return _confirm(match, chosen, by)


@transaction.atomic
def withdraw_report(match_id: int, by: User) -> ScoreReport:
    """A side takes back what it has reported, while that is not confirmed. Raises ReportRefused."""
    match = _lock(match_id)
    side = _side_of(match, by)
    _check_open(match)
    own = next((one for one in _open_reports(match) if one.side == side), None)
    if own is None:
        raise ReportRefused("nothing_reported", "Your side has reported nothing that could be taken back.")
    _settle(own, ReportStatus.WITHDRAWN)
    _follow_reports(match)
    return own


@transaction.atomic
def rule(
    match_id: int, by: User | None, score: ReportedScore, reason: str = "", *, is_correction: bool = False
) -> ScoreReport:
    """An organiser says how a match ended: a first entry, a dispute's end, a forfeit.

    Of any match that is not void, those of programs included: a lane that plays it loses its lease. What is confirmed
    already is not confirmed again. Something else than what was decided is a correction, and is ruled only as one: a
    competition looks after what follows from it. Whether `by` may rule is for the caller to ask. Raises ReportRefused,
    for a missing reason too where somebody is overruled.
    """
    match = _lock(match_id)
    confirmed = _confirmed(match)
    if confirmed and confirmed.score == score:
        return confirmed
    if match.status == MatchStatus.VOID:
        raise ReportRefused("void", "This match is void: nothing can be ruled about it any more.")
    if match.status == MatchStatus.FINISHED and not is_correction:
        raise ReportRefused("decided", "This match is decided: its result is corrected where its competition is run.")
    _check_score(match, score)
    _check_reason(match, score, reason)
    if confirmed:
        _settle(confirmed, ReportStatus.SUPERSEDED)
    _answer_reports(match, score)
    ruling = _new_version(match, score, by, reason, kind=ReportKind.RULING, status=ReportStatus.CONFIRMED)
    decide(match, ruling)
    return ruling


def _lock(match_id: int) -> Match:
    return Match.objects.select_for_update().get(pk=match_id)


def _side_of(match: Match, by: User) -> int:
    sides = sides_of(match, by)
    if not sides:
        raise ReportRefused("not_yours", "Only those who play this match report how it ended.")
    if len(sides) > 1:
        raise ReportRefused(
            "both_sides", "You have players on several sides of this match: an organiser enters how it ended."
        )
    return min(sides)


def _check_open(match: Match) -> None:
    """Raises ReportRefused unless sides may report."""
    if match.status in OF_PEOPLE:
        return
    if not match.is_reported:
        raise ReportRefused("played_here", "This match is played here, card by card: nobody has to report it.")
    if match.status == MatchStatus.HELD:
        raise ReportRefused("held", "The organiser has stopped this match before its beginning.")
    if match.status == MatchStatus.VOID:
        raise ReportRefused("void", "This match is void.")
    raise ReportRefused("over", "This match is decided: only an organiser can correct its score.")


def _check_score(match: Match, score: ReportedScore) -> None:
    if why := why_not_score(score, match.terms):
        raise ReportRefused("bad_score", why)


def _check_reason(match: Match, score: ReportedScore, reason: str) -> None:
    """A first entry speaks for itself; whoever is overruled, or lost without playing, is told why."""
    overrules = match.status not in (MatchStatus.AWAITED, MatchStatus.REPORTED) or not match.is_reported
    differs = any(not one.score.agrees_with(score) for one in _open_reports(match))
    if (overrules or differs or score.absent) and not reason.strip():
        raise ReportRefused("reason_missing", "Say why it is ruled so: the page of the match shows it.")


def _confirmed(match: Match) -> ScoreReport | None:
    return match.reports.filter(status=ReportStatus.CONFIRMED).first()


def _open_reports(match: Match) -> list[ScoreReport]:
    return list(match.reports.filter(status=ReportStatus.REPORTED).order_by("version"))


def _new_version(match: Match, score: ReportedScore, by: User | None, reason: str, **columns: object) -> ScoreReport:
    newest = match.reports.aggregate(newest=Max("version"))["newest"] or 0
    is_settled = columns.get("status", ReportStatus.REPORTED) != ReportStatus.REPORTED
    return ScoreReport.objects.create(
        match=match,
        version=newest + 1,
        points=list(score.points),
        parties=None if score.parties is None else list(score.parties),
        absent=sorted(score.absent),
        submitter=by,
        confirmed_by=by if is_settled else None,
        reason=reason.strip()[:LONGEST_REASON],
        settled_at=timezone.now() if is_settled else None,
        **columns,
    )


def _settle(version: ScoreReport, status: ReportStatus, by: User | None = None) -> None:
    version.status, version.settled_at = status, timezone.now()
    if status == ReportStatus.CONFIRMED:
        version.confirmed_by = by
    version.save(update_fields=["status", "settled_at", "confirmed_by"])


def _confirm(match: Match, version: ScoreReport, by: User) -> ScoreReport:
    """Makes a side's report the result; what other sides have reported was not so."""
    for other in _open_reports(match):
        if other.pk != version.pk:
            _settle(other, ReportStatus.REJECTED)
    _settle(version, ReportStatus.CONFIRMED, by)
    decide(match, version)
    return version


def _answer_reports(match: Match, score: ReportedScore) -> None:
    """A ruling stands in the place of the reports that say the same, and rejects the others."""
    for one in _open_reports(match):
        _settle(one, ReportStatus.SUPERSEDED if one.score.agrees_with(score) else ReportStatus.REJECTED)


def _follow_reports(match: Match) -> None:
    """A match's state follows from how many versions stand: none, one, or more."""
    states = (MatchStatus.AWAITED, MatchStatus.REPORTED, MatchStatus.DISPUTED)
    match.status = states[min(len(_open_reports(match)), 2)]
    Match.objects.filter(pk=match.pk).update(status=match.status)
