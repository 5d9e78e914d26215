"""Pages that belong to no room: the front page, and whether the service is well."""

from __future__ import annotations

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournaments.web.reading import front_page


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What Manela is, what is being played, how to enter."""
    running, recent = front_page(request.user)
    return render(request, "home.html", {"running": running, "recent": recent})


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """200 when pages can be served, which needs the database and nothing else."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return HttpResponse("ok\n", content_type="text/plain")
