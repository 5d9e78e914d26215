"""All cases, in the order in which they are put."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from bots_api.conformance import connecting, mailed, playing, talking
from bots_api.conformance.finding import Case

CASES: Final = (
    Case(
        "ping",
        _("Echoes a ping"),
        _("We ask with a challenge that nobody can guess: answer 200 and the same challenge."),
        talking.ping,
        of_calls=True,
        is_vital=True,
    ),
    Case(
        "decision",
        _("Answers a decision"),
        _('Answer 200 and {"action": …} with one of the actions in "legal", within the clock.'),
        playing.decision,
        is_vital=True,
    ),
    Case(
        "signature",
        _("Refuses what we did not sign"),
        _("Whoever finds the address can send to it: check the signature and the timestamp, and answer 401."),
        talking.signature,
        of_calls=True,
    ),
    Case(
        "duplicate",
        _("Takes a decision twice"),
        _("After a broken connection the same decision is sent again under the same id: answer it the same way."),
        talking.duplicate,
        of_calls=True,
        by_mail=mailed.duplicate,
    ),
    Case(
        "out_of_order",
        _("Takes decisions in any order"),
        _("Messages overtake each other and games mix: everything that you need stands in the decision itself."),
        talking.out_of_order,
        of_calls=True,
        by_mail=mailed.out_of_order,
    ),
    Case(
        "unknown_fields",
        _("Ignores fields that it does not know"),
        _("Fields may be added in version 1: read those that you need and leave the others aside."),
        talking.unknown_fields,
        of_calls=True,
        by_mail=mailed.unknown_fields,
    ),
    Case(
        "correction",
        _("Corrects an illegal action"),
        _('Once a game an illegal action is asked again, with "error" and "attempt": 2: answer a legal one.'),
        talking.correction,
        of_calls=True,
    ),
    Case(
        "notices",
        _("Takes notices"),
        _("game_start, deal_over and game_over want no action: answer any 2xx."),
        talking.notices,
        of_calls=True,
    ),
    Case(
        "keep_alive",
        _("Keeps its connection open"),
        _("HTTP/1.1 with Content-Length, and no Connection: close: each new connection costs time."),
        connecting.keep_alive,
        of_calls=True,
    ),
    Case(
        "slow_link",
        _("Bears a slow link"),
        _("A request may come in pieces: read as many bytes as Content-Length says before you answer."),
        connecting.slow_link,
        of_calls=True,
    ),
    Case(
        "nagle",
        _("Sends replies without delay"),
        _("A reply in two sends waits for an acknowledgement between them: set TCP_NODELAY, or send it in one."),
        connecting.nagle,
        of_calls=True,
    ),
    Case(
        "together",
        _("Plays 32 games at once"),
        _("Many matches are played side by side: serve requests at the same time, or each of them quickly."),
        playing.together,
    ),
    Case(
        "tables",
        _("Sits at every table"),
        _('Two, three, four players, pairs, Short: an answer from "legal" is right at each of them.'),
        playing.tables,
    ),
    Case(
        "self_play",
        _("Plays a party against itself"),
        _("Both seats of one party are this program's: its games must not be mixed up."),
        playing.self_play,
    ),
    Case(
        "house_random",
        _("Plays a party against house:random"),
        _("The house's random program does everything that the rules allow."),
        playing.house_random,
    ),
)


def case_of(code: str) -> Case:
    """Raises StopIteration for a code that no case has."""
    return next(case for case in CASES if case.code == code)
