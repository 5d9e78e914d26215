"""`Stepper`: how a party is dealt, copied, refused and given up; what it plays is in `test_fast_laws.py`."""

from __future__ import annotations

import copy as copy_module
import pickle
import random
from collections.abc import Callable

import pytest

import engine
from engine import IllegalAction, PartySetup, SetupError, Stepper, observe, rules_of, start, verify
from engine.actions import ACTIONS, parse_action
from engine.cards import PACK
from engine.presets import PRESETS
from engine.stepping import CODE_OF
from tests.engine.directed import Wish, turns
from tests.engine.following import check_party

MOSCOW = rules_of("moscow/2")


def played(party: Stepper, rng: random.Random, steps: int = 10**6) -> Stepper:
    """The party after so many random steps, or at its end."""
    while steps > 0 and party.seat >= 0:
        legal = party.legal
        party.step(legal[int(rng.random() * len(legal))])
        steps -= 1
    return party


@pytest.mark.parametrize("preset", PRESETS)
def test_a_study_party_has_a_record(preset: str) -> None:
    party = played(
        Stepper(rules_of(preset, {"deals": 3} if "short" not in preset else {}), "a study"), random.Random(5)
    )
    assert party.over
    assert party.record()["seed"] is None
    assert verify(party.record()) is None
    assert party.points == party.deals[-1].points


def test_a_running_study_party_has_one_too() -> None:
    party = Stepper(MOSCOW, 1, first_dealer=1)
    assert (party.points, party.result, party.deal.dealer) == ((0, 0), None, 1)
    assert verify(party.record()) is None


def test_a_seed_gives_the_same_party_again() -> None:
    one, same, other = (played(Stepper(rules_of("site/3"), seed), random.Random(1)) for seed in (9, 9, 10))
    assert one.record() == same.record() != other.record()


def test_first_dealers_of_study_parties_are_drawn() -> None:
    assert {Stepper(rules_of("house/4"), seed).deal.dealer for seed in range(60)} == {0, 1, 2, 3}


def test_a_copy_goes_on_by_itself() -> None:
    party = played(Stepper(rules_of("klabor/pairs"), 3), random.Random(3), 70)
    before, view = party.record(), party.observe(party.seat)
    copy = party.copy()
    assert copy.observe(copy.seat) == view
    ends = [played(one, random.Random(4)).record() for one in (copy, party.copy())]
    assert ends[0] == ends[1]
    assert (party.record(), party.observe(party.seat)) == (before, view)
    assert played(party, random.Random(4)).record() == ends[0]
    assert party.copy().result == party.result


class Counting(Stepper):
    """A party of a user's own kind."""


WAYS: dict[str, Callable[[Stepper], Stepper]] = {
    "copy()": Stepper.copy,
    "copy.copy": copy_module.copy,
    "copy.deepcopy": copy_module.deepcopy,
    "pickle": lambda party: pickle.loads(pickle.dumps(party)),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("preset", PRESETS)
def test_every_kind_of_copy_is_the_same_party(preset: str, way: str) -> None:
    rules, rng = rules_of(preset, {"deals": 3} if "short" not in preset else {}), random.Random(f"{preset} {way}")
    for party in (Counting(rules, "copies"), Counting(rules, setup=PartySetup(rules, bytes(32)))):
        for steps in (0, 1, 30, 10**6):
            copy = WAYS[way](played(party, rng, steps))
            assert type(copy) is Counting
            assert (copy.record(), copy.result, copy.ply) == (party.record(), party.result, party.ply)
            assert (copy.seat, copy.legal, copy.points) == (party.seat, party.legal, party.points)
            assert [copy.observe(seat) for seat in (0, 1)] == [party.observe(seat) for seat in (0, 1)]
        assert party.over


def test_a_copy_has_the_whole_sheet() -> None:
    """What it says of deals to come, too: who will be forced to play (R48), who deals, what waits."""
    party, rng, forced = Stepper(rules_of("moscow/2", {"hang": "forced", "deals": 300}), 4), random.Random(4), 0
    names = [name for name in dir(party.sheet) if not name.startswith("_") and name not in ("copy", "deal")]
    while not party.over:
        copy = played(party, rng, 5).copy()
        assert [getattr(copy.sheet, name) for name in names] == [getattr(party.sheet, name) for name in names]
        forced += party.sheet.forced_maker >= 0
    assert forced > 0


def test_a_party_that_ended_by_a_fault_or_a_forfeit_is_copied() -> None:
    rules = rules_of("moscow/2", {"illegal_move": "rules", "close": "off"})
    party, rng = Stepper(rules, 1), random.Random(1)
    while not any(deal.end == "fault" for deal in party.deals):
        played(party, rng, 1)
        for card in filter(party.is_fault, PACK):
            party.fault(card)
            break
    party.forfeit(1)
    for way in WAYS.values():
        assert (way(party).record(), way(party).result) == (party.record(), party.result)


def test_where_given_packs_run_out_copies_do_not_act() -> None:
    setup = PartySetup(MOSCOW, None, first_dealer=0, decks=(PACK,))
    party = played(Stepper(MOSCOW, setup=setup), random.Random(2))
    for way in WAYS.values():
        assert (way(party).seat, way(party).record()) == (-1, party.record())


def test_where_given_packs_run_out_nobody_acts() -> None:
    rules = rules_of("moscow/2", {"deals": 2})
    party = played(Stepper(rules, setup=PartySetup(rules, None, first_dealer=0, decks=(PACK,))), random.Random(2))
    assert (party.seat, party.legal, party.over, party.number) == (-1, [], False, 0)
    assert verify(party.record()) is None
    with pytest.raises(IllegalAction, match="nobody is to act"):
        party.step(0)
    with pytest.raises(IllegalAction, match="nobody is to act"):
        party.forfeit(0)


@pytest.mark.parametrize("code", [-1, 2, 6, 17, 50, 81, 1000, 2**70, -(2**70)])
def test_what_is_not_legal_is_refused(code: int) -> None:
    party = Stepper(MOSCOW, 1)
    assert party.texts == ["take", "pass"]
    with pytest.raises(IllegalAction, match=r"is not legal now: expected one of take, pass"):
        party.step(code)
    assert (party.ply, party.legal) == (0, [0, 1])


def test_a_code_is_the_place_of_an_action() -> None:
    assert [CODE_OF[action] for action in ACTIONS] == list(range(81))
    party = Stepper(MOSCOW, setup=PartySetup(MOSCOW, bytes(32)))
    table = engine.apply(start(PartySetup(MOSCOW, bytes(32))), parse_action("take"))
    party.step(CODE_OF[parse_action("take")])
    assert [party.observe(seat) for seat in (0, 1)] == [observe(table, seat) for seat in (0, 1)]


def test_a_card_is_a_fault_only_where_a_revoke_is_one() -> None:
    party = Stepper(MOSCOW, 1)
    with pytest.raises(IllegalAction, match="no illegal card"):
        party.fault(PACK[0])


def test_how_a_party_cannot_be_dealt() -> None:
    setup = PartySetup(MOSCOW, bytes(32))
    for given in ({}, {"seed": 1, "setup": setup}):
        with pytest.raises(SetupError, match="either from a seed or from a setup"):
            Stepper(MOSCOW, **given)  # type: ignore[arg-type]
    with pytest.raises(SetupError, match="other rules"):
        Stepper(rules_of("moscow/3"), setup=setup)
    for dealer, given in ((2, {"seed": 1}), (0, {"setup": setup})):
        with pytest.raises(SetupError, match="a seat from 0 to 1"):
            Stepper(MOSCOW, first_dealer=dealer, **given)  # type: ignore[arg-type]
    for seed in (1.5, True, b"1"):
        with pytest.raises(SetupError, match="a seed is an integer or a text"):
            Stepper(MOSCOW, seed)  # type: ignore[arg-type]
    with pytest.raises(SetupError, match="what `rules_of` gives, not 'moscow/2'"):
        Stepper("moscow/2", 1)  # type: ignore[arg-type]
    with pytest.raises(SetupError, match="a seat is"):
        Stepper(MOSCOW, 1).observe(2)
    with pytest.raises(SetupError, match="a seat is"):
        Stepper(MOSCOW, 1).forfeit(2)


JACKPOT = {"length": 6, "trumps_only": False, "from_ace": False, "first_cards": False, "prize": "target"}


@pytest.mark.parametrize(
    ("overrides", "what"),
    [
        ({"target": 2**40 + 1, "jackpot": JACKPOT}, "the target, which a jackpot writes,"),
        ({"bait_fine": 2**62, "bait_fine_from": 1}, "bait_fine"),
        ({"no_tricks_fine": 10**30}, "no_tricks_fine"),
        ({"no_tricks_fine": 2**39, "bait_fine": 2**40, "bait_fine_from": 1}, "bait_fine and no_tricks_fine together"),
    ],
)
def test_a_number_too_high_to_be_written_is_refused(overrides: dict[str, object], what: str) -> None:
    with pytest.raises(SetupError, match=f"{what} may be at most 1099511627776 here"):
        Stepper(rules_of("moscow/2", overrides), 1)


@pytest.mark.parametrize(
    "overrides",
    [
        {"target": 10**30, "deals": 3},
        {"target": 10**30, "jackpot": JACKPOT | {"prize": "party"}, "lead_limit": 300},
        {"target": 2**40, "jackpot": JACKPOT, "deals": 3},
        {"bait_fine": 10**30, "bait_fine_from": "off", "lead_limit": 10**30, "target": 200},
        {"bait_fine": 2**39, "bait_fine_from": 1, "no_tricks_fine": 2**39, "deals": 6},
    ],
)
def test_any_other_number_is_played_as_the_reference_plays_it(overrides: dict[str, object]) -> None:
    rng = random.Random(6)
    check_party(list(turns(rules_of("moscow/2", overrides), rng, Wish(), 150)), rng)


def test_what_the_engine_does_not_have_is_said() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Steper'"):
        engine.Steper  # noqa: B018
