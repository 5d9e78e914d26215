"""Challenges: one's own and those that wait for one's answer, making one, and the page of each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from bots_api.challenges.errors import ChallengeRefused
from bots_api.challenges.reading import challenges_of, is_among_one_owners, waits_for
from bots_api.challenges.services import accept, cancel, decline
from bots_api.models import Challenge, ChallengeSeat, ChallengeStatus
from bots_api.web.answers import line_of
from bots_api.web.challenge_form import ChallengeForm, own_versions
from matches.core.lifecycle import OVER, MatchStatus
from matches.core.plan import Length, match_overrides
from matches.models import Agent, Match, User
from matches.rulebook.sheet import RulesSheet, rules_sheet
from matches.web.limits import made_within_limit, tells_limits
from matches.web.polling import HtmxRequest, last_answer
from matches.web.wording import MATCH_STATUS, control_words, known_rules, plan_words, rules_words

SHOWN_A_PAGE = 30
LONGEST_REASON = 200


@dataclass(frozen=True, slots=True)
class Seat:
    """Who is to sit there. `page`: the id of its player."""

    player: str
    name: str
    label: str
    owner: str
    answer: str
    answer_words: str


@dataclass(frozen=True, slots=True)
class ChallengeLine:
    """A challenge in a list. `waits`: it wants the reader's own answer. `is_on`: its match is not over."""

    public_id: str
    challenger: str
    others: str
    rules_words: str
    status: str
    status_words: str
    waits: bool
    made_at: datetime
    match_id: str
    match_words: str
    is_on: bool


@dataclass(frozen=True, slots=True)
class ChallengePage:
    """`asked`: the reader's versions that have not answered. `among_one`: programs of one owner meet, who is named."""

    line: ChallengeLine
    seats: tuple[Seat, ...]
    rules: str
    sheet: RulesSheet | None
    plan: str
    control: str
    strict: bool
    rated: bool
    reason: str
    among_one: str
    asked: tuple[Agent, ...]
    is_own: bool
    match_sentence: str
    expires_at: datetime

    @property
    def is_open(self) -> bool:
        return self.line.status == ChallengeStatus.OFFERED

    @property
    def is_live(self) -> bool:
        """Whether something is still to come of it, so that the page looks again."""
        return self.is_open or self.line.is_on


@login_required
@require_safe
def challenges(request: HttpRequest) -> HttpResponse:
    """The reader's own and those that ask him, newest first. Nobody sees other people's."""
    user = cast(User, request.user)
    shown = Paginator(challenges_of(user), SHOWN_A_PAGE).get_page(request.GET.get("page"))
    lines = [_line(one, user) for one in shown]
    context = {"lines": lines, "page": shown, "can_challenge": own_versions(user).exists()}
    return render(request, "bots_api/challenges.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@tells_limits
def new(request: HttpRequest) -> HttpResponse:
    """Challenges with a program of the reader's; it is played at once if nobody has to be asked."""
    user = cast(User, request.user)
    if not own_versions(user).exists():
        return render(request, "bots_api/challenge_form.html", {"form": None})
    form = ChallengeForm(request.POST if request.method == "POST" else None, owner=user, initial=_wished(request))
    if form.is_valid() and (made := made_within_limit(request, "challenges", lambda: form.offer(user))):
        return redirect(made)
    if not form.is_bound and (told := form.why_not_wished()):
        messages.warning(request, told)
    return render(request, "bots_api/challenge_form.html", {"form": form})


def _wished(request: HttpRequest) -> dict[str, str]:
    """What a link of another page has chosen already."""
    wished = {"challenger": request.GET.get("challenger", ""), "seat_2": request.GET.get("opponent", "")}
    return {name: value for name, value in wished.items() if value}


@login_required
@require_safe
def challenge(request: HtmxRequest, challenge_id: str) -> HttpResponse:
    """Who meets whom, under which rules, and what everybody asked has said; for those who take part in it.

    Asks again by itself while an answer or the end of the match is to come.
    """
    shown = _page(_found(request, challenge_id), cast(User, request.user))
    response = render(request, "bots_api/challenge.html", {"challenge": shown})
    return last_answer(response, reload=True) if request.htmx and not shown.is_live else response


def _found(request: HttpRequest, challenge_id: str) -> Challenge:
    """Raises Http404 for a challenge that the reader has no part in."""
    return get_object_or_404(challenges_of(cast(User, request.user)), public_id=challenge_id)


@login_required
@require_POST
def answer(request: HttpRequest, challenge_id: str) -> HttpResponse:
    """Accepts or declines for all of the reader's versions that were asked."""
    user, found = cast(User, request.user), _found(request, challenge_id)
    reason = line_of(request.POST, "reason", LONGEST_REASON)
    with told(request):
        for agent in waits_for(found, user):
            if request.POST.get("answer") == "accept":
                accept(found, agent, user)
            else:
                decline(found, agent, user, reason)
    return redirect(found)


@login_required
@require_POST
def take_back(request: HttpRequest, challenge_id: str) -> HttpResponse:
    """Takes one's own challenge back."""
    found = _found(request, challenge_id)
    with told(request):
        cancel(found, cast(User, request.user))
    return redirect(found)


@contextmanager
def told(request: HttpRequest) -> Iterator[None]:
    """What is refused meanwhile is told on the next page."""
    try:
        yield
    except ChallengeRefused as refusal:
        messages.error(request, str(refusal))


def _line(row: Challenge, user: User) -> ChallengeLine:
    seats = list(row.seats.all())
    match = row.match
    return ChallengeLine(
        public_id=row.public_id,
        challenger=_named(seats[:1]),
        others=_named(seats[1:]),
        rules_words=rules_words(row.rules),
        status=row.status,
        status_words=str(row.get_status_display()),
        waits=bool(waits_for(row, user)),
        made_at=row.created_at,
        match_id=match.public_id if match else "",
        match_words=_match_words(match),
        is_on=match is not None and match.status not in OVER,
    )


def _match_sentence(match: Match | None) -> str:
    """What stands where somebody looks for what came of it."""
    told = {
        MatchStatus.READY: _("It waits for its turn and begins by itself."),
        MatchStatus.RUNNING: _("It is being played."),
        MatchStatus.FINISHED: _("It is over: see who won, and every card."),
    }
    return told.get(MatchStatus(match.status)) or _match_words(match).capitalize() if match else ""


def _match_words(match: Match | None) -> str:
    return str(MATCH_STATUS[match.status]) if match else ""  # type: ignore[index]


def _named(seats: list[ChallengeSeat]) -> str:
    return ", ".join(dict.fromkeys(str(seat.agent) for seat in seats))


def _page(row: Challenge, user: User) -> ChallengePage:
    seats = list(row.seats.all())
    deals = row.deals if row.length == Length.BOARDS else None
    rules = known_rules(row.rules, match_overrides(row.overrides, deals))
    return ChallengePage(
        line=_line(row, user),
        seats=tuple(_seat(seat) for seat in seats),
        rules=row.rules,
        sheet=rules_sheet(rules, on_boards=row.length == Length.BOARDS) if rules else None,
        plan=plan_words(row.boards, rules, Length(row.length)),
        control=control_words(row.control),
        strict=row.strict,
        rated=row.rated,
        reason=row.reason,
        among_one=row.made_by.username if is_among_one_owners(row) else "",
        asked=tuple(waits_for(row, user)),
        is_own=row.made_by_id == user.pk,
        match_sentence=_match_sentence(row.match),
        expires_at=row.expires_at,
    )


def _seat(seat: ChallengeSeat) -> Seat:
    player = seat.agent.player
    return Seat(
        player=player.public_id,
        name=player.name,
        label=seat.agent.label,
        owner=player.owner.username if player.owner else _("the house"),
        answer=seat.answer,
        answer_words=str(seat.get_answer_display()),
    )
