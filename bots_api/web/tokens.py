"""The page on which somebody makes and revokes his API tokens."""

from __future__ import annotations

from typing import cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from bots_api.models import ApiToken
from bots_api.tokens import LONGEST_DAYS, LONGEST_NAME, TokenRefused, make_token, revoke
from bots_api.web.answers import private
from bots_api.web.token_lines import token_list
from bots_api.web.words import SCOPES
from matches.models import User
from matches.web.limits import made_within_limit, tells_limits


class TokenForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=LONGEST_NAME,
        help_text=gettext_lazy("What it is for, such as: entering from my laptop."),
    )
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("It may"),
        choices=lambda: [(scope.value, f"{words} ({scope})") for scope, words in SCOPES.items()],
        widget=forms.CheckboxSelectMultiple,
    )
    days = forms.IntegerField(label=gettext_lazy("Days that it lives"), min_value=1, max_value=LONGEST_DAYS, initial=90)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@tells_limits
@sensitive_variables("text")
def tokens(request: HttpRequest) -> HttpResponse:
    """One's tokens, and a form for another, whose text is shown this once: in the answer itself, as to redirect it
    would have to be kept."""
    owner = cast(User, request.user)
    form, made, text = TokenForm(request.POST if request.method == "POST" else None), None, ""
    if form.is_valid():
        asked = form.cleaned_data
        try:
            made, text = made_within_limit(request, "tokens", lambda: make_token(owner, **asked))
        except TokenRefused as refusal:
            form.add_error(None, str(refusal))
        else:
            form = TokenForm()
    own = owner.api_tokens.filter(version=None)
    listed = token_list(own, lambda token: reverse("token-revoke", args=[token.public_id]))
    context = {"form": form, "made": made, "text": text, "tokens": listed}
    return private(request, "bots_api/tokens.html", context)


@login_required
@require_POST
def revoke_one(request: HttpRequest, token_id: str) -> HttpResponse:
    """Ends one of one's tokens."""
    token = get_object_or_404(ApiToken, owner=cast(User, request.user), public_id=token_id)
    revoke(token)
    messages.success(request, _("“%(name)s” is revoked: the next request with it is refused.") % {"name": token.name})
    return redirect("tokens")
