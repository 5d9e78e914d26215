"""Rules in words: every value of every option has its own sentence, and a sheet holds what matters."""

from itertools import product

import pytest

from engine import RulesError, rules_of
from engine.options import BY_NAME, OPTIONS, TABLES, Flag, JackpotKind, Number, OptionSpec, Word
from engine.presets import presets
from engine.rules import Jackpot
from engine.sentences import GROUP_OF, Sentence, sentence_of, sentences


def values_of_kind(spec: OptionSpec) -> list[object]:
    """All values that an option may have; of those that are numbers without an end, some."""
    kind = spec.kind
    if isinstance(kind, Flag):
        return ["on", "off"]
    if isinstance(kind, Word):
        return [*map(str, kind.words), *["off"] * kind.or_off]
    if isinstance(kind, Number):
        return [*(kind.allowed or range(kind.minimum, kind.minimum + 4)), *["off"] * kind.or_off]
    assert isinstance(kind, JackpotKind)
    keys, flags = Jackpot.__slots__, (True, False)
    shapes = product((6, 7), flags, flags, flags, ("party", "target"))
    return ["off", *(dict(zip(keys, shape, strict=True)) for shape in shapes)]


def sheet(preset: str, **overrides: object) -> dict[str, str]:
    return {sentence.option: str(sentence) for sentence in sentences(rules_of(preset, overrides))}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("spec", OPTIONS, ids=lambda spec: spec.name)
def test_every_value_has_a_sentence_of_its_own(spec: OptionSpec, table: str) -> None:
    said = [sentence_of(spec.name, value, table) for value in values_of_kind(spec)]
    texts = [str(sentence) for sentence in said]
    assert len(set(texts)) == len(texts)
    for sentence in said:
        assert (sentence.option, sentence.clause) == (spec.name, spec.clause)
        assert_reads_well(sentence)


def assert_reads_well(sentence: Sentence) -> None:
    """A whole sentence, nothing left to fill in, no name out of the code."""
    text = str(sentence)
    assert text[0].isupper()
    assert text.endswith(".")
    assert "%" not in text
    assert not [word for word in text.replace(".", "").split() if "_" in word or word in ("on", "off")[1:]]
    assert len(text) < 180


def test_every_option_is_in_one_group() -> None:
    assert sorted(GROUP_OF) == sorted(BY_NAME)


@pytest.mark.parametrize("preset", presets())
def test_a_sheet_can_be_read_at_once(preset: str) -> None:
    said = sentences(rules_of(preset))
    assert 15 <= len(said) <= 36
    assert len({str(sentence) for sentence in said}) == len(said)
    order = list(GROUP_OF)
    assert [order.index(sentence.option) for sentence in said] == sorted(order.index(one.option) for one in said)


def test_a_sheet_in_words() -> None:
    said = sheet("moscow/2")
    assert said["next_dealer"] == "The winner of a deal deals the next one."
    assert said["target"] == "The party is played to 501 points."
    assert said["bait_to"] == "Bait: a maker with fewer writes nothing, and his points go to the other player."
    assert "his points are shared out" in sheet("moscow/3")["bait_to"]
    assert said["bottom_card"].startswith("The bottom card of the pack is shown")
    assert str(sentences(rules_of("moscow/2"))[0].group.title) == "The deal"


@pytest.mark.parametrize(
    ("preset", "overrides", "idle"),
    [
        (
            "moscow/2",
            {},
            "bait_fine bait_fine_then defenders_pool overtrump_partner fault_table deals short",
        ),
        ("moscow/2", {"close": "off"}, "false_close close_not_on_jack"),
        ("moscow/2", {"declare": "auto"}, "declare_until"),
        ("moscow/2", {"upcard": "under"}, "seven_swap ask_terz"),
        ("moscow/2", {"seven_swap": "buy_in"}, "ask_terz"),
        ("moscow/2", {"seven_swap": "off"}, "ask_terz"),
        ("moscow/2", {"hang": "forced"}, "hang_to hang_repeat"),
        ("moscow/2", {"deals": 4}, "target close false_close both_reach hang_blocks_end lead_limit"),
        ("house/4", {}, "bottom_card seven_swap ask_terz overtrump_partner"),
        ("klabor/2", {"bait_fine": 0}, "bait_fine_then"),
        ("short/2", {}, "target beat bait_to hang hang_to bait_fine_from no_tricks_fine close next_dealer dava"),
        ("short_bait/2", {"bait_fine_from": 3}, "beat bait_fine bait_fine_then both_reach"),
        ("short/2", {"illegal_move": "rules"}, "fault_table"),
    ],
)
def test_what_cannot_matter_is_left_out(preset: str, overrides: dict[str, object], idle: str) -> None:
    assert [option for option in idle.split() if option in sheet(preset, **overrides)] == []


@pytest.mark.parametrize(
    ("preset", "overrides", "told"),
    [
        ("klabor/pairs", {}, "bait_fine bait_fine_then jackpot overtrump_partner redeal_below hang"),
        ("moscow/3", {}, "defenders_pool beat bottom_card"),
        ("fifties/2", {}, "offer lead_limit"),
        ("short_dava/2", {}, "short dava sequence_tie"),
        ("short_bait/3", {}, "short beat"),
        ("moscow/2", {"illegal_move": "rules"}, "illegal_move fault_table"),
        ("site/2", {"deals": 3}, "deals target jackpot"),
        ("kharkov_full/2", {}, "false_close close_not_on_jack jackpot"),
    ],
)
def test_what_a_table_has_is_told(preset: str, overrides: dict[str, object], told: str) -> None:
    assert [option for option in told.split() if option not in sheet(preset, **overrides)] == []


def test_r71_a_jackpot_wins_no_party_of_so_many_deals() -> None:
    assert sheet("site/2")["jackpot"].endswith("win the party at once.")
    assert sheet("site/2", deals=3)["jackpot"].endswith("are worth the whole target.")


def test_an_illegal_card_in_short_costs_the_stake() -> None:
    assert sheet("short/2", illegal_move="rules")["illegal_move"].endswith("costs it the stake.")
    assert sheet("moscow/2", illegal_move="rules")["illegal_move"].endswith("costs what a revoke costs.")


@pytest.mark.parametrize(("option", "value", "code"), [("colour", "red", "unknown_option"), ("close", 1, "bad_value")])
def test_what_does_not_exist_has_no_sentence(option: str, value: object, code: str) -> None:
    with pytest.raises(RulesError) as raised:
        sentence_of(option, value, "2")
    assert raised.value.code == code
