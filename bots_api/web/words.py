"""The words of a program's owner for what rows hold as codes."""

from __future__ import annotations

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
REASONS = {
    Reason.PLAYING: gettext_lazy("Something is being played."),
    Reason.NOT_ACTIVE: gettext_lazy("Only an active version plays."),
    Reason.DRAINING: gettext_lazy("It takes no new matches."),
    Reason.NOT_CONNECTED: gettext_lazy("It is not connected."),
    Reason.NONE_DUE: gettext_lazy("Enter a tournament, or challenge somebody."),
    Reason.HELD_BY_ORGANISER: gettext_lazy("The organiser holds what there is."),
    Reason.OPPONENT_NOT_READY: gettext_lazy("The opponent is not there; after ten minutes it is played all the same."),
}
"""Why nothing plays, but for standing in the queue."""
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


def queue_words(waiting: Waiting) -> str:
    """How many matches are due, where the first of them stands, and why nothing plays."""
    due = ngettext("%(count)s match is due", "%(count)s matches are due", waiting.due) % {"count": waiting.due}
    if not waiting.due:
        due = _("Nothing is due")
    if waiting.reason == Reason.QUEUED and not waiting.ahead:
        return _("%(due)s: a worker takes it next.") % {"due": due}
    if waiting.reason == Reason.QUEUED:
        ahead = ngettext("%(count)s match stands before", "%(count)s matches stand before", waiting.ahead)
        return f"{due}; {ahead % {'count': waiting.ahead}}."
    return _("%(due)s. %(reason)s") % {"due": due, "reason": REASONS[Reason(waiting.reason)]}
