"""A site with one evening's tournaments behind it, and a Chromium that notes whatever goes wrong on a page."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from django.db import connections
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from tests.browser.chromium import ARGUMENTS, chromium_path
from tests.quicker import empty_tables
from tests.web.evening import Evening, hold_evening


@dataclass(frozen=True, slots=True)
class Site:
    """Where the pages are, and what is on them."""

    url: str
    evening: Evening


@pytest.fixture(scope="module")
def site(django_db_setup: None, django_db_blocker, broker_urls: dict[str, str]) -> Iterator[Site]:
    """The evening is held once for the module: pytest-django's own live server would empty the tables every time."""
    with django_db_blocker.unblock():
        evening = hold_evening()
        server = LiveServer("localhost")
        try:
            yield Site(server.url, evening)
        finally:
            server.stop()
            empty_tables()


@pytest.fixture(scope="module")
def chromium(site: Site) -> Iterator[Browser]:
    """A browser for the module, opened after the evening is held: Playwright keeps a loop running in this thread.

    A lane could not start a loop of its own beside it, and Django must be told to live with it.
    """
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        browser = playwright.chromium.launch(executable_path=os.fspath(chromium_path()), args=list(ARGUMENTS))
        yield browser
        browser.close()
        # Beside a running loop Django keeps a connection of its own for this thread; outside it nobody would find it.
        connections.close_all()


@dataclass  # no slots: Playwright hangs its wrapper of a handler on the object
class Tab:
    """A page with a memory of its troubles: console errors (CSP violations are among them) and exceptions."""

    page: Page
    troubles: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", self._note_console)
        self.page.on("pageerror", lambda error: self.troubles.append(f"exception: {error}"))

    def _note_console(self, message) -> None:
        if message.type in ("error", "warning"):
            self.troubles.append(f"{message.type}: {message.text}")

    @property
    def sideways(self) -> int:
        """By how many pixels the page could be pushed sideways."""
        return self.page.evaluate("document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth")


OpenTab = Callable[..., Tab]


@pytest.fixture
def open_tab(chromium: Browser) -> Iterator[OpenTab]:
    """Opens a tab: `width` in pixels, `theme` light or dark, `touch` for a phone."""
    contexts: list[BrowserContext] = []

    def opened(width: int = 1280, theme: str = "light", touch: bool = False) -> Tab:
        context = chromium.new_context(
            viewport={"width": width, "height": 800}, color_scheme=theme, has_touch=touch, is_mobile=touch
        )
        context.set_default_timeout(10_000)
        contexts.append(context)
        return Tab(context.new_page())

    yield opened
    for context in contexts:
        context.close()
