"""Files of a tournament: on the page and through the API, and what is not everybody's."""

from __future__ import annotations

import csv
import io
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from openpyxl import load_workbook

from bots_api.tokens import make_token
from matches.models import Player, User
from tests.cast import anna, person
from tests.tournaments.exports.test_document import of_people, play_round
from tournaments.exports.files import FILES
from tournaments.models import Round, Tournament
from tournaments.services import running

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]


@pytest.fixture
def cup() -> Tournament:
    started = of_people(("swiss", {"settings": {"rounds": 3}}))
    play_round(started)
    return started


def rows_of(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def test_the_standings_are_those_of_the_page(client: Client, cup: Tournament) -> None:
    answer = client.get("/t/cup/files/standings.csv")
    assert answer["Content-Disposition"] == 'attachment; filename="cup-standings.csv"'
    head, *rows = rows_of(answer.content)
    assert head[:3] == ["Place", "Name", "Club"]
    assert {row[1]: row[head.index("Points")] for row in rows} == {
        "Ada": "0.0",
        "Bob": "1.0",
        "Cleo": "1.0",
        "Dan": "1.0",
        "Eve": "1.0",
    }


def test_the_cross_table_says_whom_everybody_met(client: Client, cup: Tournament) -> None:
    _, *rows = rows_of(client.get("/t/cup/files/crosstable.csv").content)
    told = {row[2]: row[4] for row in rows}
    assert [row[2] for row in rows if row[5]] == ["Bob"], "the bye of a draw that is public counts"
    assert told == {"Ada": "3: 0.0", "Cleo": "1: 1.0", "Bob": "4: 0.0", "Dan": "2: 1.0", "Eve": "bye: 1.0"}


def test_a_workbook_has_both(client: Client, cup: Tournament) -> None:
    book = load_workbook(io.BytesIO(client.get("/t/cup/files/standings.xlsx").content))
    assert book.sheetnames == ["Standings", "Cross table"]
    assert {row[2].value for row in book["Cross table"].iter_rows(min_row=2)} == {"Ada", "Bob", "Cleo", "Dan", "Eve"}


def test_a_swiss_has_its_trf(client: Client, cup: Tournament) -> None:
    text = client.get("/t/cup/files/tournament.trf").content.decode()
    assert "092 Swiss" in text
    assert text.count("\n001 ") == 5


def test_the_whole_is_its_directors_until_it_is_over(client: Client, cup: Tournament) -> None:
    assert client.get("/t/cup/files/tournament.json").status_code == 403
    client.force_login(person("chrystyna"))
    assert client.get("/t/cup/files/tournament.json").status_code == 403
    client.force_login(anna())
    assert client.get("/t/cup/files/tournament.json").json()["tournament"]["slug"] == "cup"
    for _ in range(2):
        play_round(cup)
    assert Client().get("/t/cup/files/tournament.json").status_code == 200


def test_the_api_has_the_same_files(client: Client, cup: Tournament) -> None:
    for name in FILES:
        expected = {True: 403, False: 200}[FILES[name].is_whole]
        assert client.get(f"/api/v1/tournaments/{cup.public_id}/files/{name}").status_code == expected, name
    assert client.get(f"/api/v1/tournaments/{cup.public_id}/files/standings.pdf").status_code == 404
    assert client.get("/t/cup/files/standings.csv?stage=2").status_code == 404
    assert client.get("/t/cup/files/standings.csv?stage=1").status_code == 200


def test_a_hidden_round_keeps_who_met_whom_its_directors(cup: Tournament) -> None:
    for _ in range(2):
        play_round(cup)
    Round.objects.filter(stage__tournament=cup, number=2).update(audience="participants")
    bohdan = person("bohdan")
    for reader, status in ((None, 403), (bohdan, 403), (anna(), 200)):
        _all_answer(reader, cup, status)
    Player.objects.filter(name="Ada").update(owner=bohdan)
    _all_answer(bohdan, cup, 200)


def _all_answer(reader: User | None, cup: Tournament, status: int) -> None:
    """Each file that tells who met whom, on the site and through the API; the others are everybody's."""
    client, headers = Client(), {}
    if reader:
        client.force_login(reader)
        headers = {"Authorization": f"Bearer {make_token(reader, f'program {status}', ['comp:admin'], 1)[1]}"}
    for name, file in FILES.items():
        expected = status if file.tells_meetings else 200
        for address in (f"/t/cup/files/{name}", f"/api/v1/tournaments/{cup.public_id}/files/{name}"):
            assert client.get(address, headers=headers).status_code == expected, address


def test_a_draw_that_was_never_out_is_in_no_file(cup: Tournament) -> None:
    first = Round.objects.get(stage__tournament=cup, number=1)
    Round.objects.create(stage=first.stage, number=2, status="withdrawn", audience="hidden", draw=first.draw)
    drawn = Round.objects.get(stage__tournament=cup, number=2, status="released")
    Round.objects.filter(pk=drawn.pk).update(status="confirmed", audience="hidden")
    running.cancel(cup.pk, "rain")
    assert Client().get("/t/cup/files/tournament.json").status_code == 403
    Round.objects.filter(pk=drawn.pk).update(status="released", audience="public")
    told = Client().get("/t/cup/files/tournament.json").json()["stages"][0]["rounds"]
    assert [one["status"] for one in told] == ["closed", "released"]
    director = Client()
    director.force_login(anna())
    assert len(director.get("/t/cup/files/tournament.json").json()["stages"][0]["rounds"]) == 3


def test_a_document_is_taken_in_on_the_site(client: Client, cup: Tournament) -> None:
    """While it is on, with lots among its tie-breaks and by the same lots."""
    Tournament.objects.filter(pk=cup.pk).update(tie_breaks=["buchholz", "lot"])
    client.force_login(anna())
    content = client.get("/t/cup/files/tournament.json").content
    answer = client.post("/t/import/", {"document": SimpleUploadedFile("cup.json", content), "slug": "copy"})
    assert answer["Location"] == "/t/copy/"
    assert client.get("/t/copy/").status_code == 200
    assert Tournament.objects.get(slug="copy").lots_commitment == cup.lots_commitment
    for spoiled in (b"{", b"[" * 100_000, b"{}", json.dumps({"format": "x"}).encode(), b"\xff"):
        answer = client.post("/t/import/", {"document": SimpleUploadedFile("cup.json", spoiled)})
        assert answer.status_code == 200
        assert answer.context["form"].errors
    assert Tournament.objects.count() == 2


def test_a_stranger_takes_nothing_in(client: Client) -> None:
    assert client.get("/t/import/").status_code == 302
    client.force_login(person("chrystyna"))
    assert client.get("/t/import/").status_code == 403
