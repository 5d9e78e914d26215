"""Every route × everybody who may come: what the table says, no more and no less. A route without a row fails."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.doors.house import PEOPLE, House, hold_house
from tests.doors.knocking import Knocking
from tests.doors.routes import UNSAFE, Route, routes
from tests.doors.table import rows
from tests.quicker import empty_tables

pytestmark = pytest.mark.django_db

ROUTES = routes()


@pytest.fixture(scope="module")
def house(django_db_setup: None, django_db_blocker, broker_urls: dict[str, str]) -> Iterator[House]:
    with django_db_blocker.unblock():
        yield hold_house()
        empty_tables()


@pytest.fixture(scope="module")
def knocking(house: House, django_db_blocker) -> Knocking:
    with django_db_blocker.unblock():
        return Knocking(house)


def test_every_route_has_a_row_and_every_row_a_route() -> None:
    assert {(route.row, method) for route in ROUTES for method in route.methods} == rows().keys()


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.pattern or "/")
def test_a_route_opens_to_whom_the_table_says(knocking: Knocking, route: Route) -> None:
    seen = {method: knocking.answers(route, method) for method in route.methods}
    expected = {method: dict(zip(PEOPLE, rows()[route.row, method], strict=True)) for method in route.methods}
    assert [
        f"{method} as {who}: {answer}, expected {'|'.join(expected[method][who])}"
        for method, answers in seen.items()
        for who, answer in answers.items()
        if answer not in expected[method][who]
    ] == []


@pytest.mark.parametrize("route", [route for route in ROUTES if route.is_api], ids=lambda route: route.pattern)
def test_nothing_is_written_by_a_token_without_scope_or_by_a_login_alone(
    knocking: Knocking, house: House, route: Route
) -> None:
    """Olena has every right; what her token is not good for, and what came by a browser, changes nothing."""
    asked = [method for method in route.methods if method in UNSAFE]
    by_token = [knocking.answer(route, method, "olena", house.without_scope) for method in asked]
    by_login = [knocking.answer(route, method, "olena", {}, in_browser=True) for method in asked]
    assert (set(by_token) | {"403"}, set(by_login) | {"401"}) == ({"403"}, {"401"})
