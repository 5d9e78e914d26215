"""Pages that belong to no room: the front page, and whether the service is well."""

from __future__ import annotations

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from bots_api.models import Bot
from bots_api.web.lists import programs_of
from matches.web import views as match_views
from tournaments.web.lists import front_page, yours_of


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What Manela is, what is being played, how to enter."""
    running, recent = front_page(request.user)
    context = {
        "running": running,
        "recent": recent,
        "programs": programs_of(request.user),
        "yours": yours_of(request.user),
    }
    return render(request, "home.html", context)


@require_safe
def player(request: HttpRequest, public_id: str) -> HttpResponse:
    """A program's own page where there is one, else the plain page of a player.

    Standings link here: `matches` and `tournaments` know players, and only this room knows both of them and programs.
    """
    bot = Bot.objects.filter(player__public_id=public_id).first()
    return redirect(bot) if bot else match_views.player(request, public_id)


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """200 when pages can be served, which needs the database and nothing else."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return HttpResponse("ok\n", content_type="text/plain")
