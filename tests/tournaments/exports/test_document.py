"""A tournament as one document: taken in elsewhere it has the same standings, and a bad one leaves nothing behind."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.core.agreement import ReportedScore
from matches.models import Match, Player
from matches.services.outbox import deliver_due
from matches.services.players import person as player
from matches.services.reports import rule
from tests.cast import SEED, anna, person, played
from tournaments.errors import TournamentError
from tournaments.exports.document import document_of
from tournaments.imports.document import take_document
from tournaments.models import Entry, Round, Tournament
from tournaments.services import entries, publishing, running, stages

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]


def of_people(*formats: tuple[str, dict[str, Any]], people: int = 5, **options: Any) -> Tournament:
    cup = Tournament.objects.create(slug="cup", name="Cup", organiser=anna(), **{"rules": "moscow/2", **options})
    for name in ("Ada", "Bob", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal")[:people]:
        entries.enter_player(cup.pk, Player.objects.filter(name=name).first() or player(name))
    for number, (chosen, columns) in enumerate(formats, start=1):
        stages.plan(cup.pk, chosen, **columns, seeding="entered" if number == 1 else "earlier")
    running.start(cup.pk, SEED)
    return Tournament.objects.get(pk=cup.pk)


def play_round(cup: Tournament) -> None:
    """Everything that can be played: the scores follow from who meets, so that two like tournaments go on alike."""
    open_ones = Match.objects.filter(status="awaited", pairing__round__stage__tournament=cup)
    for match in open_ones.select_related("pairing").order_by("pk"):
        seats = match.pairing.seats.select_related("entry").order_by("seat")
        scores = tuple(300 + 97 * seat.entry.number % 400 for seat in seats)
        rule(match.pk, anna(), ReportedScore(scores), "as played")
    deliver_due()
    cup.refresh_from_db()


def there_and_back(cup: Tournament, **options: Any) -> tuple[dict[str, Any], Tournament]:
    document = json.loads(json.dumps(document_of(cup, is_whole=True)))
    return document, take_document(document, person("bohdan"), **{"slug": "copy", **options})


def without_ids(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if name != "entry"} for row in rows]


def test_a_tournament_of_programs_is_taken_in_with_the_same_standings() -> None:
    cup = played("greedy@1", "random@1", "random@1")
    _, copied = there_and_back(cup)
    assert copied.status == "published"
    assert without_ids(publishing.snapshot_rows(copied)) == without_ids(publishing.snapshot_rows(cup))
    assert [one.sha256 for one in copied.snapshots.all()] == [one.sha256 for one in cup.snapshots.all()]
    assert {member.player.kind for entry in copied.entries.all() for member in entry.members.all()} == {"person"}


def test_in_another_installation_the_bytes_are_the_same() -> None:
    cup = of_people(("swiss", {"settings": {"rounds": 3}}))
    for _ in range(3):
        play_round(cup)
    document, bytes_before = document_of(cup, is_whole=True), publishing.canonical(publishing.snapshot_rows(cup))
    moved = _as_elsewhere(cup, document)
    assert publishing.canonical(publishing.snapshot_rows(moved)) == bytes_before
    again = document_of(moved, is_whole=True)
    assert (again["tournament"].pop("rated"), document["tournament"].pop("rated")) == (False, True), "nobody saw it"
    for told in (document, again):
        for one in told["snapshots"]:
            del one["published_at"]
    assert again == document


def _as_elsewhere(cup: Tournament, document: dict[str, Any]) -> Tournament:
    """Taken in after the original's ids are gone from here, as in an installation that never had them."""
    for number, entry in enumerate(cup.entries.order_by("pk")):
        Entry.objects.filter(pk=entry.pk).update(public_id=f"e_{number:022}")
    Tournament.objects.filter(pk=cup.pk).update(slug="gone")
    return take_document(document, person("bohdan"))


@pytest.mark.parametrize(
    "formats",
    [
        [("swiss", {"settings": {"rounds": 2}}), ("single_elimination", {"takes": {"first": 4}})],
        [("double_elimination", {})],
    ],
    ids=["swiss-then-bracket", "double"],
)
def test_what_was_running_goes_on_here_after_a_pause(formats: list) -> None:
    cup = of_people(*formats)
    play_round(cup)
    _, copied = there_and_back(cup)
    assert copied.status == "paused"
    copied = running.resume(copied.pk)
    for competition in (cup, copied):
        for _ in range(12):
            if competition.status in ("finished", "published"):
                break
            play_round(competition)
    assert {cup.status, copied.status} == {"published"}
    assert without_ids(publishing.snapshot_rows(copied)) == without_ids(publishing.snapshot_rows(cup))


def test_a_name_that_a_program_has_becomes_another_person() -> None:
    cup = played("greedy@1", "random@1")
    _, copied = there_and_back(cup)
    names = sorted(member.player.name for entry in copied.entries.all() for member in entry.members.all())
    assert names == ["Greedy 1 (2)", "Random 2 (2)"]
    assert sorted(entry.name for entry in copied.entries.all()) == ["Greedy 1", "Random 2"]


def test_the_seed_of_the_lots_stays_secret_until_it_is_over() -> None:
    cup = of_people(("swiss", {"settings": {"rounds": 2}}))
    assert "lots_seed" not in document_of(cup)["tournament"]
    assert document_of(cup, is_whole=True)["tournament"]["lots_seed"] == bytes(cup.lots_seed).hex()
    play_round(cup)
    play_round(cup)
    assert cup.status == "published"
    assert "lots_seed" in document_of(cup)["tournament"]


def _without(document: dict[str, Any], *path: str | int) -> None:
    for step in path[:-1]:
        document = document[step]  # type: ignore[index]
    del document[path[-1]]  # type: ignore[arg-type]


def _first_table(document: dict[str, Any]) -> dict[str, Any]:
    return document["stages"][0]["rounds"][0]["pairings"][0]


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda d: d.update(format="chess/1"), "none of ours"),
        (lambda d: _without(d, "tournament", "rules"), "tournament: rules is missing"),
        (lambda d: d["tournament"].update(rules="bridge/4"), "tournament"),
        (lambda d: d["tournament"].update(started_at="yesterday"), "expected a time"),
        (lambda d: d["tournament"].update(lots_seed="00" * 32), "lots_commitment"),
        (lambda d: d["entries"][0].update(name=7), r"entries\[0\]: name: expected a text"),
        (lambda d: _without(d, "stages", 0, "rounds", 1, "pairings"), r"stages\[0\]\.rounds\[1\]: pairings is missing"),
        (
            lambda d: d["stages"][0]["rounds"][0]["pairings"][0]["match"]["result"]["seats"].pop(),
            r"rounds\[0\]: a result tells of each of the 2 seats",
        ),
        (lambda d: _first_table(d)["seats"][0].update(entry=99), "99 is missing"),
        (lambda d: d["standings"][0].update(points=400), "do not follow"),
        (lambda d: d.update(entries={}), "stages"),
    ],
)
def test_a_bad_document_says_where_and_leaves_nothing(spoil: Any, told: str) -> None:
    cup = of_people(("swiss", {"settings": {"rounds": 2}}))
    play_round(cup)
    document = copy.deepcopy(document_of(cup, is_whole=True))
    spoil(document)
    before = (Tournament.objects.count(), Player.objects.count(), Match.objects.count(), Round.objects.count())
    with pytest.raises(TournamentError, match=told):
        take_document(document, anna(), slug="copy")
    assert before == (
        Tournament.objects.count(),
        Player.objects.count(),
        Match.objects.count(),
        Round.objects.count(),
    )


def test_more_entries_are_no_more_statements() -> None:
    """Seven rounds of 64 are taken in while somebody waits for the page."""
    counted = []
    for people in (4, 8):
        Tournament.objects.filter(slug="cup").update(slug=f"before-{people}")
        cup = of_people(("swiss", {"settings": {"rounds": 2}}), people=people)
        play_round(cup)
        document = document_of(cup, is_whole=True)
        for one in document["entries"]:
            one["members"] = [{"name": f"{one['name']} of {people}", "kind": "person"}]
        with CaptureQueriesContext(connection) as queries:
            take_document(document, anna(), slug=f"copy-{people}")
        counted.append(len(queries))
    assert counted[0] == counted[1] < 120


def test_a_document_that_hides_its_lots_is_refused() -> None:
    cup = of_people(("swiss", {"settings": {"rounds": 2}}))
    with pytest.raises(TournamentError, match="the file that its directors are given has it"):
        take_document(document_of(cup), anna(), slug="copy")


def test_an_address_that_is_taken_asks_for_another() -> None:
    cup = of_people(("swiss", {"settings": {"rounds": 2}}))
    with pytest.raises(TournamentError, match="/t/cup/ is taken"):
        take_document(document_of(cup, is_whole=True), anna())
