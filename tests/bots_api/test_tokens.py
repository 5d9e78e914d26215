"""API tokens: shown once, kept as a digest, refused the moment they are revoked."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from bots_api.models import ApiToken
from bots_api.tokens import LONGEST_DAYS, MOST_ALIVE, TokenRefused, is_well_formed, make_token, revoke
from tests.cast import anna, person

pytestmark = pytest.mark.django_db
LIST = "/api/v1/tournaments"


def read(client: Client, header: str | None):
    return client.get(LIST, headers={"Authorization": header} if header is not None else {})


def test_a_token_opens_and_its_text_is_nowhere_in_the_database(client: Client) -> None:
    token, text = make_token(person("bohdan"), "club site", ["comp:admin"], 30)
    assert is_well_formed(text)
    assert read(client, f"Bearer {text}").status_code == 200
    kept = ApiToken.objects.values().get(pk=token.pk)
    assert not any(text in str(value) for value in kept.values())
    assert kept["last_used_at"] is not None
    assert text.endswith(kept["hint"])


def test_without_a_token_the_public_reads(client: Client) -> None:
    assert read(client, None).status_code == 200


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("Bearer", "bad_authorization"),
        ("Basic YTpi", "bad_authorization"),
        ("Bearer a b", "bad_authorization"),
        ("Bearer mnl_x", "bad_token"),
        ("Bearer " + "mnl_" + "0" * 39, "bad_token"),
        ("Bearer \xff\xfe", "bad_token"),
    ],
)
def test_what_is_no_token_is_refused_with_what_to_do(client: Client, header: str, code: str) -> None:
    answer = read(client, header)
    assert (answer.status_code, answer.json()["code"]) == (401, code)
    assert answer["WWW-Authenticate"] == "Bearer"


def test_a_token_that_nobody_has_is_refused(client: Client) -> None:
    token, text = make_token(person("bohdan"), "club site", ["comp:admin"], 30)
    token.delete()
    assert read(client, f"Bearer {text}").json()["code"] == "unknown_token"


def test_a_revoked_and_an_expired_token_are_refused_at_the_next_request(client: Client) -> None:
    owner = person("bohdan")
    token, text = make_token(owner, "club site", ["comp:admin"], 30)
    revoke(token)
    answer = read(client, f"Bearer {text}")
    assert (answer.status_code, answer.json()["code"]) == (401, "token_revoked")
    late, text = make_token(owner, "old", ["comp:admin"], 1)
    ApiToken.objects.filter(pk=late.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert read(client, f"Bearer {text}").json()["code"] == "token_expired"


def test_an_account_that_is_closed_takes_its_tokens_along(client: Client) -> None:
    owner = person("bohdan")
    _, text = make_token(owner, "club site", ["comp:admin"], 30)
    owner.is_active = False
    owner.save()
    assert read(client, f"Bearer {text}").status_code == 401


@pytest.mark.parametrize(
    ("name", "scopes", "days", "code"),
    [
        (" ", ["comp:admin"], 1, "name_missing"),
        ("a", [], 1, "no_scope"),
        ("a", ["comp:admin", "all"], 1, "unknown_scope"),
        ("a", ["comp:admin"], 0, "bad_days"),
        ("a", ["comp:admin"], LONGEST_DAYS + 1, "bad_days"),
    ],
)
def test_a_token_that_cannot_be_made_says_why(name: str, scopes: list[str], days: int, code: str) -> None:
    with pytest.raises(TokenRefused) as refused:
        make_token(person("bohdan"), name, scopes, days)
    assert refused.value.code == code


def test_there_is_a_most_of_tokens_and_revoked_ones_do_not_count() -> None:
    owner = person("bohdan")
    made = [make_token(owner, f"number {number}", ["comp:admin"], 1)[0] for number in range(MOST_ALIVE)]
    with pytest.raises(TokenRefused, match="revoke one"):
        make_token(owner, "one more", ["comp:admin"], 1)
    revoke(made[0])
    make_token(owner, "one more", ["comp:admin"], 1)


def test_the_page_shows_a_token_once_and_revokes_it(client: Client) -> None:
    client.force_login(person("bohdan"))
    assert 'type="checkbox" name="scopes" value="comp:admin"' in client.get("/tokens/").content.decode()
    answer = client.post("/tokens/", {"name": "club site", "scopes": ["comp:admin"], "days": 30})
    text = answer.context["text"]
    assert text in answer.content.decode()
    assert answer["Cache-Control"] == "private, no-store"
    again = client.get("/tokens/").content.decode()
    assert text not in again
    assert "club site" in again
    token = ApiToken.objects.get()
    client.post(f"/tokens/{token.public_id}/revoke/")
    assert read(Client(), f"Bearer {text}").json()["code"] == "token_revoked"


def test_a_form_that_is_sent_again_makes_no_second_token(client: Client) -> None:
    client.force_login(person("bohdan"))
    sent = {"name": "club site", "scopes": ["comp:admin"], "days": 30}
    client.post("/tokens/", sent)
    again = client.post("/tokens/", sent)
    assert "You have a token “club site”" in again.content.decode()
    assert again.context["text"] == ""
    revoke(ApiToken.objects.get())
    assert client.post("/tokens/", sent).context["text"]


def test_a_token_without_the_scope_reads_and_does_not_write(client: Client) -> None:
    """As one would be whose scope is another; there is no other yet."""
    token, text = make_token(anna(), "reads", ["comp:admin"], 30)
    ApiToken.objects.filter(pk=token.pk).update(scopes=[])
    assert read(client, f"Bearer {text}").status_code == 200
    answer = client.post(LIST, "{}", "application/json", headers={"Authorization": f"Bearer {text}"})
    assert (answer.status_code, answer.json()["code"]) == (403, "scope_missing")


def test_a_stranger_neither_sees_nor_revokes_it(client: Client) -> None:
    token, _ = make_token(person("bohdan"), "club site", ["comp:admin"], 30)
    assert client.get("/tokens/").status_code == 302
    client.force_login(person("chrystyna"))
    assert "club site" not in client.get("/tokens/").content.decode()
    assert client.post(f"/tokens/{token.public_id}/revoke/").status_code == 404
    token.refresh_from_db()
    assert token.revoked_at is None
