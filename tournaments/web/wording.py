"""The words of the tournament pages for what rows and folds hold as codes and quarters."""

from __future__ import annotations

from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.formats.lifecycle import Audience, EntryStatus, RoundStatus, Seeding, StageStatus, TournamentStatus
from tournaments.formats.meetings import Kind
from tournaments.standings.criteria import POINTS
from tournaments.standings.table import Cell
from tournaments.standings.values import format_value
from tournaments.web.criteria_words import CRITERIA

STATUS = {
    TournamentStatus.DRAFT: gettext_lazy("draft"),
    TournamentStatus.REGISTRATION: gettext_lazy("registration"),
    TournamentStatus.CHECK_IN: gettext_lazy("check-in"),
    TournamentStatus.RUNNING: gettext_lazy("running"),
    TournamentStatus.PAUSED: gettext_lazy("paused"),
    TournamentStatus.FINISHED: gettext_lazy("finished"),
    TournamentStatus.PUBLISHED: gettext_lazy("final"),
    TournamentStatus.CANCELLED: gettext_lazy("cancelled"),
}
ENTRY_STATUS = {
    EntryStatus.ACTIVE: gettext_lazy("plays"),
    EntryStatus.WITHDRAWN: gettext_lazy("withdrawn"),
    EntryStatus.NO_SHOW: gettext_lazy("did not come"),
    EntryStatus.EXPELLED: gettext_lazy("expelled"),
}
STAGE_STATUS = {
    StageStatus.PLANNED: gettext_lazy("to come"),
    StageStatus.RUNNING: gettext_lazy("running"),
    StageStatus.FINISHED: gettext_lazy("over"),
}
ROUND_STATUS = {
    RoundStatus.PROPOSED: gettext_lazy("proposed"),
    RoundStatus.CHANGING: gettext_lazy("being changed by hand"),
    RoundStatus.CONFIRMED: gettext_lazy("confirmed, not released"),
    RoundStatus.RELEASED: gettext_lazy("being played"),
    RoundStatus.CLOSED: gettext_lazy("over"),
    RoundStatus.WITHDRAWN: gettext_lazy("taken back"),
}
AUDIENCE = {
    Audience.HIDDEN: gettext_lazy("the organiser alone"),
    Audience.PARTICIPANTS: gettext_lazy("those who take part"),
    Audience.PUBLIC: gettext_lazy("everybody"),
}
SEEDING = {
    Seeding.ENTERED: gettext_lazy("as entered, or by hand"),
    Seeding.RATING: gettext_lazy("by rating"),
    Seeding.EARLIER: gettext_lazy("as they stood in the stage before"),
    Seeding.LOT: gettext_lazy("by lot"),
}
BYE = {
    Kind.BYE: gettext_lazy("bye, full points"),
    Kind.HALF_BYE: gettext_lazy("bye, half points"),
    Kind.ZERO_BYE: gettext_lazy("sits out"),
}
PART = {
    "main": gettext_lazy("Main bracket"),
    "winners": gettext_lazy("Winners' bracket"),
    "losers": gettext_lazy("Losers' bracket"),
    "third": gettext_lazy("Third place"),
    "final": gettext_lazy("Final"),
    "reset": gettext_lazy("Second final"),
    "ladder": gettext_lazy("Ladder"),
}
_PARTS = ("", "¼", "½", "¾")


def quarter_points(quarters: int) -> str:
    """Match points as they are written: 12 → 3, 6 → 1½, 9 → 2¼, 3 → ¾."""
    whole, part = divmod(quarters, 4)
    return (str(whole) if whole or not part else "") + _PARTS[part]


def points_words(quarters: int) -> str:
    """The same for what may be less than nothing, as stakes are."""
    return quarter_points(quarters) if quarters >= 0 else f"−{quarter_points(-quarters)}"


def places(place: int, sharing: int) -> str:
    """The place, or the places that those who share it fill: 3, 3–4."""
    return str(place) if sharing == 1 else f"{place}–{place + sharing - 1}"


def place_taken_words(place: int) -> str:
    """What a column counts: how often somebody came in at a place, alone or with others."""
    return {
        1: _("How often first at the table"),
        2: _("How often second at the table"),
        3: _("How often third at the table"),
        4: _("How often fourth at the table"),
    }[place]


def criterion_value(criterion: str, value: int) -> str:
    """The value of a criterion as it is read."""
    return format_value(criterion, value)


def trail_sentence(step: Cell) -> str:
    """One step of a tie-break's trail: what the criterion saw and whom it separated."""
    name = CRITERIA[step.criterion].title
    if step.value is None:
        return _("%(name)s: silent, not all of the tied have met.") % {"name": name}
    seen = f"{name}: {criterion_value(step.criterion, step.value)}."
    return f"{seen} {_what_it_did(step)}"


def _what_it_did(step: Cell) -> str:
    others_before, others_after = step.tied_before - 1, step.tied_after - 1
    if others_after and step.criterion == POINTS:
        return ngettext("%(count)s other has as many.", "%(count)s others have as many.", others_after) % {
            "count": others_after
        }
    if others_after == 0:
        return _("Alone: the place is decided.")
    if step.tied_before == step.tied_after:
        return ngettext("Still level with %(count)s other.", "Still level with %(count)s others.", others_after) % {
            "count": others_after
        }
    return ngettext(
        "Of %(before)s others level before, %(count)s is still level.",
        "Of %(before)s others level before, %(count)s are still level.",
        others_after,
    ) % {"before": others_before, "count": others_after}


def duration_words(seconds: int) -> str:
    """Rounded to what a reader can use: seconds, minutes, hours."""
    if seconds < 60:
        return ngettext("%(count)s second", "%(count)s seconds", seconds) % {"count": seconds}
    if seconds < 3600:
        minutes = round(seconds / 60)
        return ngettext("%(count)s minute", "%(count)s minutes", minutes) % {"count": minutes}
    hours = round(seconds / 3600)
    return ngettext("%(count)s hour", "%(count)s hours", hours) % {"count": hours}


def time_left_words(left: timedelta | None) -> str:
    """“about 3 minutes”; empty when nothing can be said."""
    if left is None:
        return ""
    seconds = int(left.total_seconds())
    if seconds < 60:
        return _("less than a minute")
    return _("about %(duration)s") % {"duration": duration_words(seconds)}
