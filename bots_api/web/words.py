"""The words of a program's owner for what rows hold as codes."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone
from django.utils.dateformat import format as date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from bots_api.conformance.cases import CASES
from bots_api.stats import Reason, Waiting
from matches.core.faults import Cause
from matches.permissions import Scope
from matches.web.wording import cause_words

OUTCOMES = {
    "ok": gettext_lazy("answered"),
    "dropped": gettext_lazy("was not sent: the game had gone on"),
    "illegal_action": gettext_lazy("answered with an illegal action"),
    "http_401": gettext_lazy("refused the request"),
    "http_403": gettext_lazy("refused the request"),
    "http_410": gettext_lazy("said that it is gone"),
    "http_429": gettext_lazy("asked for patience"),
}
SCOPES = {
    Scope.BOT_WRITE: gettext_lazy("register programs and versions, change, qualify, drain and retire them"),
    Scope.COMP_ENTER: gettext_lazy("enter my programs in tournaments, check them in and take them out"),
    Scope.CHALLENGE_CREATE: gettext_lazy("challenge other programs, and answer challenges"),
    Scope.LOGS_READ: gettext_lazy("read what was sent to my programs and what they answered"),
    Scope.COMP_ADMIN: gettext_lazy("draw up and run my tournaments, and keep my webhooks"),
}
"""What a token of an account may do. To play takes a token of the version's own, from its page."""


def outcome_words(code: str) -> str:
    """What came of a message."""
    if code in OUTCOMES:
        return str(OUTCOMES[code])
    return cause_words(Cause.HTTP_ERROR if code.startswith("http_") else code)


def case_words(code: str) -> tuple[str, str]:
    """A case's title, and what it is for; of one that is not put any more its code alone."""
    case = next((one for one in CASES if one.code == code), None)
    return (str(case.title), str(case.why)) if case else (code, "")


def waiting_words(waiting: Waiting) -> str:
    """Why nothing plays of a version that could; what it is told to do next begins with it."""
    due = _due_words(waiting)
    told = {
        Reason.QUEUED: _("%(queue)s.") % {"queue": _queue(waiting)}
        if waiting.ahead
        else _("%(due)s: a worker takes it next.") % {"due": due},
        Reason.NO_WORKER: ngettext(
            "%(due)s, but no worker has taken a match for %(count)s minute: whoever runs the site has to look.",
            "%(due)s, but no worker has taken a match for %(count)s minutes: whoever runs the site has to look.",
            waiting.idle_minutes,
        )
        % {"due": due, "count": waiting.idle_minutes},
        Reason.OPPONENT_NOT_READY: _("%(due)s, but the opponent is not there: it waits ten minutes at most.")
        % {"due": due},
        Reason.HELD_BY_ORGANISER: _("Nothing is due: the organiser holds what there is."),
        Reason.LATER: _("Its next match is due at %(when)s.") % {"when": moment_words(waiting.next_at)},
    }
    return told.get(Reason(waiting.reason), "") or _("It plays as soon as it has a match: nothing is due.")


def queue_words(waiting: Waiting) -> str:
    """How many matches are due, and where the first of them stands; empty without any."""
    return f"{_queue(waiting)}." if waiting.due else ""


def moment_words(at: datetime | None) -> str:
    return date_format(timezone.localtime(at), "j M, H:i") if at else ""


def _queue(waiting: Waiting) -> str:
    ahead = ngettext("%(count)s stands before it", "%(count)s stand before it", waiting.ahead)
    due = _due_words(waiting)
    return f"{due}; {ahead % {'count': waiting.ahead}}" if waiting.ahead else due


def _due_words(waiting: Waiting) -> str:
    return ngettext("%(count)s match is due", "%(count)s matches are due", waiting.due) % {"count": waiting.due}
