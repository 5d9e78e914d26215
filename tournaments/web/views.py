"""The pages of a tournament."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from tournaments.web.reading import heading, visible_to


@require_safe
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """The standings page."""
    row = get_object_or_404(visible_to(request.user), slug=slug)
    return render(request, "tournaments/tournament.html", {"heading": heading(row, row.entries.count())})
