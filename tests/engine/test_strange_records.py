"""Records as nobody writes them: `verify` names a difference and never raises, whatever JSON holds."""

import json
from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import PartySetup, RecordError, Table, apply, forfeit, record_of, replay, start, steps, verify
from engine.cards import Card
from engine.record import HEADER
from engine.wording import LONGEST
from tests.engine.notation import SPARE, deck, finish, go, rules, table

Json = dict[str, object]
EASY = deck("AC TC KC AD TD KD JH 9H AH", "7C 8C 9C 7D 8D 9D 7S 8S 9S", "QH")
LONG_INT = 10**5000


def nested(depth: int) -> list[object]:
    """Lists in lists, too deep to be printed."""
    inner: list[object] = []
    for _ in range(depth):
        inner = [inner]
    return inner


def a_record(*decks: tuple[Card, ...]) -> Json:
    read: Json = json.loads(json.dumps(record_of(finish(go(table(*decks, agreed=rules(deals=1)), "take")))))
    return read


def places(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path of every value in a document, the inner ones too."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


def with_value(record: Json, path: tuple[str | int, ...], value: object) -> object:
    copied = json.loads(json.dumps(record))
    if not path:
        return value
    holder = copied
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = value
    return copied


STRANGE: list[object] = [LONG_INT, -LONG_INT, [LONG_INT], {"x": LONG_INT}, nested(100_000), "\ud800\n\x1b[2J", 1e400]
STRANGE += ["x" * 100_000, {"": None}, {LONG_INT: 1}, [[]] * 40, None, True, -1, {}]
SEEDED = json.loads(json.dumps(record_of(forfeit(start(PartySetup(rules(target=50), bytes(32))), 0))))


@pytest.mark.parametrize("record", [a_record(EASY), SEEDED], ids=["decks", "seed"])
def test_no_value_anywhere_raises(record: Json) -> None:
    paths = [path for path in places(record) if "deck" not in path[:-1] and "actions" not in path[:-1]]
    paths += [("deals", 0, "deck", 3), ("overrides", "target"), ("overrides", "jackpot"), ("overrides", "sums")]
    for path in paths + [("deals", 0, "actions", 0)] * bool(record["seed"] is None):
        for value in STRANGE:
            changed = with_value(record, path, value)
            found = verify(changed)  # type: ignore[arg-type]
            text = str(found)
            assert text.isascii()
            assert text.isprintable()
            assert len(text) < 3 * LONGEST + 100
            for read in (replay, steps):
                with suppress(RecordError):
                    read(changed)  # type: ignore[operator]


@pytest.mark.parametrize("value", STRANGE, ids=range(len(STRANGE)))
def test_a_jackpot_s_prize_may_be_anything(value: object) -> None:
    run = {"length": 7, "trumps_only": True, "from_ace": True, "first_cards": True, "prize": value}
    found = verify({**SEEDED, "overrides": {"jackpot": run}})
    assert found is not None
    assert found.field == "overrides"


def test_names_of_fields_are_escaped_and_cut() -> None:
    record = a_record(EASY)
    deal: Json = record["deals"][0]  # type: ignore[index]
    found = verify({**record, "deals": [{**deal, "x\n\x1b[31m": 1}]})
    assert str(found) == "deal 0, 'x\\n\\x1b[31m': expected nothing, found 1"
    found = verify({**record, "deals": [{**deal, "x" * 1000: "y" * 1000}]})
    assert str(found) == f"deal 0, {'x' * LONGEST}...: expected nothing, found '{'y' * (LONGEST - 1)}..."


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from([*HEADER, "deals", "result"]), JSON), st.booleans())
@settings(max_examples=200, deadline=None)
def test_no_json_value_raises(parts: Json, whole: bool) -> None:
    found = verify(parts if whole else {**SEEDED, **parts})
    assert str(found).isprintable()
    assert found is not None or not whole


# --- a party of given decks that goes on


def stopped(bids: str) -> Table:
    """A party of three packs after these actions, and at most one deal played."""
    at = table(EASY, SPARE, SPARE, agreed=rules())
    return finish(go(at, bids)) if bids.endswith("take") else go(at, bids)


@pytest.mark.parametrize("bids", ["take", "pass pass pass pass", "pass pass pass pass take", "take AC"])
def test_a_running_party_of_decks_is_a_record_too(bids: str) -> None:
    at = stopped(bids)
    record = json.loads(json.dumps(record_of(at)))
    assert len(record["deals"]) == len(at.party.deals) < 3
    assert verify(record) is None
    taken = steps(record)
    assert [step.kind for step in taken].count("score") == len(at.party.deals)
    assert [step.totals for step in taken if step.kind == "score"] == [deal.totals for deal in at.party.deals]


def test_what_a_running_party_of_decks_replays_to() -> None:
    """The table between two deals: all that is written, and nobody to act until a pack is given."""
    at = stopped("take")
    last = replay(json.loads(json.dumps(record_of(at))))
    assert (last.party, last.ply, last.over, last.seat_to_act, last.legal) == (at.party, at.ply, False, None, ())
    assert last.deal.history == at.earlier[0]
    with pytest.raises(ValueError, match="decks that were given have run out"):
        forfeit(last, 0)
    with pytest.raises(ValueError, match="decks that were given have run out"):
        apply(last, at.legal[0])


def test_a_party_of_decks_of_which_no_deal_is_finished() -> None:
    record = json.loads(json.dumps(record_of(table(EASY))))
    assert (record["deals"], record["result"]) == ([], None)
    assert verify(record) is None
    assert steps(record) == ()
    with pytest.raises(RecordError, match="deals: expected 'a deck', found nothing"):
        replay(record)
    over = a_record(EASY)["result"]
    found = verify({**record, "result": over})
    assert found is not None
    assert (found.field, found.expected) == ("result", None)


def test_a_running_party_is_guarded_like_any_other() -> None:
    record = json.loads(json.dumps(record_of(stopped("take"))))
    assert verify({**record, "result": a_record(EASY)["result"]}) is not None
    for path in places(record["deals"]):
        if path[1:2] in (("points",), ("written",), ("totals",), ("end",), ("waiting",)) and len(path) == 3:
            assert verify(with_value(record, ("deals", *path), 12345)) is not None  # type: ignore[arg-type]
    cut = with_value(record, ("deals", 0, "actions"), record["deals"][0]["actions"][:-1])
    assert verify(cut) is not None  # type: ignore[arg-type]
