"""The page of all tournaments."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.web.lists import STATES, all_tournaments, yours_of


@require_safe
def tournaments(request: HttpRequest) -> HttpResponse:
    """All that the reader may see, newest first; `?state=` and `?q=` narrow it down, his own stand above."""
    state, search = request.GET.get("state", ""), request.GET.get("q", "").strip()[:60]
    page = all_tournaments(request.user, state, search, request.GET.get("page", "1"))
    offered = [code for code in STATES if code != "drafts" or request.user.is_authenticated]
    context = {
        "cards": page,
        "states": [(code, STATES[code][0]) for code in offered],
        "state": state if state in STATES else "",
        "search": search,
        "yours": yours_of(request.user) if page.number == 1 and not (state or search) else None,
    }
    return render(request, "tournaments/list.html", context)
