"""The page of a version, for its owner alone, and everything that he does there."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from bots_api.models import BotVersion
from bots_api.pull.presence import set_accepting
from bots_api.qualifying.services import QualificationRefused, ask_for
from bots_api.services.signing import SecretRefused, end_rotation, rotate_secret
from bots_api.services.states import retire as retire_version
from bots_api.tokens import LONGEST_DAYS, LONGEST_NAME, TokenRefused, make_token, revoke
from bots_api.web.answers import line_of, private
from bots_api.web.starting import commands_of_calling
from bots_api.web.version_reading import delivery_log, find_version, version_page
from matches.models import User
from matches.permissions import Scope
from matches.web.limits import made_within_limit, tells_limits
from matches.web.polling import HtmxRequest, last_answer

LONGEST_REASON = 200


@login_required
@require_safe
def version(request: HtmxRequest, version_id: str) -> HttpResponse:
    """State, qualification, figures, log, secret and tokens of a version; asked again by itself while it changes."""
    return _shown(request, find_version(version_id, request.user))


def _shown(request: HttpRequest, row: BotVersion, **more: Any) -> HttpResponse:
    page, faults_only = version_page(row), "faults" in request.GET
    context = {"version": page, "faults_only": faults_only, "log": delivery_log(row, faults_only), **more}
    response = private(request, "bots_api/version.html", context)
    if getattr(request, "htmx", False) and not page.step.is_live:
        return last_answer(response, reload=True)  # what came of it stands all over the page
    return response


@login_required
@require_POST
@tells_limits
def qualify(request: HttpRequest, version_id: str) -> HttpResponse:
    """Asks for a qualification; one that runs already is left to run."""
    row, user = find_version(version_id, request.user), cast(User, request.user)
    try:
        made_within_limit(request, "qualifications", lambda: ask_for(row, user))
    except QualificationRefused as refusal:
        messages.error(request, str(refusal))
    return redirect("version", version_id)


@login_required
@require_POST
def accepting(request: HttpRequest, version_id: str) -> HttpResponse:
    """Drains the version, or lets it take matches again."""
    row = find_version(version_id, request.user)
    takes = request.POST.get("accepting") == "yes"
    set_accepting(row.pk, takes)
    told = _("It takes matches again.") if takes else _("It takes no new matches; what it has begun, it ends.")
    messages.success(request, told)
    return redirect("version", version_id)


@login_required
@require_POST
def rotate(request: HttpRequest, version_id: str) -> HttpResponse:
    """Makes a new signing secret; for a day messages carry both signatures."""
    row = find_called(request, version_id)
    try:
        rotate_secret(row)
    except SecretRefused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("There is a new secret. For a day every message is signed with both."))
    return redirect("version", version_id)


@login_required
@require_POST
def rotation_end(request: HttpRequest, version_id: str) -> HttpResponse:
    """Signs with the new secret alone from now on."""
    row = find_called(request, version_id)
    end_rotation(row)
    messages.success(request, _("Messages are signed with the new secret alone."))
    return redirect("version", version_id)


@login_required
@require_POST
@tells_limits
@sensitive_variables("text", "commands")
def token_new(request: HttpRequest, version_id: str) -> HttpResponse:
    """Makes a token that this version plays with. It is shown this once: in the answer itself."""
    row, user = find_version(version_id, request.user), cast(User, request.user)
    name = line_of(request.POST, "name", LONGEST_NAME) or row.agent.label
    try:
        token, text = made_within_limit(
            request, "tokens", lambda: make_token(user, name, [Scope.BOT_PLAY], LONGEST_DAYS, version=row)
        )
    except TokenRefused as refusal:
        messages.error(request, str(refusal))
        return redirect("version", version_id)
    return _shown(request, row, made=token, text=text, commands=commands_of_calling(text))


@login_required
@require_POST
def token_end(request: HttpRequest, version_id: str, token_id: str) -> HttpResponse:
    """Revokes a token of this version."""
    row = find_version(version_id, request.user)
    token = get_object_or_404(row.tokens, public_id=token_id)
    revoke(token)
    messages.success(request, _("“%(name)s” is revoked: streams with it end within a second.") % {"name": token.name})
    return redirect("version", version_id)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def retire(request: HttpRequest, version_id: str) -> HttpResponse:
    """Asks once more, and retires the version for good."""
    row = find_version(version_id, request.user)
    if request.method != "POST":
        return private(request, "bots_api/retire.html", {"version": version_page(row)})
    retire_version(row, line_of(request.POST, "reason", LONGEST_REASON))
    messages.success(request, _("It is retired."))
    return redirect("version", version_id)


def find_called(request: HttpRequest, version_id: str) -> BotVersion:
    """An own version at an address: one that calls us is sent nothing, and nothing is signed for it."""
    row = find_version(version_id, request.user)
    if row.is_pull:
        raise Http404
    return row
