"""One request by one person, and what became of it in a word. Nothing of it stays in the database."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from django.apps import apps
from django.db import transaction
from django.test import Client

from tests.doors.house import PEOPLE, House
from tests.doors.routes import Route

LOGIN = ("/login/", "/admin/login/")


class Knocking:
    """Knocks at doors of a house as each of its people."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.browsers = {who: house.pages(who) for who in PEOPLE}
        self.sessions = {who: browser.cookies.output(header="") for who, browser in self.browsers.items()}
        self.program = house.pages("nobody")

    def answers(self, route: Route, method: str) -> dict[str, str]:
        """By person: the status, or `login` where a page sends to the page for that."""
        return {who: self.answer(route, method, who) for who in PEOPLE}

    def answer(
        self,
        route: Route,
        method: str,
        who: str,
        headers: Mapping[str, str] | None = None,
        *,
        in_browser: bool | None = None,
    ) -> str:
        """`headers`: instead of the person's token. `in_browser`: with his session; pages are asked for so."""
        in_browser = not route.is_api if in_browser is None else in_browser
        client = self._browser(who) if in_browser else self.program
        if headers is None:
            headers = self.house.headers(who) if route.is_api else {}
        kind = "application/json" if route.is_api else "application/x-www-form-urlencoded"
        with transaction.atomic():
            response = client.generic(method, self.address(route), content_type=kind, headers=headers)
            transaction.set_rollback(True)
        sent_to = urlsplit(response.headers.get("Location", "")).path
        return "login" if response.status_code == 302 and sent_to in LOGIN else str(response.status_code)

    def address(self, route: Route) -> str:
        keys = self.house.keys
        if route.model:
            row = apps.get_model(*route.model).objects.order_by("pk").first()
            keys = keys | {"object_id": str(row.pk if row else 0), "id": str(row.pk if row else 0), "do": "none"}
        return route.address(keys)

    def _browser(self, who: str) -> Client:
        """The person's own, logged in whatever an earlier request did to that."""
        browser = self.browsers[who]
        browser.cookies.clear()
        browser.cookies.load(self.sessions[who])
        return browser
