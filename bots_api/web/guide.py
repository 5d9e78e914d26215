"""The author's guide, `docs/bots.md`, as a page for everybody."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt

from bots_api.web.starting import site

DEMO = "http://localhost:8000"
"""The site of which the document speaks; here it is this one."""
ABOUT_DEMO = f"`make demo` has a site at `{DEMO}`; put the address of yours in its place wherever you read that.\n"
SHARED = {"examples/": "starters/", "client/": "client/"}
"""Folders beside the document, and where the site has them."""
ELSEWHERE = {"api.md": "/api/v1/"}
_LINK = re.compile(r"\[([^]]+)\]\(([^):]+)\)")
_HEADING = re.compile(r"<h2>(.*?)</h2>")
_SCROLLS = '<div class="box table-box scroll" tabindex="0"><table class="parties">'


@dataclass(frozen=True, slots=True)
class Guide:
    """`parts`: its headings, each after the anchor that it has."""

    title: str
    text: SafeString
    parts: tuple[tuple[str, str], ...]


@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    """From nothing to a first game, and every message on the way."""
    return render(request, "bots_api/guide.html", {"guide": _guide(site())})


@lru_cache(maxsize=1)
def _guide(address: str) -> Guide:
    """The text is our own, and no HTML in it is taken as such."""
    first, _, rest = (settings.BASE_DIR / "docs" / "bots.md").read_text("utf-8").partition("\n")
    rest = rest.replace(ABOUT_DEMO, "").replace(DEMO, address)
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(_LINK.sub(_served, rest))
    html = html.replace("<pre>", '<pre tabindex="0">')
    html = html.replace("<table>", _SCROLLS).replace("</table>", "</table></div>")
    parts = tuple((_anchor(words), words) for words in _HEADING.findall(html))
    html = _HEADING.sub(lambda found: f'<h2 id="{_anchor(found[1])}">{found[1]}</h2>', html)
    return Guide(first.removeprefix("# "), mark_safe(html), parts)


def _anchor(heading: str) -> str:
    return re.sub(r"\W+", "-", heading.lower())


def _served(link: re.Match[str]) -> str:
    """Of the files beside the guide, what the site has too; of the others the name alone."""
    words, path = link[1], link[2]
    for folder, served in SHARED.items():
        if path.startswith(folder):
            return f"[{words}]({static(served + path.removeprefix(folder))})"
    return f"[{words}]({ELSEWHERE[path]})" if path in ELSEWHERE else words
