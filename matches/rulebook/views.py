"""The pages of the rule book: all presets, one as a sheet and against another, and one's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engine import EngineError, Rules, rules_of
from matches.models import User
from matches.rulebook.choices import presets_by_family
from matches.rulebook.forms import SavedRulesForm
from matches.rulebook.sheet import difference_lines, rules_sheet, sheet_of
from matches.rulebook.words import FAMILIES, TABLES, TABLES_SHORT, family_and_table, preset_title
from matches.services.saved_rules import forget_rules


def _families() -> list[dict[str, Any]]:
    return [
        {
            "code": family,
            "name": FAMILIES[family].name,
            "line": FAMILIES[family].line,
            "tables": [_table(family_and_table(name)[1]) for name in names],
        }
        for family, names in presets_by_family()
    ]


def _table(table: str) -> dict[str, Any]:
    return {"code": table, "short": TABLES_SHORT[table], "name": TABLES[table]}


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Every preset of the rule book."""
    return render(request, "matches/rules/index.html", {"families": _families()})


@require_safe
def preset(request: HttpRequest, family: str, table: str) -> HttpResponse:
    """One preset as a sheet of sentences; `?diff=klabor/pairs` sets it against another."""
    rules = _known(f"{family}/{table}")
    if rules is None:
        raise Http404
    asked = request.GET.get("diff", "")
    other = _known(asked) if asked else None
    context = {
        "sheet": rules_sheet(rules, on_boards=False),
        "families": _families(),
        "family": next(one for one in _families() if one["code"] == family),
        "table": table,
        "code": f"{family}/{table}",
        "asked": asked,
        "other": other and {"title": preset_title(other.name), "code": "/".join(family_and_table(other.name))},
        "differences": difference_lines(rules, other) if other else (),
    }
    return render(request, "matches/rules/preset.html", context)


def _known(name: str) -> Rules | None:
    try:
        return rules_of(name)
    except EngineError:
        return None


@login_required
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """One's own presets, each with what it changes."""
    rows = [
        {"row": row, "title": preset_title(row.rules), "sheet": sheet_of(row.rules, row.overrides)}
        for row in _own(request).saved_rules.all()
    ]
    return render(request, "matches/rules/mine.html", {"rows": rows})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def mine_new(request: HttpRequest) -> HttpResponse:
    """A new preset of one's own; `?from=klabor/pairs` starts from that one."""
    started = {"rules": request.GET["from"]} if _known(request.GET.get("from", "")) else {}
    return _form(request, SavedRulesForm(_sent(request), owner=_own(request), initial=started))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def mine_edit(request: HttpRequest, public_id: str) -> HttpResponse:
    """Renames one's own preset or sets it anew."""
    saved = get_object_or_404(_own(request).saved_rules, public_id=public_id)
    return _form(request, SavedRulesForm(_sent(request), owner=_own(request), saved=saved))


@login_required
@require_POST
def mine_delete(request: HttpRequest, public_id: str) -> HttpResponse:
    """Deletes one's own preset."""
    saved = get_object_or_404(_own(request).saved_rules, public_id=public_id)
    forget_rules(saved.pk)
    messages.success(request, _("“%(name)s” is deleted; events that were drawn up with it stay.") % {"name": saved})
    return redirect("rules-mine")


def _form(request: HttpRequest, form: SavedRulesForm) -> HttpResponse:
    if form.is_valid() and (saved := form.save()):
        messages.success(request, _("“%(name)s” is saved.") % {"name": saved})
        return redirect("rules-mine")
    return render(request, "matches/rules/mine_form.html", {"form": form})


def _own(request: HttpRequest) -> User:
    return cast(User, request.user)


def _sent(request: HttpRequest) -> Mapping[str, Any] | None:
    return request.POST if request.method == "POST" else None
