"""The page on which somebody makes an account for himself."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.forms import BaseUserCreationForm
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from matches.models import User
from matches.web.limits import tells_limits, within_limit

LONGEST_USERNAME = 40


class SignUpForm(BaseUserCreationForm):
    """A user name that nobody has in whatever case, a password twice, an address if one likes."""

    email = forms.EmailField(
        label=gettext_lazy("E-mail"),
        required=False,
        help_text=gettext_lazy("If you like; nobody but the operator sees it."),
    )

    class Meta(BaseUserCreationForm.Meta):
        model = User
        fields = ("username", "email")

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["username"].help_text = _("It stands beside your programs, for everybody to read.")
        self.fields["password1"].help_text = _("Eight characters or more, and not one of the common ones.")
        self.fields["password2"].help_text = ""

    def clean_username(self) -> str:
        name: str = self.cleaned_data["username"]
        if len(name) > LONGEST_USERNAME:
            raise forms.ValidationError(_("At most %(most)s characters.") % {"most": LONGEST_USERNAME}, "too_long")
        if User.objects.filter(username__iexact=name).exists():
            raise forms.ValidationError(_("Somebody has this name already."), "username_taken")
        return name

    def create(self) -> User | None:
        """The new user; None if somebody took the name in this very moment, which the form then says."""
        try:
            with transaction.atomic():
                return self.save()
        except IntegrityError:
            self.add_error("username", _("Somebody has this name already."))
            return None


@never_cache
@sensitive_post_parameters("password1", "password2")
@require_http_methods(["GET", "HEAD", "POST"])
@tells_limits
def sign_up(request: HttpRequest) -> HttpResponse:
    """Makes an account, logs it in and leads to where it registers its first program."""
    if not settings.SIGN_UP:
        raise Http404
    if request.user.is_authenticated:
        return redirect(_next(request))
    form = SignUpForm(request.POST if request.method == "POST" else None)
    if form.is_valid() and within_limit(request, "signup") and (user := form.create()):
        login(request, user)
        return redirect(_next(request))
    return render(request, "registration/sign_up.html", {"form": form, "next": _asked(request)})


def _asked(request: HttpRequest) -> str:
    """Where the reader came from and wants to go on to; empty for other people's addresses."""
    asked = request.POST.get("next") or request.GET.get("next") or ""
    hosts = {request.get_host()}
    return asked if url_has_allowed_host_and_scheme(asked, hosts, require_https=request.is_secure()) else ""


def _next(request: HttpRequest) -> str:
    return _asked(request) or "bot-new"


def invitation(request: HttpRequest) -> dict[str, Any]:
    """For every page: whether the link to sign up stands on it."""
    return {"may_sign_up": settings.SIGN_UP}
