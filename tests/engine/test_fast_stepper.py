"""`Stepper`: how a party is dealt, copied, refused and given up; what it plays is in `test_fast_laws.py`."""

from __future__ import annotations

import random

import pytest

import engine
from engine import IllegalAction, PartySetup, SetupError, Stepper, observe, rules_of, start, verify
from engine.actions import ACTIONS, parse_action
from engine.cards import PACK
from engine.presets import PRESETS
from engine.stepping import CODE_OF

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


def test_where_given_packs_run_out_nobody_acts() -> None:
    rules = rules_of("moscow/2", {"deals": 2})
    party = played(Stepper(rules, setup=PartySetup(rules, None, first_dealer=0, decks=(PACK,))), random.Random(2))
    assert (party.seat, party.legal, party.over, party.number) == (-1, [], False, 0)
    assert verify(party.record()) is None
    with pytest.raises(IllegalAction, match="nobody is to act"):
        party.step(0)
    with pytest.raises(IllegalAction, match="nobody is to act"):
        party.forfeit(0)


@pytest.mark.parametrize("code", [-1, 2, 6, 17, 50, 81, 1000])
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
    with pytest.raises(SetupError, match="a seat is"):
        Stepper(MOSCOW, 1).observe(2)
    with pytest.raises(SetupError, match="a seat is"):
        Stepper(MOSCOW, 1).forfeit(2)


def test_what_the_engine_does_not_have_is_said() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Steper'"):
        engine.Steper  # noqa: B018
