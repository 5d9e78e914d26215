"""Who may run a tournament on the site, and how a page finds it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from matches.models import User
from tournaments.services.directing import directs_tournament
from tournaments.web.reading import visible_to

View = Callable[..., HttpResponse]


def directed(view: View) -> View:
    """For a page that whoever runs the tournament may open: gives the view the tournament in place of its address.

    404 where the reader may not even see it, 403 where he sees it and does not run it.
    """

    @login_required
    @wraps(view)
    def checked(request: HttpRequest, slug: str, **arguments: Any) -> HttpResponse:
        tournament = get_object_or_404(visible_to(request.user), slug=slug)
        if not directs_tournament(request.user, tournament):
            raise PermissionDenied
        return view(request, tournament, **arguments)

    return cast(View, checked)


def who(request: HttpRequest) -> User:
    """The user behind a request of a page that asks for a login."""
    return cast(User, request.user)
