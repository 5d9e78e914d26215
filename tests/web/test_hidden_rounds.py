"""A round that is not public: no page, list, feed or answer of the API shows a stranger who meets whom."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client

from matches.models import Player, User
from tests.cast import person
from tests.quicker import empty_tables
from tests.web.hall import decide, event, let_out, matches_of, newest_round
from tournaments.exports.files import FILES
from tournaments.formats.lifecycle import Audience
from tournaments.models import Round, Tournament
from tournaments.services import running

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def cup(django_db_setup: None, django_db_blocker, broker_urls: dict[str, str]) -> Iterator[Tournament]:
    """Five people in a Swiss whose first round is drawn, played at one table, and shown to nobody. Bohdan is one."""
    with django_db_blocker.unblock():
        person("chrystyna")
        row = event(("swiss", {"settings": {"rounds": 3}}), auto_draw=False, owners=[person("bohdan")])
        running.start(row.pk)
        let_out(newest_round(row), Audience.PARTICIPANTS)
        Round.objects.filter(stage__tournament=row).update(audience=Audience.HIDDEN)  # as rows of old may be
        decide(row, most=1)
        yield row
        empty_tables()


def addresses(row: Tournament) -> list[str]:
    """Everything that could tell of a round."""
    page, players = row.get_absolute_url(), Player.objects.filter(memberships__tournament=row)
    tournament = f"/api/v1/tournaments/{row.public_id}"
    return [
        "/",
        *(f"{page}{part}" for part in ("", "live/", "rounds/", "rounds/1/", "rounds/1/?print", "entries/")),
        f"{page}calendar.ics",
        *(f"{page}entries/{entry.public_id}/?why=points&stage=1" for entry in row.entries.all()),
        *(f"/p/{player.public_id}/" for player in players),
        *(f"/p/{player.public_id}/calendar.ics" for player in players),
        *(f"/m/{match.public_id}/" for match in matches_of(row)),
        *(tournament + part for part in ("", "/standings", "/rounds")),
        *(f"{page}files/{name}" for name in FILES),
        *(f"{tournament}/files/{name}" for name in FILES),
        "/api/v1/matches",
        *(f"/api/v1/matches/{match.public_id}" for match in matches_of(row)),
    ]


def shown(client: Client, row: Tournament) -> dict[str, list[str]]:
    """By address what it tells of pairings: a match's id or title, or its two names beside each other."""
    told: dict[str, list[str]] = {}
    for address in addresses(row):
        response = client.get(address)
        assert response.status_code in (200, 403, 404), address
        text = response.content.decode(errors="replace") if response.status_code == 200 else ""
        for match in matches_of(row):
            first, second = match.title.split(" – ")
            close = [f"{first} – {second}", f"{second} – {first}", match.public_id]
            told.setdefault(address, []).extend(one for one in close if one in text)
    return {address: found for address, found in told.items() if found}


@pytest.mark.parametrize("reader", ["", "chrystyna"])
def test_strangers_find_no_pairing_of_a_hidden_round_anywhere(client: Client, cup: Tournament, reader: str) -> None:
    log_in(client, reader)
    assert shown(client, cup) == {}
    assert client.get(f"{cup.get_absolute_url()}rounds/1/").status_code == 404


def test_the_organiser_finds_it_everywhere(client: Client, cup: Tournament) -> None:
    log_in(client, "anna")
    told = shown(client, cup)
    assert f"{cup.get_absolute_url()}rounds/1/" in told
    assert all(f"/m/{match.public_id}/" in told for match in matches_of(cup))


def test_who_plays_sees_his_own_match_of_a_hidden_round_and_no_other(client: Client, cup: Tournament) -> None:
    log_in(client, "bohdan")
    status = {match.title: client.get(f"/m/{match.public_id}/").status_code for match in matches_of(cup)}
    assert [title for title, code in status.items() if code == 200] == [title for title in status if "Greta" in title]


def test_nobody_sees_his_own_match_before_its_round_is_released(client: Client, cup: Tournament) -> None:
    Round.objects.filter(stage__tournament=cup).update(status="confirmed", closed_at=None)
    log_in(client, "bohdan")
    assert {client.get(f"/m/{match.public_id}/").status_code for match in matches_of(cup)} == {404}
    first = matches_of(cup)[0]
    assert client.post(f"/m/{first.public_id}/confirm/", {"version": 1}).status_code == 404


EVERYBODY = {"anna", "bohdan", "chrystyna", ""}


@pytest.mark.parametrize(("audience", "see"), [("participants", {"anna", "bohdan"}), ("public", EVERYBODY)])
def test_a_released_round_is_seen_by_its_audience(
    client: Client, cup: Tournament, audience: str, see: set[str]
) -> None:
    Round.objects.filter(stage__tournament=cup).update(audience=audience)
    found = set()
    for reader in sorted(EVERYBODY):
        log_in(client, reader)
        page = client.get(f"{cup.get_absolute_url()}rounds/1/")
        if page.status_code == 200 and all(match.public_id in page.content.decode() for match in matches_of(cup)):
            found.add(reader)
    assert found == see


def log_in(client: Client, name: str) -> None:
    client.logout()
    if name:
        client.force_login(User.objects.get(username=name))
