"""Records of every kind, and everything that can be changed in one, with the place that has to be named.

`python -m tests.engine.corrupting` changes everything there is, one thing at a time, and says how much that was.
"""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from engine import record_of, rules_of, verify
from engine.cards import CARD_TEXTS
from engine.presets import PRESETS
from engine.record import walk
from tests.engine.directed import Wish, turns

Json = dict[str, Any]
Path = tuple[str | int, ...]

# --- records


@dataclass(frozen=True, slots=True)
class Kind:
    """A way to come by a record that holds what is wanted: an end of a deal, or a reason of the party's."""

    wanted: str
    preset: str
    overrides: tuple[tuple[str, object], ...]
    wish: Wish

    def holds(self, record: Json) -> bool:
        ends = {deal["end"] for deal in record["deals"]}
        return self.wanted in ends | {record["result"]["reason"], ""} and len(record["deals"]) <= 12


_PLAIN: Final = Wish({"close": 0.0, "redeal": 0.0, "surrender": 0.0}, failing=0.05)
_CLOSING: Final = Wish({"close": 0.5, "take": 4.0})
_SEVEN: Final = {"length": 6, "trumps_only": False, "from_ace": False, "first_cards": False, "prize": "party"}
_DAVA: Final = Wish({"dava": 3.0, "surrender": 1.0})


def _kind(wanted: str, preset: str, wish: Wish = _PLAIN, **overrides: object) -> Kind:
    return Kind(wanted, preset, tuple(overrides.items()), wish)


KINDS: Final = (
    *(_kind("", preset, target=150) for preset in PRESETS),
    _kind("all_pass", "moscow/3", Wish({"take": 0.2, "trump": 0.2, "close": 0.0}), target=60),
    _kind("redeal", "fpclub/4", Wish({"redeal": 9.0, "close": 0.0}, "poor"), target=60),
    _kind("offer_accepted", "fifties/2", Wish({"offer": 9.0, "accept": 9.0, "close": 0.0}), target=150),
    _kind("closed", "encyclopedia/3", _CLOSING, target=60),
    _kind("false_close", "kharkov_full/pairs", _CLOSING, target=150),
    _kind("false_close", "moscow/2", _CLOSING, target=150),
    _kind("jackpot", "house/3", Wish({"take": 9.0, "declare": 9.0}, "jackpot"), jackpot=_SEVEN),
    _kind("jackpot", "klabor/pairs", Wish({"take": 9.0, "declare": 9.0}, "jackpot"), deals=2),
    _kind("surrendered", "short_dava/2", _DAVA),
    _kind("forfeit", "site/4", Wish(forfeits=0.02), target=150),
    _kind("forfeit", "short/3", Wish(forfeits=0.02)),
    _kind("fault", "moscow/3", Wish(illegal=0.2, likes={"close": 0.0}), illegal_move="rules", target=150),
    _kind("fault", "klabor/4", Wish(illegal=0.05), illegal_move="rules", target=150),
    _kind("fault", "kharkov_full/2", Wish(illegal=0.05, likes={"close": 0.0}), illegal_move="rules", target=150),
    _kind("fault", "short_bait/2", Wish(illegal=0.2), illegal_move="rules"),
    _kind("target", "site/pairs", target=150),
    _kind("lead", "fifties/2", lead_limit=100, close="off"),
    _kind("deals", "klabor/3", Wish(script=("hang",), likes={"take": 9.0}), deals=3),
    _kind("short", "short_bait/3"),
)
"""One of every preset, and of every end and reason what a preset's own play would seldom bring."""


@cache
def record_of_kind(number: int) -> str:
    """The first record that holds what is wanted, as text."""
    kind = KINDS[number]
    agreed = rules_of(kind.preset, dict(kind.overrides))
    for seed in range(500):
        rng = random.Random(f"{kind.preset} {kind.wanted} {seed}")
        *_, last = turns(agreed, rng, kind.wish, most=3000)
        record = json.loads(json.dumps(record_of(last.after)))
        if record["result"] is not None and kind.holds(record):
            return json.dumps(record)
    raise AssertionError(f"no record with {kind.wanted} at {kind.preset}")


# --- changes


@dataclass(frozen=True, slots=True)
class Change:
    """One thing in a record that is not as it was; `kind` for counting."""

    kind: str
    path: Path
    value: object

    def made_in(self, record: Json) -> Json:
        """The record with it; what is not on the way to it is not copied."""
        return _with(record, self.path, self.value)


def _with(value: Any, path: Path, new: object) -> Any:
    if not path:
        return new
    copied = copy.copy(value)
    copied[path[0]] = _with(value[path[0]], path[1:], new)
    return copied


def changes(record: Json) -> Iterator[Change]:
    """Every number, card, action and word under deals and result changed alone; every digit and place of the rest."""
    yield from _inside(record["deals"], ("deals",))
    yield from _inside(record["result"], ("result",))
    for key in ("seed", "entropy", "commitment"):
        for place, digit in enumerate(record[key] or ""):
            other = record[key][:place] + ("0" if digit != "0" else "1") + record[key][place + 1 :]
            yield Change(key, (key,), other)
    yield from (Change("suits", ("suits",), other) for other in _other_suits(record))
    for seat in range(record["players"]):
        if seat != record["first_dealer"]:
            yield Change("first dealer", ("first_dealer",), seat)


def _other_suits(record: Json) -> list[str]:
    """Where there is a seed, two letters exchanged, each with the next."""
    letters = record["suits"] if record["seed"] else ""
    return [letters[:at] + letters[at + 1] + letters[at] + letters[at + 2 :] for at in range(len(letters) - 1)]


def _inside(value: object, path: Path) -> Iterator[Change]:
    if isinstance(value, dict | list) and value:
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in items:
            yield from _inside(inner, (*path, key))
        return
    kind = "action" if "actions" in path[:-1] else "card" if "deck" in path[:-1] else _kind_of(value)
    for other in _others(kind, value):
        yield Change(kind, path, other)


def _kind_of(value: object) -> str:
    return "number" if isinstance(value, int) else "word"


def _others(kind: str, value: object) -> Iterator[object]:
    """What stands there instead: for an action or a card another one that could stand somewhere."""
    if kind == "number":
        assert isinstance(value, int)
        yield from (value + 1, value - 1)
    elif kind == "card":
        yield CARD_TEXTS[(CARD_TEXTS.index(str(value)) + 1) % len(CARD_TEXTS)]
    elif kind == "action":
        seat, _, said = str(value).partition(" ")
        yield f"{(int(seat) + 1) % 4} {said}"
        yield f"{seat} {'take' if said == 'pass' else 'pass'}"
        yield f"{seat} play:{'7C' if '7C' not in said else '8C'}"
    else:
        yield 0 if value in (None, []) else f"{value}x"


# --- what has to be said


def fault_in(record: Json, legal: Legal, change: Change) -> str | None:
    """What is wrong with what `verify` says of a changed record; None if that is right."""
    found = verify(change.made_in(record))
    if found is None:
        return None if is_another_party(record, legal, change) else "not refused"
    named = "result" if found.field.startswith("result") else found.field
    at = (10**6 if found.deal is None else found.deal, 10**6 if found.action is None else found.action)
    if change.path[0] == "result":
        return None if named == "result" and found.deal is None else f"said {found}"
    if change.path[0] != "deals":
        return None if found.field.split(".")[0] in _HEADER_NAMES[change.path[0]] else f"said {found}"
    if change.kind == "action":
        return _of_action(legal, change, found.field, at)
    exact = (found.deal, found.field) == (change.path[1], ".".join(map(str, change.path[2:])))
    return None if exact or _explains(change, found.field, at) else f"said {found}"


_HEADER_NAMES: Final[dict[object, tuple[str, ...]]] = {
    "seed": ("commitment",),
    "commitment": ("commitment",),
    "entropy": ("deck",),
    "suits": ("deck",),
    "first_dealer": ("first_dealer", "dealer"),
}
"""By which name a change of the header is found: where it is derived from, or what is derived from it."""


def _explains(change: Change, field: str, at: tuple[int, int]) -> bool:
    """A card of a pack that is the authority makes a pack that is none; `end` says whether a deal may stop short."""
    if change.kind == "card":
        return at[0] == change.path[1] and field == "deck"
    return change.path[2] == "end" and at[0] == change.path[1] and field == "actions"


def _of_action(legal: Legal, change: Change, field: str, at: tuple[int, int]) -> str | None:
    """One that is not legal is refused there; a legal one leads to another deal, and is refused in it or later."""
    place = (int(change.path[1]), int(change.path[3]))
    if str(change.value) in legal[place]:
        return None if at >= place else f"legal, and refused before it, at {at} {field}"
    return None if (at, field) == (place, "actions") else f"refused at {at} {field} instead of {place}"


def is_another_party(record: Json, legal: Legal, change: Change) -> bool:
    """Whether a changed record is the true record of another party, of which it says nothing else.

    That is so where a legal action is changed into another of which nothing follows that is counted (before a jackpot,
    a surrender, a fault), or into the same without the word that it was played for a seat that failed; and where
    another of several sides forfeits and the same side wins.
    """
    if change.path == ("result", "forfeiter"):
        return len(record["result"]["totals"]) > 2
    if change.kind != "action":
        return False
    return str(change.value) in legal[int(change.path[1]), int(change.path[3])]


Legal = Mapping[tuple[int, int], frozenset[str]]
"""For each action of a record, by deal and place, all that could have been said instead."""


def legal_in(record: Json) -> Legal:
    """What could have been said at every turn of a record."""
    found: dict[tuple[int, int], frozenset[str]] = {}
    place = Counter[int]()
    for visit in walk(record, strict=False):
        if visit.action is not None:
            said = (f"{visit.table.seat_to_act} {action}" for action in visit.table.legal)
            found[visit.deal, place[visit.deal]] = frozenset(said)
            place[visit.deal] += 1
    return found


ANOTHER: Final = "true records of other parties"
"""As what those are counted that `is_another_party` speaks of."""


def everything() -> Counter[str]:
    """Changes everything in a record of every kind; raises AssertionError at one that is not answered as it should."""
    tried: Counter[str] = Counter()
    for number, kind in enumerate(KINDS):
        record = json.loads(record_of_kind(number))
        legal = legal_in(record)
        for change in changes(record):
            wrong = fault_in(record, legal, change)
            assert wrong is None, f"{kind.preset}, {kind.wanted}: {change}: {wrong}"
            refused = verify(change.made_in(record)) is not None
            tried[change.kind if refused else ANOTHER] += 1
    return tried


if __name__ == "__main__":
    print(dict(everything()))
