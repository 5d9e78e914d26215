"""Webhooks: which sites of one's own are told of events, and what came of every delivery."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from bots_api.models import Webhook, WebhookDelivery, WebhookEvent
from bots_api.web.answers import private
from bots_api.webhooks.services import WebhookRefused, add, change, ping, remove, rotate, send_again, shown_secret
from matches.models import User
from matches.web.limits import made_within_limit, tells_limits

DELIVERIES_SHOWN = 100


class WebhookForm(forms.Form):
    """An address and what it is told of."""

    url = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=500,
        widget=forms.URLInput({"placeholder": "https://", "autocomplete": "off"}),
    )
    events = forms.MultipleChoiceField(
        label=gettext_lazy("It is told when"),
        choices=WebhookEvent.choices,
        widget=forms.CheckboxSelectMultiple,
        initial=WebhookEvent.values,
    )
    tournament = forms.CharField(
        label=gettext_lazy("Only of one tournament"),
        required=False,
        max_length=24,
        widget=forms.TextInput({"placeholder": "t_…", "autocomplete": "off"}),
        help_text=gettext_lazy("Its id, as the API has it."),
    )

    @contextmanager
    def refused(self) -> Iterator[None]:
        """What the service refuses is told at the field in question."""
        try:
            yield
        except WebhookRefused as refusal:
            self.add_error(refusal.field if refusal.field in self.fields else None, str(refusal))


def _typed(request: HttpRequest) -> Mapping[str, Any] | None:
    return request.POST if request.method == "POST" else None


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@tells_limits
@sensitive_variables("secret")
def webhooks(request: HttpRequest) -> HttpResponse:
    """One's webhooks, and a form for another, whose secret stands in the answer itself."""
    user = cast(User, request.user)
    form, made, secret = WebhookForm(_typed(request)), None, ""
    if form.is_valid():
        asked = form.cleaned_data
        with form.refused():
            made, secret = made_within_limit(request, "webhooks", lambda: add(user, **asked))
            form = WebhookForm()
    context = {"form": form, "made": made, "secret": secret, "webhooks": user.webhooks.all()}
    return private(request, "bots_api/webhooks.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def webhook(request: HttpRequest, webhook_id: str) -> HttpResponse:
    """One of one's webhooks with its deliveries; by POST it is changed."""
    row = _own(request, webhook_id)
    now = {"url": row.url, "events": row.events, "tournament": row.tournament}
    form = WebhookForm(_typed(request), initial=now)
    if form.is_valid():
        with form.refused():
            change(row, **form.cleaned_data)
            messages.success(request, _("Saved."))
            return redirect("webhook", webhook_id)
    context = {
        "form": form,
        "webhook": row,
        "secret": shown_secret(row),
        "deliveries": row.deliveries.all()[:DELIVERIES_SHOWN],
    }
    return private(request, "bots_api/webhook.html", context)


def _own(request: HttpRequest, webhook_id: str) -> Webhook:
    """Raises Http404 for a webhook of somebody else's."""
    return get_object_or_404(Webhook, owner=cast(User, request.user), public_id=webhook_id)


@login_required
@require_POST
def switch(request: HttpRequest, webhook_id: str) -> HttpResponse:
    """Switches a webhook off, or on again."""
    try:
        change(_own(request, webhook_id), is_active=request.POST.get("active") == "yes")
    except WebhookRefused as refusal:
        messages.error(request, str(refusal))
    return redirect("webhook", webhook_id)


@login_required
@require_POST
def new_secret(request: HttpRequest, webhook_id: str) -> HttpResponse:
    """Gives a webhook another secret, which signs from now on."""
    try:
        rotate(_own(request, webhook_id))
    except WebhookRefused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("There is a new secret; it signs from now on."))
    return redirect("webhook", webhook_id)


@login_required
@require_POST
def delete(request: HttpRequest, webhook_id: str) -> HttpResponse:
    """Removes a webhook with its log."""
    row = _own(request, webhook_id)
    remove(row)
    messages.success(request, _("%(address)s is told of nothing any more.") % {"address": row.url})
    return redirect("webhooks")


@login_required
@require_POST
@tells_limits
def again(request: HttpRequest, webhook_id: str, delivery_id: str) -> HttpResponse:
    """Owes a delivery once more, with the same id and body."""
    row = _own(request, webhook_id)
    delivery = get_object_or_404(WebhookDelivery, webhook=row, public_id=delivery_id)
    return _sent(request, webhook_id, lambda: send_again(delivery), _("It is sent again in a moment."))


@login_required
@require_POST
@tells_limits
def try_it(request: HttpRequest, webhook_id: str) -> HttpResponse:
    """Owes a webhook a message that tries it."""
    row = _own(request, webhook_id)
    said = _("A ping is sent in a moment: look below for what came of it.")
    return _sent(request, webhook_id, lambda: ping(row), said)


def _sent(request: HttpRequest, webhook_id: str, send: Callable[[], object], said: str) -> HttpResponse:
    try:
        made_within_limit(request, "resends", send)
    except WebhookRefused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, said)
    return redirect("webhook", webhook_id)
