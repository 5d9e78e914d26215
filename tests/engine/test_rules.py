"""§15: presets, options, overrides."""

from collections.abc import Mapping

import pytest

from engine import RulesError, presets
from engine.kinds import JackpotKind, Number, Word
from engine.options import BY_NAME, OPTIONS, TABLES, at_table
from engine.presets import FAMILIES, PRESETS, _check_together, options, preset_values
from engine.rules import Prize, Rules, SequenceTie
from tests.engine.notation import pairs, rules, three_seats


def code_of(preset: str, **overrides: object) -> str:
    with pytest.raises(RulesError) as caught:
        rules(preset, **overrides)
    return caught.value.code


def test_moscow_for_two_is_as_the_table_says() -> None:
    moscow = rules("moscow/2")
    assert (moscow.name, moscow.players, moscow.pairs, moscow.sides) == ("moscow/2@1", 2, False, 2)
    assert (moscow.target, moscow.buy_in, moscow.deals, moscow.lead_limit) == (501, 3, None, None)
    assert (moscow.next_dealer, moscow.hang_dealer, moscow.party_dealer) == ("deal_winner", "maker", "winner")
    assert (moscow.obligation, moscow.close, moscow.ask_terz, moscow.sequence_needs_trick) == (False, True, True, False)
    assert (moscow.both_reach, moscow.false_close, moscow.first_lead) == ("last_trick", "lose", "eldest")
    assert (moscow.bella_when, moscow.bella_to, moscow.declare) == ("any_card", "holder", "manual")
    assert (moscow.beat, moscow.bait_to, moscow.hang_to, moscow.hang_repeat) == ("each", "highest", "all", "sum")
    assert (moscow.hundred, moscow.jackpot, moscow.bait_fine_from, moscow.no_tricks_fine) == (None, None, None, 0)


def test_moscow_and_kharkov_differ_in_one_row() -> None:
    moscow, kharkov = rules("moscow/2"), rules("kharkov/2")
    names = [name for name in BY_NAME if getattr(moscow, name) != getattr(kharkov, name)]
    assert names == ["sequence_tie"]
    assert kharkov.sequence_tie is SequenceTie.ORDER


def test_every_option_is_an_attribute_of_rules() -> None:
    assert set(BY_NAME) < set(Rules.__slots__)
    assert set(Rules.__slots__) - set(BY_NAME) == {"name", "overrides", "players", "pairs", "sides"}


@pytest.mark.parametrize("preset", PRESETS)
def test_names_may_carry_the_version(preset: str) -> None:
    assert rules(f"{preset}@1") == rules(preset)
    assert code_of(f"{preset}@2") == code_of(f"{preset}@") == code_of(f"{preset}@1@") == "unknown_preset"
    assert presets() == PRESETS


@pytest.mark.parametrize("preset", PRESETS)
def test_values_of_a_preset_are_those_of_its_rules(preset: str) -> None:
    values = preset_values(preset)
    assert values == rules(preset).as_json()
    assert rules(preset, **_that_fit(values, rules(preset).table)).as_json() == values
    assert rules(preset).table == preset.split("/")[1]


def _that_fit(values: dict[str, object], table: str) -> dict[str, object]:
    return {name: value for name, value in values.items() if BY_NAME[name].fits(table)}


@pytest.mark.parametrize("name", ["", "moscow", "moscow/5", "2", "MOSCOW/2", "moscow/2 ", "moscow/pairs"])
def test_unknown_presets(name: str) -> None:
    assert code_of(name) == "unknown_preset"


BAD = [("target", 0), ("target", "501"), ("target", True), ("target", 501.0), ("target", None), ("obligation", True)]
BAD += [("obligation", "yes"), ("sequence_tie", "off"), ("hundred", 4), ("hundred", "on"), ("lead_limit", 0)]
BAD += [("deals", 0), ("no_tricks_fine", "off"), ("no_tricks_fine", -1), ("seven_swap", "on"), ("buy_in", 5)]
BAD += [("overtrump", {"2": "led"}), ("close", {"else": "on"}), ("bait_fine_from", [3]), ("jackpot", {"length": 7})]


@pytest.mark.parametrize(("option", "value"), BAD)
def test_bad_values_say_what_is_allowed(option: str, value: object) -> None:
    with pytest.raises(RulesError, match=f"{option} cannot be .*: expected .*R\\d"):
        rules(**{option: value})
    assert code_of("moscow/2", **{option: value}) == "bad_value"


@pytest.mark.parametrize(
    ("option", "value", "code"),
    [
        ("colour", "red", "unknown_option"),
        ("tables", "2", "unknown_option"),
        ("defenders_pool", "on", "wrong_table"),
        ("overtrump_partner", "on", "wrong_table"),
        ("buy_in", 2, "wrong_table"),
        ("beat", "sum", "wrong_table"),
    ],
)
def test_refused_overrides(option: str, value: object, code: str) -> None:
    assert code_of("moscow/2", **{option: value}) == code


def test_what_is_off_may_be_said_anywhere() -> None:
    asked = {"defenders_pool": "off", "offer": "off", "jackpot": "off", "short": "off", "dava": "off", "beat": "each"}
    assert rules("moscow/2", **asked).overrides == asked


def test_r71_a_party_of_so_many_deals_knows_no_close() -> None:
    assert rules(deals=4, close="on").close is False


@pytest.mark.parametrize("family", FAMILIES)
def test_every_cell_of_the_presets_is_an_allowed_value(family: str) -> None:
    for name, cell in FAMILIES[family].settings.items():
        for place in FAMILIES[family].tables:
            BY_NAME[name].kind.parse(at_table(cell, place, BY_NAME[name].default))


def test_cells_fall_back_to_the_default_of_the_table() -> None:
    upcard, moscow = BY_NAME["upcard"], FAMILIES["kharkov_full"].settings["upcard"]
    assert [at_table(moscow, place, upcard.default) for place in ("2", "4", "pairs")] == ["table", "maker", "maker"]
    assert at_table(FAMILIES["moscow"].settings["ask_terz"], "3", "off") == "off"


def test_kinds_read_their_values() -> None:
    assert Number(1, or_off=True).parse("off") is None
    assert Word(SequenceTie).parse("suit") is SequenceTie.SUIT
    run = JackpotKind().parse(
        {"length": 6, "trumps_only": False, "from_ace": True, "first_cards": True, "prize": "party"}
    )
    assert run is not None
    assert (run.length, run.from_ace, run.first_cards, run.prize) == (6, True, True, Prize.PARTY)
    whole = {"length": 7, "trumps_only": True, "from_ace": True, "first_cards": True, "prize": "party"}
    for key, wrong in (("length", True), ("length", "7"), ("from_ace", 1), ("prize", "all"), ("prize", [])):
        with pytest.raises(ValueError, match=r"True|7|all|\[\]"):
            JackpotKind().parse({**whole, key: wrong})


@pytest.mark.parametrize(
    ("preset", "asked", "says"),
    [
        ("moscow/3", {"defenders_pool": "off", "buy_in": 2}, "buy_in is 3 or 4 at a table of 3"),
        ("house/4", {"jackpot": "off", "buy_in": 3}, "buy_in is 2 at a table of 4"),
        ("house/4", {"jackpot": "off", "upcard": "under"}, "with four players"),
        ("house/4", {"jackpot": "off", "ask_terz": "on"}, "ask_terz is only for tables of 2"),
        ("moscow/3", {"defenders_pool": "off", "offer": "fifty"}, "offer is only for tables of 2"),
        ("house/4", {"jackpot": "off", "beat": "sum"}, "beat=sum is for three players"),
    ],
)
def test_options_fit_their_tables(preset: str, asked: dict[str, object], says: str) -> None:
    """What is wrong at a table is refused; the rest makes rules."""
    with pytest.raises(RulesError, match=says):
        rules(preset, **asked)
    three, four = rules("moscow/3", defenders_pool="off"), rules("house/4", jackpot="off")
    assert (three.sides, three.beat, three.bait_to, three.hang_repeat) == (3, "sum", "halves", "split_defenders")
    assert (four.players, four.buy_in, four.upcard) == (4, 2, "dealer")


@pytest.mark.parametrize(
    ("settings", "place", "says"),
    [
        ({"short": "bait"}, "4", "short=bait is for two or three"),
        ({"dava": "arithmetic"}, "2", "dava is only in Short"),
        ({"short": "plain", "deals": 3}, "2", "Short knows no offer, no jackpot and no deals"),
        ({"short": "plain", "offer": "fifty"}, "2", "Short knows no offer, no jackpot and no deals"),
    ],
)
def test_options_that_do_not_go_together(settings: dict[str, object], place: str, says: str) -> None:
    values = {name: at_table(spec.default, place, None) for name, spec in BY_NAME.items()} | settings
    parsed = {name: BY_NAME[name].kind.parse(value) for name, value in values.items()}
    with pytest.raises(RulesError, match=says):
        _check_together(parsed, place)


def test_options_say_at_which_tables_they_fit() -> None:
    narrow = {spec.name: spec.tables for spec in OPTIONS if not all(map(spec.fits, TABLES))}
    assert narrow == {
        "overtrump_partner": ("pairs",),
        "defenders_pool": ("3",),
        "ask_terz": ("2",),
        "offer": ("2",),
        "dava": ("2",),
    }


def test_options_describe_themselves() -> None:
    for spec in options():
        assert spec.clause.startswith("R")
        assert spec.values
        assert spec.help.endswith(".")
        assert not isinstance(spec.default, Mapping) or spec.name in ("upcard", "buy_in")


def test_r6_sides_of_seats() -> None:
    moscow = rules()
    assert [moscow.side_of(seat) for seat in range(2)] == [0, 1]
    assert [three_seats(moscow).side_of(seat) for seat in range(3)] == [0, 1, 2]
    assert [pairs(moscow).side_of(seat) for seat in range(4)] == [0, 1, 0, 1]
    assert pairs(moscow).seats_after(2) == (3, 0, 1, 2)
