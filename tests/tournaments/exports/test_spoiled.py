"""A document with one thing in it spoiled: refused with a text, or taken in with pages that can all be shown."""

from __future__ import annotations

import contextlib
import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from tests.cast import anna
from tests.tournaments.exports.test_document import of_people, play_round
from tournaments.errors import TournamentError
from tournaments.exports.document import document_of
from tournaments.exports.files import FILES
from tournaments.imports.document import take_document
from tournaments.models import Tournament
from tournaments.services import running
from tournaments.services.publishing import digest

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]

SPOILINGS = 12
GONE = object()
BAD = (GONE, None, "x", "", -1, 0, 2, 7, 10**12, True, 1.5, [], {}, [{"x": 1}], [1], {"a": 1}, "\x00")
Path = tuple[str | int, ...]


def places_in(value: Any, path: Path = ()) -> Iterator[Path]:
    """Every place in a document, from the outside inwards."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in inside:
        yield (*path, key)
        yield from places_in(inner, (*path, key))


def spoiled(document: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    changed = copy.deepcopy(document)
    at: Any = changed
    for step in path[:-1]:
        at = at[step]
    if value is GONE:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    for one in changed.get("snapshots") or () if path[:1] == ("snapshots",) else ():
        if isinstance(one, dict) and path[2:] != ("sha256",):
            one["sha256"] = digest(one.get("rows", []))  # as whoever means to deceive would
    return changed


def addresses(taken: Tournament) -> Iterator[str]:
    page = f"/t/{taken.slug}/"
    yield from ("/", page, f"{page}rounds/", f"{page}entries/", "/api/v1/tournaments", f"{page}desk/")
    yield from (f"/api/v1/tournaments/{taken.public_id}{end}" for end in ("", "/standings", "/rounds"))
    for stage in taken.stages.all():
        for drawn in stage.rounds.all():
            yield f"{page}stages/{stage.number}/rounds/{drawn.number}/?check=1"
    entry = taken.entries.first()
    yield f"{page}entries/{entry.public_id if entry else ''}/"
    yield from (f"{page}standings/{one.number}/" for one in taken.snapshots.all())
    yield from (f"{page}files/{name}" for name in FILES)


def outcome(document: Any, reader: Client) -> str:
    """`refused`, or `taken` with every page read and the rest begun; whatever it is, nothing stays."""
    with transaction.atomic():
        told = _outcome(document, reader)
        transaction.set_rollback(True)
    return told


def _outcome(document: Any, reader: Client) -> str:
    try:
        taken = take_document(document, anna(), slug="copy")
    except TournamentError:
        return "refused"
    _read(taken, reader)
    with contextlib.suppress(TournamentError):
        running.resume(taken.pk)
        _read(taken, reader)
    return "taken"


def _read(taken: Tournament, reader: Client) -> None:
    for address in addresses(taken):
        assert reader.get(address).status_code < 500, address


def swiss() -> dict[str, Any]:
    cup = of_people(("swiss", {"settings": {"rounds": 2}}), ("single_elimination", {"takes": {"first": 4}}))
    play_round(cup)
    return json.loads(json.dumps(document_of(cup, is_whole=True)))


def chain() -> dict[str, Any]:
    """Published, its bracket after a Swiss."""
    cup = of_people(("swiss", {"settings": {"rounds": 2}}), ("single_elimination", {"takes": {"first": 4}}))
    for _ in range(4):
        play_round(cup)
    assert cup.status == "published"
    return json.loads(json.dumps(document_of(cup, is_whole=True)))


@pytest.mark.parametrize("make", [swiss, chain])
def test_one_thing_spoiled_is_refused_or_shown(make: Any, client: Client) -> None:
    document, lots = make(), random.Random(make.__name__)
    client.force_login(anna())
    assert outcome(document, client) == "taken"
    paths = sorted(places_in(document), key=str)
    found = []
    for _ in range(SPOILINGS):
        path, value = lots.choice(paths), lots.choice(BAD)
        try:
            found.append(outcome(spoiled(document, path, value), client))
        except Exception as error:
            raise AssertionError(f"{path} spoiled by {value!r}") from error
    assert found.count("refused") > len(found) // 3


FIRST = ("stages", 0, "rounds", 0)


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (("snapshots", 0, "rows"), [{"a": 1}], "snapshots: "),
        (("snapshots", 0, "rows"), "garbage", "expected a list"),
        (("snapshots", 0, "rows", 0, "place"), "1", "whole numbers"),
        (("snapshots", 0, "sha256"), "0" * 64, "sha256 is not that of the rows"),
        (("snapshots", 0, "rows", 0, "entry"), "e_somebody", "no entry of the document"),
        (("entries", 0, "members"), [], r"entries\[0\]: expected 1 to 8 members"),
        (("entries", 0, "hands"), 7, "hands: expected 1 to 1"),
        (("stages", 1, "rounds", 0, "pairings", 0, "seats", 1), GONE, "1 seats are not 2"),
        ((*FIRST, "draw"), "x", r"rounds\[0\]: "),
        ((*FIRST, "lots"), "zz", "64 hexadecimal digits"),
        ((*FIRST, "position", "position", "entrants", 0, "number"), "x", "whole numbers"),
        ((*FIRST, "pairings", 0, "bye"), "x", "bye"),
        ((*FIRST, "pairings", 0, "reasons"), [{"x": 1}], "a code and its values"),
        ((*FIRST, "pairings", 0, "match", "status"), "running", "decided by nothing"),
        ((*FIRST, "pairings", 0, "match", "result", "seats", 0, "side"), 1, "side"),
        (("stages", 0, "settings"), {"rounds": "x"}, "whole number"),
        (("stages", 0, "format"), "tables_swiss", "not played at moscow/2"),
        (("stages", 0, "takes"), {"x": 1}, "no such setting"),
        (("stages", 1, "status"), "running", "a stage of it is not over"),
        (("tournament", "tie_breaks"), ["nonsense"], "no such criterion"),
        (("tournament", "overrides"), {"target": 2**31}, "target: 10000 is the most"),
        (("tournament", "lots_seed"), GONE, "lots_seed is missing"),
        (("tournament", "slug"), "new", "address"),
    ],
)
def test_what_no_page_could_show_is_refused(path: Path, value: Any, told: str, published: dict[str, Any]) -> None:
    changed = spoiled(published, path, value)
    with pytest.raises(TournamentError, match=told):
        take_document(changed, anna(), slug=None if path[-1] == "slug" else "copy")
    assert Tournament.objects.count() <= 1


@pytest.fixture(scope="module")
def kept() -> dict[str, Any]:
    return {}


@pytest.fixture
def published(kept: dict[str, Any]) -> dict[str, Any]:
    """Played once for all of them."""
    if not kept:
        kept.update(chain())
    return kept
