"""What laws are tried on: agreements drawn from the whole product of §15, and parties played by them."""

from __future__ import annotations

import random
from functools import cache
from typing import Final

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from engine import Rules, rules_of
from tests.engine.agreements import FULL, VALUES, single, unmet
from tests.engine.directed import Turn, Wish, turns

SLOW: Final = [HealthCheck.too_slow, HealthCheck.filter_too_much]
FEW: Final = settings(max_examples=60 if FULL else 3, deadline=None, suppress_health_check=SLOW)
"""So many parties for each law at each preset."""

SEEDS: Final = st.integers(0, 2**32)
TARGETS: Final[list[dict[str, object]]] = [{}, {"target": 60}, {"target": 150}]
SINGLES: Final = cache(single)


@st.composite
def agreements(draw: st.DrawFn, preset: str) -> Rules:
    """A preset as it is, or with one or two options overridden, often with a low target for ends."""
    overrides: dict[str, object] = draw(st.sampled_from(TARGETS))
    for _ in range(draw(st.integers(0, 2))):
        more = overrides | draw(st.sampled_from(SINGLES(preset)))
        overrides = overrides if unmet(preset, more) else more
    return rules_of(preset, overrides)


WISHES: Final = (
    Wish(failing=0.05, illegal=0.01),
    Wish({"declare": 5.0, "bella": 5.0, "exchange": 5.0, "ask": 5.0, "redeal": 1.0}, "equal runs", illegal=0.005),
    Wish(
        {"close": 0.3, "take": 5.0, "offer": 3.0, "dava": 2.0, "surrender": 1.0},
        illegal=0.02,
        forfeits=0.002,
    ),
    Wish({"pass": 5.0, "redeal": 5.0, "declare": 0.2}, "trump terz", failing=0.02),
    Wish({"take": 5.0, "declare": 5.0, "bella": 5.0, "close": 0.0, "redeal": 0.0}, "jackpot"),
    Wish({"take": 5.0, "bella": 5.0, "close": 0.01}, "pair", illegal=0.005),
    Wish({"take": 5.0, "close": 0.0}, script=("hang", "hang", "equal")),
)
"""How the parties of the laws are played."""


def party(agreed: Rules, seed: int, most: int = 300) -> list[Turn]:
    """The turns of a party, played in one of these ways."""
    rng = random.Random(seed)
    return list(turns(agreed, rng, rng.choice(WISHES), most))


@st.composite
def agreements_of_two(draw: st.DrawFn) -> Rules:
    """Any of the options that concern two, many at once, at tables of points."""
    names = draw(st.lists(st.sampled_from(sorted(VALUES)), unique=True, max_size=12))
    overrides = {"target": 150} | {name: draw(st.sampled_from(VALUES[name])) for name in names}
    overrides |= {"short": "off", "dava": "off"}
    preset = draw(st.sampled_from(["moscow/2", "kharkov/2", "fifties/2"]))
    refused = {need.option for need in unmet(preset, overrides)}
    return rules_of(preset, {name: value for name, value in overrides.items() if name not in refused})
