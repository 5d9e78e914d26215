"""Files of a tournament to take away, and a document taken in."""

from __future__ import annotations

import json
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required, permission_required
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from matches.models import User
from tournaments.errors import TournamentError
from tournaments.exports.document import OVER
from tournaments.exports.files import FILES
from tournaments.formats.lifecycle import RoundStatus
from tournaments.imports.document import MOST_BYTES, take_document
from tournaments.models import Round, Stage, Tournament
from tournaments.services.directing import directs_tournament
from tournaments.services.history import scheme_of
from tournaments.services.stages import seats_of
from tournaments.standings.points import STANDARD
from tournaments.web.reading import has_hidden_rounds, sees_all, visible_rounds, visible_to

TRF = "tournament.trf"


@require_safe
def export(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """One file; `?stage=` names another stage than the newest."""
    row = get_object_or_404(visible_to(request.user), slug=slug)
    try:
        return answer(request.user, row, name, request.GET.get("stage", ""))
    except TournamentError as refusal:
        messages.error(request, str(refusal))
        return redirect(row)


def answer(user: Any, row: Tournament, name: str, stage: str) -> HttpResponse:
    """A file as an attachment; raises Http404 for one that there is not, PermissionDenied, TournamentError."""
    if name not in FILES:
        raise Http404
    file = FILES[name]
    if file.is_whole and row.status not in OVER and not sees_all(user, row):
        raise PermissionDenied(_("The whole of a tournament is its directors' until it is over."))
    if file.tells_meetings and _hides_meetings(user, row):
        raise PermissionDenied(_("A round of it is not public yet: this file tells who met whom."))
    chosen, is_directors = _stage(row, stage), directs_tournament(user, row)
    content = file.make_whole(row) if file.make_whole and is_directors else file.make(row, chosen)
    response = HttpResponse(content, content_type=file.content_type)
    ending = name.partition(".")[2]
    response["Content-Disposition"] = f'attachment; filename="{row.slug}-{name.partition(".")[0]}.{ending}"'
    return response


def files_for(user: User | AnonymousUser, row: Tournament) -> list[tuple[str, Any]]:
    """Name and title of the files that this reader is given; none before the start."""
    if not row.is_frozen:
        return []
    knows, hides = row.status in OVER or sees_all(user, row), _hides_meetings(user, row)
    given = {name: one for name, one in FILES.items() if knows or not one.is_whole}
    told = {name: one for name, one in given.items() if name != TRF or _has_trf(row)}
    return [(name, one.title) for name, one in told.items() if not (one.tells_meetings and hides)]


def _has_trf(row: Tournament) -> bool:
    """Whether the form has room for it: two sides at a table, and 1, ½ and 0 points."""
    return seats_of(row) == 2 and scheme_of(row) == STANDARD


def _hides_meetings(user: User | AnonymousUser, row: Tournament) -> bool:
    """Whether a draw that stands is kept from this reader, or was never out when all was over."""
    if row.status not in OVER:
        return has_hidden_rounds(user, row)
    stand = Round.objects.filter(stage__tournament=row).exclude(status=RoundStatus.WITHDRAWN)
    return stand.exclude(pk__in=visible_rounds(user, row)).exists()


def _stage(row: Tournament, number: str) -> Stage | None:
    if not number:
        return None
    if not number.isascii() or not number.isdigit() or len(number) > 4:
        raise Http404
    stage = get_object_or_404(row.stages, number=int(number))
    stage.tournament = row
    return stage


class DocumentForm(forms.Form):
    document = forms.FileField(
        label=gettext_lazy("Document"), help_text=gettext_lazy("The JSON file that another installation has written.")
    )
    slug = forms.SlugField(
        label=gettext_lazy("Address"),
        required=False,
        max_length=60,
        help_text=gettext_lazy("The page is /t/…/; left empty, it is the document's."),
    )

    def clean_document(self) -> Any:
        file = self.cleaned_data["document"]
        if file.size > MOST_BYTES:
            raise forms.ValidationError(
                _("The file is larger than %(most)d MB.") % {"most": MOST_BYTES // 1_000_000}, "too_large"
            )
        try:
            return json.loads(file.read())
        except (ValueError, RecursionError) as error:
            raise forms.ValidationError(_("That is no JSON: %(why)s") % {"why": error}, "invalid") from error


@login_required
@permission_required("tournaments.add_tournament", raise_exception=True)
@require_http_methods(["GET", "HEAD", "POST"])
def take_in(request: HttpRequest) -> HttpResponse:
    """Takes a tournament in that was written elsewhere."""
    form = DocumentForm(request.POST, request.FILES) if request.method == "POST" else DocumentForm()
    if form.is_valid():
        try:
            taken = take_document(
                form.cleaned_data["document"], cast(User, request.user), slug=form.cleaned_data["slug"] or None
            )
        except TournamentError as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("“%(name)s” is taken in, with the same standings.") % {"name": taken})
            return redirect(taken)
    return render(request, "tournaments/organising/take_in.html", {"form": form})
