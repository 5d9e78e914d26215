"""Files of a tournament: on the page and through the API, and what is not everybody's."""

from __future__ import annotations

import csv
import io
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from openpyxl import load_workbook

from tests.cast import anna, person
from tests.tournaments.exports.test_document import of_people, play_round
from tournaments.exports.files import FILES
from tournaments.models import Tournament

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


def test_a_document_is_taken_in_on_the_site(client: Client, cup: Tournament) -> None:
    client.force_login(anna())
    content = client.get("/t/cup/files/tournament.json").content
    answer = client.post("/t/import/", {"document": SimpleUploadedFile("cup.json", content), "slug": "copy"})
    assert answer["Location"] == "/t/copy/"
    assert client.get("/t/copy/").status_code == 200
    for spoiled in (b"{", b"[" * 100_000, b"{}", json.dumps({"format": "x"}).encode(), b"\xff"):
        answer = client.post("/t/import/", {"document": SimpleUploadedFile("cup.json", spoiled)})
        assert answer.status_code == 200
        assert answer.context["form"].errors
    assert Tournament.objects.count() == 2


def test_a_stranger_takes_nothing_in(client: Client) -> None:
    assert client.get("/t/import/").status_code == 302
    client.force_login(person("chrystyna"))
    assert client.get("/t/import/").status_code == 403
