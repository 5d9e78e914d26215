"""Protocol §3: records, replay, and a verify that no change escapes."""

import copy
import json
import random
import re
from collections.abc import Iterator
from functools import cache

import pytest

from engine import (
    Difference,
    IllegalAction,
    PartySetup,
    RecordError,
    Table,
    apply,
    default_action,
    forfeit,
    parse_action,
    record_of,
    replay,
    start,
    steps,
)
from engine import verify as difference_in
from engine.bots import house
from engine.presets import PRESETS
from engine.view import observe
from tests.engine.notation import SEED, SPARE, deck, finish, go, rules, table

Path = tuple[str | int, ...]
Json = dict[str, object]


def random_party(seed: int, agreed: object = None, failing: float = 0.0, **setup: object) -> Table:
    """A party of random play; a seat fails now and then and the default is played for it."""
    rng = random.Random(seed)
    at, bot = start(PartySetup(agreed or rules(), rng.randbytes(32), **setup)), house("random")  # type: ignore[arg-type]
    while at.seat_to_act is not None:
        if rng.random() < failing:
            at = apply(at, default_action(at), "timeout")
        else:
            at = apply(at, bot.choose(observe(at, at.seat_to_act), rng))
    return at


def as_read(at: Table) -> Json:
    """The record as it comes back from a file."""
    read: Json = json.loads(json.dumps(record_of(at)))
    return read


HEADER = ["record", "engine", "rules", "overrides", "players", "pairs", "seed", "entropy", "commitment", "shuffle"]
HEADER += ["suits", "first_dealer", "first_dealer_by", "deals", "result"]
DEAL = [
    "number",
    "dealer",
    "deck",
    "actions",
    "end",
    "maker",
    "trump",
    "points",
    "written",
    "waiting",
    "fines",
    "totals",
]


def test_keys_in_the_protocol_s_order() -> None:
    record = as_read(random_party(1))
    assert list(record) == HEADER
    assert [list(deal) for deal in record["deals"]] == [DEAL] * len(record["deals"])  # type: ignore[arg-type, attr-defined]
    assert list(record["result"]) == ["totals", "winner", "reason", "stakes", "forfeiter"]  # type: ignore[call-overload]
    assert (record["record"], record["engine"], record["shuffle"]) == ("manela/1", "0.2.0", 1)


def test_a_record_in_full() -> None:
    pack = deck("AC TC KC AD TD KD JH 9H AH", "7C 8C 9C 7D 8D 9D 7S 8S 9S", "QH")
    begun = table(pack, agreed=rules(deals=1))
    record = as_read(finish(go(begun, "take")))
    deal = record["deals"][0]  # type: ignore[index]
    assert (record["seed"], record["commitment"], record["entropy"], record["first_dealer_by"]) == (
        None,
        None,
        "",
        "match",
    )
    assert deal["actions"][:3] == ["0 take", "0 play:TC", "1 play:7C"]
    assert (deal["end"], deal["maker"], deal["trump"]) == ("played", 0, "H")
    assert (deal["points"], deal["written"], deal["fines"], deal["totals"]) == ([105, 0],) * 2 + ([0, 0], [105, 0])
    assert record["result"] == {
        "totals": [105, 0],
        "winner": 0,
        "reason": "deals",
        "stakes": None,
        "forfeiter": None,
    }
    assert difference_in(record) is None


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("preset", PRESETS)
def test_records_verify_and_replay(preset: str, seed: int) -> None:
    at = random_party(seed, rules(preset), failing=0.1)
    assert difference_in(as_read(at)) is None
    assert replay(as_read(at)) == at


def test_entropy_suits_and_a_dealer_of_the_match() -> None:
    at = random_party(3, entropy=SEED, suits="SDHC", first_dealer=1)
    record = as_read(at)
    assert (record["entropy"], record["suits"], record["first_dealer"]) == (SEED.hex(), "SDHC", 1)
    assert difference_in(record) is None
    assert replay(record) == at


def test_a_running_party_has_no_result() -> None:
    at = go(start(PartySetup(rules(), SEED)), "pass pass pass pass pass")
    record = as_read(at)
    assert (record["result"], len(record["deals"])) == (None, 1)  # type: ignore[arg-type]
    assert difference_in(record) is None


def test_forfeits_stand_last_in_the_record() -> None:
    for actions in ("", "pass", "pass pass pass pass", "pass pass pass pass pass"):
        at = forfeit(go(start(PartySetup(rules(), SEED)), actions), 1)
        record = as_read(at)
        assert record["deals"][-1]["end"] == "forfeit"  # type: ignore[index]
        assert difference_in(record) is None
        assert replay(record) == at


@pytest.mark.parametrize(
    ("action", "cause", "code"),
    [("take", "timeout", "not_the_default"), ("pass", "boredom", "unknown_cause"), ("pass", "", "unknown_cause")],
)
def test_a_cause_marks_a_default_and_nothing_else(action: str, cause: str, code: str) -> None:
    with pytest.raises(IllegalAction) as caught:
        apply(start(PartySetup(rules(), SEED)), parse_action(action), cause)
    assert caught.value.code == code


# --- corruption


@cache
def corpus() -> tuple[str, ...]:
    """Records that hold every kind of thing: closes, hangs, baits, defaults, forfeits, fines, overrides, stakes."""
    asked = rules(no_tricks_fine=20, bait_fine_from=1, hang_repeat="queue", deals=3)
    parties = [random_party(2, rules(target=150)), random_party(8, rules(deals=3), failing=0.2)]
    parties.append(random_party(11, asked))
    parties.append(forfeit(go(start(PartySetup(rules(), SEED, entropy=SEED)), "pass pass pass pass pass"), 1))
    pack = deck("JC 7S JD KS TC KH 9H 9D TD", "AD 8H TH 7D AS 8C JH AH QS", "9C", "TS")
    parties.append(finish(go(table(pack, agreed=rules(deals=1)), "take")))
    forced = table(pack, pack, agreed=rules("klabor/2", deals=2, jackpot="off"))
    parties.append(finish(finish(go(forced, "take"))))
    run = deck("AC KC QC JC TC 9C 8C 7D TD", "JH 9H AH QH KH 8H 7S 8S 9S", "7H")
    parties.append(go(table(run, agreed=rules("fpclub/2")), "take AC"))
    parties.append(go(table(run, agreed=rules("short_dava/2")), "take dava accept AC QH dava surrender"))
    lit = table(run, agreed=rules("kharkov_full/2", illegal_move="rules", deals=1))
    parties.append(apply(go(lit, "take AC"), parse_action("play:7S"), "illegal"))
    parties.append(random_party(5, rules("klabor/pairs", target=150), failing=0.1))
    parties.append(random_party(6, rules("moscow/3", target=150)))
    return tuple(json.dumps(record_of(at)) for at in parties)


def leaves(value: object, path: Path = ()) -> Iterator[tuple[Path, object]]:
    """Every leaf of a document with its path."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list) and value:
        for place, inner in enumerate(value):
            yield from leaves(inner, (*path, place))
    else:
        yield path, value


def other_values(value: object) -> list[object]:
    """What a leaf might be changed into: another of its kind, and other kinds."""
    if isinstance(value, bool):
        return [not value, int(value), None]
    if isinstance(value, int):
        return [value + 1, value - 1, float(value), str(value), None, bool(value) if value in (0, 1) else True]
    if isinstance(value, str):
        return [value + " ", value[:-1], value.swapcase() if value.swapcase() != value else value + "x", None, 0]
    if isinstance(value, list):
        return [[0], None, {}]
    return [0, 1, "", "H", []]


def changed(record: Json, path: Path, value: object) -> Json:
    """The record with one leaf set."""
    copied = copy.deepcopy(record)
    holder: object = copied
    for step in path[:-1]:
        holder = holder[step]  # type: ignore[index]
    holder[path[-1]] = value  # type: ignore[index]
    return copied


def place_of(difference: Difference) -> tuple[int, int]:
    """Deal and action for comparison: the header first, the result last."""
    if difference.deal is None:
        return (10**6, 0) if difference.field.startswith(("result", "deals")) else (-1, 0)
    return difference.deal, 10**6 if difference.action is None else difference.action


def place_of_path(path: Path) -> tuple[int, int]:
    """The place in the record that a path points at."""
    if path[0] == "result":
        return 10**6, 0
    if path[0] != "deals":
        return 10**6, 0
    return int(path[1]), int(path[3]) if path[2] == "actions" else 10**6


@pytest.mark.parametrize("number", range(11))
def test_every_leaf_under_deals_and_result_is_guarded(number: int) -> None:
    record: Json = json.loads(corpus()[number])
    rng = random.Random(number)
    for path, value in [*leaves(record["deals"], ("deals",)), *leaves(record["result"], ("result",))]:
        # All kinds of change for the few leaves of a kind that are not cards or actions, one of them for the many.
        others = other_values(value)
        many = path[0] == "deals" and path[2] in ("deck", "actions")
        for other in [rng.choice(others)] if many else others:
            found = difference_in(changed(record, path, other))
            assert found is not None, (path, value, other)
            assert place_of(found) <= place_of_path(path), (path, value, other, found)


@pytest.mark.parametrize("number", range(11))
def test_a_changed_number_is_named_by_deal_and_field(number: int) -> None:
    record: Json = json.loads(corpus()[number])
    for path, value in leaves(record["deals"], ("deals",)):
        if isinstance(value, int) and path[2] in ("points", "written", "fines", "totals", "waiting", "maker"):
            found = difference_in(changed(record, path, value + 1))
            named = ".".join(map(str, path[2:]))
            assert found == Difference(int(path[1]), None, named, value, value + 1)


@pytest.mark.parametrize("number", range(11))
def test_another_card_or_action_is_refused_where_it_stands(number: int) -> None:
    """Also one that is well formed: every card of a deck becomes another card, every action another action."""
    record: Json = json.loads(corpus()[number])
    rng = random.Random(number)
    for index, deal in enumerate(record["deals"]):  # type: ignore[arg-type, var-annotated]
        place = rng.randrange(32)
        other = deal["deck"][place - 1]
        found = difference_in(changed(record, ("deals", index, "deck", place), other))
        assert found is not None
        assert (found.deal, found.field.split(".")[0]) == (index, "deck")
        for at, text in enumerate(deal["actions"]):
            for instead in ("0 play:7C", "1 pass", "1 play:AS !timeout", text + " !timeout", text + " !nonsense", "x"):
                if instead != text:
                    found = difference_in(changed(record, ("deals", index, "actions", at), instead))
                    assert found is None or place_of(found) >= (index, at)
                    # Whether a default was chosen or played for a seat that failed, nothing else in a record tells.
                    assert found is not None or f"{text} !timeout" == instead or f"{instead} !timeout" == text


@pytest.mark.parametrize("number", range(11))
def test_whole_parts_lost_or_added(number: int) -> None:
    record: Json = json.loads(corpus()[number])
    for key in HEADER:
        found = difference_in({name: value for name, value in record.items() if name != key})
        assert found is not None
        assert found.field == key
    deals: list[Json] = record["deals"]  # type: ignore[assignment]
    for key in DEAL:
        found = difference_in({**record, "deals": [{n: v for n, v in deals[0].items() if n != key}, *deals[1:]]})
        assert found is not None
        assert (found.deal, found.field) == (0, key)
    for added in ({**deals[0], "note": 1}, {**deals[0], "actions": [*deals[0]["actions"], "0 pass"]}):  # type: ignore[misc]
        assert difference_in({**record, "deals": [added, *deals[1:]]}) is not None
    assert difference_in({**record, "deals": deals[:-1]}) is not None
    assert difference_in({**record, "deals": [*deals, deals[-1]]}) is not None
    assert difference_in({**record, "result": None}) is not None
    assert difference_in({**record, "result": {**record["result"], "note": 1}}) is not None  # type: ignore[dict-item]
    found = difference_in({**record, "deals": [{**deals[0], "actions": deals[0]["actions"][:-1]}, *deals[1:]]})  # type: ignore[index]
    assert found is None or (found.deal or 0, found.field) in [(0, "actions"), (0, "maker")]


def test_a_field_that_readers_do_not_know_is_passed_over_at_the_top() -> None:
    assert difference_in({**as_read(random_party(1)), "played_at": "2026-11-29"}) is None


HEADER_CHANGES = [
    ("record", "manela/2", "record"),
    ("rules", "moscow/2", "rules"),
    ("rules", "moscow/9@1", "rules"),
    ("rules", 2, "rules"),
    ("overrides", {"target": 0}, "overrides"),
    ("overrides", [], "overrides"),
    ("players", 3, "players"),
    ("pairs", True, "pairs"),
    ("seed", "00" * 32, "commitment"),
    ("seed", "00" * 31, "seed"),
    ("seed", "ZZ" * 32, "seed"),
    ("entropy", "11" * 32, "deck"),
    ("entropy", "11", "entropy"),
    ("commitment", "00" * 32, "commitment"),
    ("commitment", None, "commitment"),
    ("shuffle", 2, "shuffle"),
    ("shuffle", True, "shuffle"),
    ("suits", "DCHS", "deck"),
    ("suits", "CDH", "suits"),
    ("first_dealer", 2, "first_dealer"),
    ("first_dealer", True, "first_dealer"),
    ("first_dealer_by", "chance", "first_dealer_by"),
    ("engine", 1, "engine"),
    ("deals", {}, "deals"),
    ("deals", [7], "deals"),
    ("result", [], "result"),
]


@pytest.mark.parametrize(("key", "value", "named"), HEADER_CHANGES)
def test_the_header_is_guarded(key: str, value: object, named: str) -> None:
    found = difference_in({**as_read(random_party(2)), key: value})
    assert found is not None
    assert found.field.split(".")[0] == named


def test_the_lot_and_the_match_s_dealer_are_guarded() -> None:
    by_lot = as_read(random_party(2))
    other = 1 - int(str(by_lot["first_dealer"]))
    found = difference_in({**by_lot, "first_dealer": other})
    assert found is not None
    assert found.field == "first_dealer"
    by_match = as_read(random_party(2, first_dealer=other))
    found = difference_in({**by_match, "first_dealer": 1 - other})
    assert found is not None
    assert (found.deal, found.field) == (0, "dealer")
    found = difference_in({**by_match, "first_dealer_by": "lot"})
    assert found is not None
    assert found.field == "first_dealer"


def test_without_a_seed_the_decks_are_the_authority() -> None:
    record: Json = json.loads(corpus()[4])
    assert difference_in(record) is None
    for key, value in (("first_dealer_by", "lot"), ("suits", "DCHS"), ("commitment", "00"), ("entropy", "11" * 32)):
        assert difference_in({**record, key: value}) is not None, key
    twice = changed(record, ("deals", 0, "deck", 0), record["deals"][0]["deck"][1])  # type: ignore[index]
    found = difference_in(twice)
    assert found is not None
    assert (found.deal, found.field) == (0, "deck")


@pytest.mark.parametrize("junk", [None, [], 7, "record", {}, {"record": "manela/1"}])
def test_what_is_no_record(junk: object) -> None:
    assert difference_in(junk) is not None  # type: ignore[arg-type]
    with pytest.raises(RecordError):
        replay(junk)  # type: ignore[arg-type]
    with pytest.raises(RecordError):
        steps(junk)  # type: ignore[arg-type]


def test_differences_read_well() -> None:
    record: Json = json.loads(corpus()[4])
    found = difference_in(changed(record, ("deals", 0, "written", 0), 7))
    assert str(found) == "deal 0, written.0: expected 0, found 7"
    found = difference_in(changed(record, ("deals", 0, "actions", 1), "0 play:7C"))
    assert str(found).startswith("deal 0, action 1, actions: expected ['0 declare', '0 play:TC',")


def test_replay_does_not_add_up_but_refuses_what_cannot_be_played() -> None:
    record: Json = json.loads(corpus()[0])
    assert replay(changed(record, ("deals", 0, "written", 0), 7)) == replay(record)
    with pytest.raises(RecordError, match="deal 0, action 0, actions: expected"):
        replay(changed(record, ("deals", 0, "actions", 0), "0 play:7C"))


# --- steps


def test_steps_of_a_deal() -> None:
    pack = deck("QC KC AC 7D 8D TD 9S AS 9H", "7C 8C TC 9D JD QD KD JH TH", "8H", "7S")
    at = finish(go(table(pack, SPARE, agreed=rules(deals=1)), "take declare AC 7C"))
    taken = steps(as_read(at))
    assert [step.kind for step in taken[:5]] == ["deal", "action", "action", "action", "action"]
    assert (taken[0].hands[0], taken[0].upcard, taken[0].trump) == (("QC", "KC", "AC", "7D", "8D", "TD"), "8H", None)
    assert (taken[1].action, taken[1].seat, taken[1].facts) == ("take", 0, ("! bottom 7S",))
    assert (taken[1].trump, taken[1].maker, taken[1].bottom, len(taken[1].hands[1])) == ("H", 0, "7S", 9)
    assert (taken[2].action, taken[2].facts) == ("declare", ("! announce 0 terz",))
    assert (taken[3].trick, taken[3].winner) == (((0, "AC"),), None)
    assert (taken[4].trick, taken[4].winner) == (((0, "AC"), (1, "7C")), 0)
    assert (taken[4].facts, taken[4].tricks_won, taken[4].card_points) == (("! show 0 QC KC AC",), (1, 0), (11, 0))
    last, score = taken[-2:]
    assert (last.hands, len(last.trick), sum(last.tricks_won)) == (((), ()), 2, 9)
    assert last.winner is not None
    assert (score.kind, score.end, score.action) == ("score", "played", None)
    assert (score.written, score.totals) == (at.party.deals[0].written, at.totals)


@pytest.mark.parametrize("number", range(11))
def test_steps_follow_the_record(number: int) -> None:
    record: Json = json.loads(corpus()[number])
    taken = steps(record)
    deals: list[Json] = record["deals"]  # type: ignore[assignment]
    assert [step.number for step in taken if step.kind == "deal"] == [deal["number"] for deal in deals]
    assert [list(step.totals) for step in taken if step.kind == "score"] == [deal["totals"] for deal in deals]
    for index, deal in enumerate(deals):
        said = [
            f"{step.seat} {step.action}" + (f" !{step.cause}" if step.cause else "")
            for step in taken
            if step.deal == index and step.kind == "action"
        ]
        assert said == deal["actions"]
    assert sum(step.cause is not None for step in taken) == len(re.findall("!(timeout|illegal)", json.dumps(record)))
