"""The card table of Debertz: rules, deals, what a seat may know, records. Pure Python, no clock, no global random.

`README.md` beside this file says which module holds which clause of the rule book.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

from engine.actions import Action, format_action, parse_action
from engine.errors import (
    ActionError,
    CardError,
    EngineError,
    IllegalAction,
    Reason,
    RecordError,
    RulesError,
    SetupError,
)
from engine.options import OptionSpec
from engine.party import EndReason, PartyResult
from engine.presets import preset_values, presets, rules_of
from engine.record import Difference, record_of, replay, verify
from engine.rules import Rules
from engine.shuffle import commitment, entropy_of, lot, pack_of, suits_of
from engine.steps import Step, steps
from engine.table import (
    PartySetup,
    Table,
    apply,
    default_action,
    fault_of,
    forfeit,
    legal_actions,
    next_first_dealer,
    start,
    why_not,
)
from engine.version import ENGINE_VERSION
from engine.view import View, observe

if TYPE_CHECKING:
    from engine.batch import play_deals, play_parties
    from engine.stepping import Stepper

_FAST: Final = {"Stepper": "engine.stepping", "play_deals": "engine.batch", "play_parties": "engine.batch"}
"""What runs on the fast core, which is loaded when one of these is asked for first."""


def __getattr__(name: str) -> object:
    if name not in _FAST:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_FAST[name]), name)


__all__ = [
    "ENGINE_VERSION",
    "Action",
    "ActionError",
    "CardError",
    "Difference",
    "EndReason",
    "EngineError",
    "IllegalAction",
    "OptionSpec",
    "PartyResult",
    "PartySetup",
    "Reason",
    "RecordError",
    "Rules",
    "RulesError",
    "SetupError",
    "Step",
    "Stepper",
    "Table",
    "View",
    "apply",
    "commitment",
    "default_action",
    "entropy_of",
    "fault_of",
    "forfeit",
    "format_action",
    "legal_actions",
    "lot",
    "next_first_dealer",
    "observe",
    "pack_of",
    "parse_action",
    "play_deals",
    "play_parties",
    "preset_values",
    "presets",
    "record_of",
    "replay",
    "rules_of",
    "start",
    "steps",
    "suits_of",
    "verify",
    "why_not",
]
