"""Programs: the list of all, registering one, its page, and giving it another version."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_safe

from bots_api.models import Bot, BotVersion
from bots_api.services import shown_secret
from bots_api.tokens import LONGEST_DAYS, make_token
from bots_api.web.answers import line_of, private
from bots_api.web.forms import BotForm, VersionForm
from bots_api.web.lists import all_programs, anchors, has_active, programs_of
from bots_api.web.reading import bot_page, find_bot, owns
from bots_api.web.starting import commands_of_called, commands_of_calling
from matches.models import User
from matches.permissions import Scope
from matches.web.limits import made_within_limit, tells_limits

LONGEST_SEARCH = 60


@require_safe
def bots(request: HttpRequest) -> HttpResponse:
    """All programs, the reader's own first."""
    search = line_of(request.GET, "q", LONGEST_SEARCH)
    context = {
        "mine": programs_of(request.user),
        "programs": all_programs(request.user, search, request.GET.get("page", "")),
        "search": search,
        "anchors": anchors(),
    }
    return render(request, "bots_api/bots.html", context)


@require_safe
def bot(request: HttpRequest, public_id: str) -> HttpResponse:
    """What anybody may know of a program; for its owner the way to each version's own page."""
    row = find_bot(public_id)
    context = {
        "bot": bot_page(row, request.user),
        "is_owner": owns(request.user, row),
        "may_challenge": has_active(request.user),
    }
    return render(request, "bots_api/bot.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@tells_limits
def new(request: HttpRequest) -> HttpResponse:
    """Registers a program and goes on to its first version."""
    form, user = BotForm(request.POST if request.method == "POST" else None), cast(User, request.user)
    if form.is_valid() and (made := made_within_limit(request, "bots", lambda: form.register(user))):
        return redirect("version-new", made.public_id)
    return render(request, "bots_api/bot_form.html", {"form": form})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, public_id: str) -> HttpResponse:
    """Changes what is told of a program and which challenges it takes."""
    row = _own(request, public_id)
    form = BotForm(request.POST if request.method == "POST" else None, bot=row)
    if form.is_valid():
        form.change(row)
        messages.success(request, _("Saved."))
        return redirect(row)
    return render(request, "bots_api/bot_form.html", {"form": form, "bot": row})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@tells_limits
def version_new(request: HttpRequest, public_id: str) -> HttpResponse:
    """Adds a version; its secret, or the token that it plays with, stands in the answer itself."""
    row = _own(request, public_id)
    form = VersionForm(request.POST if request.method == "POST" else None)
    if form.is_valid() and (made := made_within_limit(request, "versions", lambda: form.add_to(row))):
        return _made(request, row, made)
    return private(request, "bots_api/version_form.html", {"form": form, "bot": row, "is_first": _is_first(row)})


def _is_first(row: Bot) -> bool:
    return not row.versions.exists()


@sensitive_variables("secret", "commands")
def _made(request: HttpRequest, row: Bot, version: BotVersion) -> HttpResponse:
    """To redirect, a token would have to be kept somewhere."""
    if version.is_pull:
        user, scopes = cast(User, request.user), [Scope.BOT_PLAY]
        secret = make_token(user, version.agent.label, scopes, LONGEST_DAYS, version=version)[1]
        commands = commands_of_calling(secret)
    else:
        secret = shown_secret(version)
        commands = commands_of_called(version.url, secret)
    context = {"bot": row, "version": version, "secret": secret, "commands": commands}
    return private(request, "bots_api/version_made.html", context)


def _own(request: HttpRequest, public_id: str) -> Bot:
    """Raises Http404 for a program of somebody else's."""
    row = find_bot(public_id)
    if not owns(request.user, row):
        raise Http404
    return row
