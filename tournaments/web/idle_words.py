"""Why nothing is being played, in sentences: for everybody, and for the organiser, who can do something about it."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.web.idle import Idle, Tally, Waits
from tournaments.web.wording import duration_words

TABLES_NAMED = 6


def idle_sentence(reason: Idle, tally: Tally, auto_publish: bool, waits: Waits | None = None) -> str:
    """One clear sentence: why nothing is being played."""
    if reason is Idle.FINISHED and auto_publish:
        return _("Every match is decided; the standings are about to be published.")
    return (_of_people(waits or Waits()) | _of_matches(tally))[reason]


def _of_matches(tally: Tally) -> dict[Idle, str]:
    held = ngettext("%(count)s match waits", "%(count)s matches wait", tally.held) % {"count": tally.held}
    due = ngettext("%(count)s match is due", "%(count)s matches are due", tally.due) % {"count": tally.due}
    stalled = ngettext(
        "The one match that is left has stalled; the organiser must look at it.",
        "The %(count)s matches that are left have stalled; the organiser must look at them.",
        tally.stalled,
    ) % {"count": tally.stalled}
    return {
        Idle.DRAFT: _("A draft: only its organiser sees it, and it has not started."),
        Idle.REGISTRATION: _("Entries are being taken; play begins when the organiser starts it."),
        Idle.PAUSED: _paused(held, due, tally),
        Idle.FINISHED: _("Every match is decided; the organiser has not published the standings yet."),
        Idle.PUBLISHED: _("Over: every match is decided and the standings are final."),
        Idle.CANCELLED: _("Cancelled by the organiser; matches that were not decided are void."),
        Idle.STALLED: stalled,
        Idle.HELD: _("The organiser holds what is left: %(held)s to be released.") % {"held": held},
        Idle.NO_WORKER: _("%(due)s, but no worker has looked for %(waited)s.")
        % {"due": due, "waited": duration_words(tally.waited_seconds)},
        Idle.STARTING: _("The next matches are about to begin."),
        Idle.CLOSING: _("The last match is over; the standings are being closed."),
    }


def _of_people(waits: Waits) -> dict[Idle, str]:
    """What waits for somebody: those who play, or the organiser."""
    number = {"round": waits.round}
    checked_in = {"there": waits.checked_in, "entries": waits.entries}
    return {
        Idle.CHECK_IN: _("Check-in: %(there)s of %(entries)s are here; who is not when play starts is not drawn.")
        % checked_in,
        Idle.AWAITED: ngettext(
            "The result of table %(tables)s is awaited.",
            "The results of tables %(tables)s are awaited.",
            len(waits.awaited),
        )
        % {"tables": _named(waits.awaited)},
        Idle.UNCONFIRMED: ngettext(
            "Table %(tables)s has reported a result; another side has to confirm it.",
            "Tables %(tables)s have reported results; other sides have to confirm them.",
            len(waits.reported),
        )
        % {"tables": _named(waits.reported)},
        Idle.DISPUTED: ngettext(
            "The result of table %(tables)s is disputed; the organiser has to rule on it.",
            "The results of tables %(tables)s are disputed; the organiser has to rule on them.",
            len(waits.disputed),
        )
        % {"tables": _named(waits.disputed)},
        Idle.UNRELEASED: _("Round %(round)s is drawn; the organiser has not released it yet.") % number,
        Idle.UNDRAWN: _("Every table is decided; the organiser has not drawn round %(round)s yet.") % number,
        Idle.STUCK: _("Round %(round)s cannot go on by itself; the organiser has to decide how it does.") % number,
        Idle.NO_DRAW: _("Round %(round)s could not be drawn; the organiser has to decide how it goes on.") % number,
    }


def _named(tables: Sequence[str]) -> str:
    """“1, 2, 5”, and of very many how many more there are."""
    told = ", ".join(tables[:TABLES_NAMED])
    more = len(tables) - TABLES_NAMED
    return told if more <= 0 else _("%(tables)s and %(count)s more") % {"tables": told, "count": more}


def _paused(held: str, due: str, tally: Tally) -> str:
    """A pause stops what has not begun; a match that has begun goes on when a worker takes it."""
    if tally.due:
        return _("Paused by the organiser: %(held)s until it is resumed; %(due)s and will be played to the end.") % {
            "held": held,
            "due": due,
        }
    return _("Paused by the organiser: %(held)s until it is resumed.") % {"held": held}
