"""The author's guide, `docs/bots.md`, as a page for everybody."""

from __future__ import annotations

import re
from functools import lru_cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt

ELSEWHERE = {"api.md": "/api/v1/"}
_LINK = re.compile(r"\[([^]]+)\]\(([^):]+)\)")
_SCROLLS = '<div class="box table-box scroll" tabindex="0"><table class="parties">'


@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    """From nothing to a first game, and every message on the way."""
    title, text = _guide()
    return render(request, "bots_api/guide.html", {"title": title, "text": text})


@lru_cache(maxsize=1)
def _guide() -> tuple[str, SafeString]:
    """The title and the rest; the text is our own, and no HTML in it is taken as such."""
    first, _, rest = (settings.BASE_DIR / "docs" / "bots.md").read_text("utf-8").partition("\n")
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(_LINK.sub(_served, rest))
    html = html.replace("<pre>", '<pre tabindex="0">')
    html = html.replace("<table>", _SCROLLS).replace("</table>", "</table></div>")
    return first.removeprefix("# "), mark_safe(html)


def _served(link: re.Match[str]) -> str:
    """Of the files beside the guide, what the site has too; of the others the name alone."""
    words, path = link[1], link[2]
    if path.startswith("examples/"):
        return f"[{words}]({static(path.replace('examples', 'starters', 1))})"
    return f"[{words}]({ELSEWHERE[path]})" if path in ELSEWHERE else words
