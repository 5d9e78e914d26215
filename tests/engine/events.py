"""The events of the game as columns of a table: what each needs to be agreed on, and play that looks for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tests.engine.agreements import VALUES, Values, Wants
from tests.engine.directed import Wish

PLAIN: Final = Wish()


@dataclass(frozen=True, slots=True)
class Event:
    """A column: its name, the clause, what must be agreed on (any one of `wants`), and play that looks for it."""

    name: str
    clause: str
    wants: tuple[Wants, ...] = ({},)
    wish: Wish = PLAIN


def _not_off(option: str) -> Values:
    return tuple(value for value in VALUES[option] if value != "off")


NAMING: Final = {"take": 4.0, "trump": 4.0}
EAGER: Final = NAMING | {"declare": 20.0}
QUIET: Final = EAGER | {"close": 0.0, "redeal": 0.0, "surrender": 0.0, "accept": 0.2, "dava": 0.1, "offer": 0.2}
BELLA: Final = QUIET | {"bella": 20.0}
SWAP: Final = {"take": 10.0, "exchange": 20.0, "ask": 0.0, "declare": 0.0, "redeal": 0.0}
POINTS: Final[dict[str, Values]] = {"short": ("off",)}
NO_DEALS: Final[dict[str, Values]] = POINTS | {"deals": ("off",)}
SEVERAL: Final[dict[str, Values]] = POINTS | {"deals": ("off", 4)}
STAKES: Final[dict[str, Values]] = {"dava": _not_off("dava")}
PIECES: Final[Values] = ("3", "4")
"""Tables where several sides defend."""
JACKPOT: Final[dict[str, Values]] = {
    "jackpot": tuple(j for j in _not_off("jackpot") if not (j["length"] == 7 and j["first_cards"]))  # type: ignore[index]
}
"""Seven cards are never among six first ones: such a jackpot cannot be held (R25)."""


def _prize(prize: str) -> Values:
    return tuple(value for value in JACKPOT["jackpot"] if value["prize"] == prize)  # type: ignore[index]


_RUN: Final = Wish(QUIET, "jackpot")
_TIE: Final = Wish(QUIET, "equal runs")
_FAULT: Final = Wish(illegal=0.2)
_UPCARD_LIES: Final[dict[str, Values]] = {"upcard": ("table",)}
_ASKED: Final[dict[str, Values]] = {"ask_terz": ("on",), "seven_swap": ("first_card",), **_UPCARD_LIES}
_ASK: Final = Wish({"take": 20.0, "ask": 50.0, "redeal": 0.0}, "trump terz")

EVENTS: Final = (
    Event("taken in round one", "R16"),
    Event("named in round two", "R16", wish=Wish({"take": 0.0})),
    Event("all pass", "R16 R17", ({"obligation": ("off",)},), Wish({"take": 0.0, "trump": 0.0})),
    Event("offer", "R19", ({"offer": ("fifty",)},), Wish({"offer": 50.0})),
    Event("offer accepted", "R19", ({"offer": ("fifty",)},), Wish({"offer": 50.0, "accept": 50.0})),
    Event("offer declined", "R19", ({"offer": ("fifty",)},), Wish({"offer": 50.0, "decline": 50.0})),
    Event(
        "exchange before a first card",
        "R20",
        ({"seven_swap": ("first_card",), **_UPCARD_LIES},),
        Wish(SWAP, "trump terz"),
    ),
    Event(
        "exchange before the buy-in", "R20", ({"seven_swap": ("buy_in",), **_UPCARD_LIES},), Wish(SWAP, "trump terz")
    ),
    Event("asked: yes", "R22", (_ASKED,), _ASK),
    Event("asked: no", "R22", (_ASKED,), _ASK),
    Event("redeal: four sevens", "R21", ({"redeal_four_sevens": ("on",)},), Wish({"redeal": 50.0}, "sevens")),
    Event("redeal: below", "R21", ({"redeal_below": _not_off("redeal_below")},), Wish({"redeal": 50.0}, "poor")),
    Event("redeal: poor", "R21", ({"redeal_poor": _not_off("redeal_poor")},), Wish({"redeal": 50.0, **NAMING}, "poor")),
    Event("declared", "R27", ({"declare": ("manual",)},), Wish(EAGER, "equal runs")),
    Event("declared by itself", "R27", ({"declare": ("auto",)},), Wish(NAMING, "equal runs")),
    Event("announced: terz", "R23 R32", wish=_TIE),
    Event("announced: fifty", "R23 R32", wish=_TIE),
    Event("announced: hundred", "R24 R32", ({"hundred": (5, 6)},), Wish(QUIET, "long run")),
    Event("height", "R32", wish=_TIE),
    Event("shown", "R32", wish=_TIE),
    Event("bottom", "R11", ({"bottom_card": ("shown", "top_after_trick_1"), "table": ("2", "3")},), Wish(QUIET)),
    Event("tie: by trumps", "R28", ({"sequence_tie": ("trump_order", "suit", "trump_last_trick")},), _TIE),
    Event("tie: by order", "R28", ({"sequence_tie": ("trump_order", "order")},), _TIE),
    Event("tie: nobody scores", "R28", ({"sequence_tie": ("suit",)},), _TIE),
    Event("tie: by the last trick", "R28", ({"sequence_tie": ("last_trick", "trump_last_trick")},), _TIE),
    Event(
        "tie: the last trick is another's",
        "R28",
        ({"sequence_tie": ("last_trick", "trump_last_trick"), "table": ("3", "4")},),
        _TIE,
    ),
    Event("both defenders' sequences", "R30", ({"defenders_pool": ("on",)},), _TIE),
    Event("announced: jackpot", "R25", (JACKPOT,), _RUN),
    Event("jackpot for the party", "R25", ({"jackpot": _prize("party"), "deals": ("off",)},), _RUN),
    Event("jackpot for the target", "R25 R71", ({"jackpot": _prize("target")}, JACKPOT | {"deals": (1, 4)}), _RUN),
    Event("bella said", "R33 R34", wish=Wish(BELLA, "pair")),
    Event("bella: 20", "R35", wish=Wish(BELLA, "pair")),
    Event("bella: 10", "R35", ({"bella_to": ("halves",)},), Wish(BELLA, "pair")),
    Event("bella: 0", "R35", ({"bella_to": ("one_wins", "halves")},), Wish(BELLA, "pair")),
    Event("bella: to another side", "R35", ({"bella_to": ("trick_winner",)},), Wish(BELLA, "pair")),
    Event("no tricks", "R31 R51", wish=Wish(QUIET, "slam")),
    Event("close: true", "R55", ({"close": ("on",), **NO_DEALS},), Wish(NAMING | {"close": 0.4})),
    Event(
        "false close: lose", "R56", ({"close": ("on",), "false_close": ("lose",), **NO_DEALS},), Wish({"close": 20.0})
    ),
    Event(
        "false close: double",
        "R56",
        ({"close": ("on",), "false_close": ("double",), **NO_DEALS},),
        Wish({"close": 20.0}),
    ),
    Event(
        "false close: nothing",
        "R56",
        ({"close": ("on",), "false_close": ("nothing",), **NO_DEALS},),
        Wish({"close": 20.0}),
    ),
    Event("played", "R43", wish=Wish(QUIET)),
    Event("made", "R45", (POINTS,), Wish(QUIET)),
    Event("bait", "R46", (POINTS,), Wish(QUIET)),
    Event(
        "equal defenders: the bait waits",
        "R46",
        ({"bait_to": ("highest",), "table": PIECES, **POINTS},),
        Wish(QUIET, script=("equal",)),
    ),
    Event("hang", "R47", (POINTS,), Wish(QUIET, script=("hang",))),
    Event("hang upon hang", "R48 R50", (SEVERAL,), Wish(QUIET, script=("hang",))),
    Event("points held", "R48", ({"hang": ("forced",), **POINTS},), Wish(QUIET, script=("hang",))),
    Event(
        "held points written",
        "R48",
        ({"hang": ("forced",), **SEVERAL},),
        Wish(QUIET, script=("hang",)),
    ),
    Event(
        "waiting points won",
        "R49",
        (
            {"hang": ("wait",), **SEVERAL},
            {"table": PIECES, "bait_to": ("highest",), **SEVERAL},
        ),
        Wish(QUIET, script=("hang",)),
    ),
    Event(
        "waiting on",
        "R49 R50",
        (
            {"hang": ("wait",), "hang_repeat": ("queue",), **SEVERAL},
            {"table": PIECES, **SEVERAL},
        ),
        Wish(QUIET, script=("hang", "equal")),
    ),
    Event(
        "bait fined",
        "R51",
        (
            {"bait_fine_from": (1,), "bait_fine": (100,), **POINTS},
            {"bait_fine_from": (3,), "bait_fine": (100,), **SEVERAL},
        ),
        Wish(QUIET),
    ),
    Event("no tricks fined", "R51", ({"no_tricks_fine": (50, 100), **POINTS},), Wish(QUIET, "slam")),
    Event("several reach the target", "R52", (NO_DEALS,), Wish(QUIET)),
    Event(
        "hang blocks the end",
        "R53",
        ({"hang_blocks_end": ("on",), "hang": ("wait",), **NO_DEALS},),
        Wish(QUIET, script=("hang",)),
    ),
    Event("waiting points burn", "R53 R71", (POINTS,), Wish(QUIET | {"close": 0.1}, script=("hang",))),
    Event("over: target", "R52", (NO_DEALS,), Wish(QUIET)),
    Event(
        "over: lead",
        "R54",
        (
            {"lead_limit": _not_off("lead_limit"), **NO_DEALS},
            {"lead_limit": (100,), "illegal_move": ("rules",), "fault_table": ("klabor",), **NO_DEALS},
        ),
        Wish(QUIET, illegal=0.05),
    ),
    Event("over: closed", "R55", ({"close": ("on",), **NO_DEALS},), Wish(NAMING | {"close": 0.4})),
    Event(
        "over: false_close", "R56", ({"close": ("on",), "false_close": ("lose",), **NO_DEALS},), Wish({"close": 20.0})
    ),
    Event("over: jackpot", "R25", ({"jackpot": _prize("party"), "deals": ("off",)},), _RUN),
    Event("over: deals", "R71", ({"deals": (1, 4)},), Wish(QUIET)),
    Event("over: short", "R58", ({"short": ("plain", "bait")},), Wish(QUIET)),
    Event("over: surrender", "R59", (STAKES,), Wish({"dava": 50.0, "surrender": 50.0})),
    Event("over: forfeit", "protocol §3", wish=Wish(forfeits=0.2)),
    Event(
        "nobody wins",
        "R58 R71",
        (
            {"short": ("plain", "bait")},
            {"deals": (1,), "hang": ("forced",)},
            {"deals": (4,), "offer": ("fifty",)},
        ),
        Wish(QUIET | {"take": 1e6, "offer": 1e6, "accept": 1e6}, script=("hang",)),
    ),
    Event("dava", "R59", (STAKES,), Wish({"dava": 50.0})),
    Event("dava accepted", "R59", (STAKES,), Wish({"dava": 50.0, "accept": 50.0})),
    Event("surrender", "R59", (STAKES,), Wish({"dava": 50.0, "surrender": 50.0})),
    Event("forfeit", "protocol §3", wish=Wish(forfeits=0.2)),
    Event(
        "fault: bait_on_cards",
        "R66",
        ({"illegal_move": ("rules",), "fault_table": ("bait_on_cards",), **POINTS},),
        _FAULT,
    ),
    Event("fault: none", "R66", ({"illegal_move": ("rules",), "fault_table": ("none",), **POINTS},), _FAULT),
    Event("fault: klabor", "R66", ({"illegal_move": ("rules",), "fault_table": ("klabor",), **POINTS},), _FAULT),
    Event(
        "fault: kharkov_full",
        "R66",
        ({"illegal_move": ("rules",), "fault_table": ("kharkov_full",), **POINTS},),
        _FAULT,
    ),
    Event("fault: in Short", "R66", ({"illegal_move": ("rules",), "short": ("plain", "bait")},), _FAULT),
    Event("default", "protocol §1", wish=Wish(failing=0.2)),
)
NAMES: Final = tuple(event.name for event in EVENTS)
