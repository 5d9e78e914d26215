"""Somebody makes an account for himself, and is led to where programs are registered."""

from __future__ import annotations

import pytest
from django.test import Client

from matches.core.limits import Limit
from matches.models import User
from tests.cast import person
from tests.web.test_tournament_pages import page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("broker")]

GOOD = {"username": "dmytro", "password1": "fourteen for the manela", "password2": "fourteen for the manela"}


def sign_up(client: Client, **otherwise: str):
    return client.post("/signup/", GOOD | otherwise)


def test_a_new_account_is_logged_in_and_led_on(client: Client) -> None:
    answer = sign_up(client)
    assert (answer.status_code, answer["Location"]) == (302, "/bots/new/")
    user = User.objects.get(username="dmytro")
    assert (user.is_staff, user.is_superuser, user.email) == (False, False, "")
    assert user.check_password("fourteen for the manela")
    assert "dmytro" in page(client, "/bots/new/")


def test_one_goes_on_to_where_one_came_from_and_nowhere_else(client: Client) -> None:
    assert sign_up(client, next="/challenges/new/")["Location"] == "/challenges/new/"
    client.logout()
    assert sign_up(client, username="other", next="https://elsewhere.example/")["Location"] == "/bots/new/"


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ({"username": "BOHDAN"}, "Somebody has this name already."),
        ({"username": "with spaces"}, "Enter a valid username."),
        ({"username": "x" * 41}, "At most 40 characters."),
        ({"password2": "ten of trumps!"}, "didn’t match"),
        ({"password1": "12345678", "password2": "12345678"}, "too common"),
        ({"password1": "short1", "password2": "short1"}, "too short"),
        ({"password1": "dmytro99", "password2": "dmytro99"}, "too similar to the username"),
        ({"email": "nowhere"}, "Enter a valid email address."),
    ],
)
def test_what_is_refused_is_told(client: Client, typed: dict[str, str], told: str) -> None:
    person("bohdan")
    answer = sign_up(client, **typed)
    assert answer.status_code == 200
    assert told in answer.content.decode()
    assert "fourteen for the manela" not in answer.content.decode()
    assert User.objects.count() == 1


def test_who_is_logged_in_needs_no_other_account(client: Client) -> None:
    client.force_login(person("bohdan"))
    assert client.get("/signup/")["Location"] == "/bots/new/"
    assert sign_up(client)["Location"] == "/bots/new/"
    assert not User.objects.filter(username="dmytro").exists()


def test_an_installation_may_keep_its_accounts_to_itself(client: Client, settings) -> None:
    assert 'href="/signup/"' in page(client, "/login/")
    settings.SIGN_UP = False
    assert sign_up(client).status_code == 404
    assert "/signup/" not in page(client, "/login/")
    assert not User.objects.exists()


def test_too_many_accounts_from_one_address_are_refused_for_a_while(client: Client, settings) -> None:
    settings.LIMITS = settings.LIMITS | {"signup": Limit(2, 3_600)}
    for number in range(2):
        assert sign_up(client, username=f"new{number}").status_code == 302
        client.logout()
    sign_up(client, password2="typed otherwise")
    refused = sign_up(client, username="new3")
    assert refused.status_code == 429
    assert "“signup” is 2 a" in refused.content.decode()
    assert 0 < int(refused["Retry-After"]) <= 3_600
    assert User.objects.count() == 2


def test_a_form_without_its_token_is_refused() -> None:
    strict = Client(enforce_csrf_checks=True)
    assert sign_up(strict).status_code == 403
    assert not User.objects.exists()
