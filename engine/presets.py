"""The presets of rules.md §15, and `rules_of`, which turns a name and overrides into `Rules`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from engine.errors import RulesError
from engine.options import BY_NAME, OPTIONS, TABLES, OptionSpec, at_table
from engine.rules import Beat, Rules, Short, UpcardGoes
from engine.wording import brief

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Family:
    """A column of §15: the tables it is played at and the options in which it differs from the defaults."""

    tables: tuple[str, ...]
    settings: Mapping[str, object] = field(default_factory=dict)


_MOSCOW: Final[dict[str, object]] = {
    "next_dealer": "deal_winner",
    "party_dealer": "winner",
    "hang_dealer": "maker",
    "obligation": "off",
    "first_lead": "eldest",
    "overtrump": "always",
    "sequence_needs_trick": "off",
    "defenders_pool": {"3": "on"},
    "beat": {"3": "sum"},
    "bait_to": {"3": "halves"},
    "hang_repeat": {"3": "split_defenders"},
    "both_reach": "last_trick",
    "close": "on",
    "false_close": "lose",
    "ask_terz": {"2": "on"},
    "fault_table": "bait_on_cards",
}
_SHORT: Final = _MOSCOW | {"close": "off"}
_ANY_JACKPOT: Final = {"length": 7, "trumps_only": False, "from_ace": False, "first_cards": False}
_TRUMP_JACKPOT: Final = _ANY_JACKPOT | {"trumps_only": True, "prize": "party"}

FAMILIES: Final[Mapping[str, Family]] = {
    "moscow": Family(("2", "3"), _MOSCOW),
    "kharkov": Family(("2", "3"), _MOSCOW | {"sequence_tie": "order"}),
    "kharkov_full": Family(
        TABLES,
        {
            "target": {"else": 501, "4": 1001},
            "next_dealer": {"2": "deal_winner"},
            "upcard": {"4": "maker", "pairs": "maker"},
            "bottom_card": "hidden",
            "overtrump": "always",
            "sequence_tie": "order",
            "hundred": {"4": 5, "pairs": 5},
            "jackpot": _ANY_JACKPOT | {"prize": "target"},
            "bait_to": {"3": "halves"},
            "hang_repeat": "queue",
            "bait_fine_from": 3,
            "bait_fine_then": "every_third",
            "no_tricks_fine": 50,
            "both_reach": "last_trick",
            "close": "on",
            "false_close": "double",
            "close_not_on_jack": "on",
            "fault_table": "kharkov_full",
        },
    ),
    "klabor": Family(
        TABLES,
        {
            "overtrump": "always",
            "sequence_tie": "trump_last_trick",
            "declare_until": "second_card",
            "jackpot": {
                "length": 6,
                "trumps_only": False,
                "from_ace": True,
                "first_cards": True,
                "prize": "party",
            },
            "bella_when": "pair_card",
            "bella_to": "trick_winner",
            "hang": "forced",
            "bait_fine_from": 3,
            "no_tricks_fine": 100,
            "redeal_below": 2,
            "fault_table": "klabor",
        },
    ),
    "site": Family(
        TABLES,
        {
            "sequence_tie": "order",
            "declare": "auto",
            "bella_needs_trick": "on",
            "jackpot": _TRUMP_JACKPOT | {"from_ace": True},
            "bella_when": "pair_card",
            "hang_repeat": "release_first",
            "bait_fine_from": 3,
            "no_tricks_fine": {"else": 50, "3": 100, "pairs": 100},
            "redeal_poor": {"4": 13},
            "hang_blocks_end": "on",
        },
    ),
    "fpclub": Family(
        TABLES,
        {
            "first_lead": "eldest",
            "bottom_card": "top_after_trick_1",
            "sequence_tie": "last_trick",
            "declare": "auto",
            "hundred": 6,
            "jackpot": _ANY_JACKPOT | {"prize": "party"},
            "bait_fine_from": 3,
            "no_tricks_fine": {"else": 50, "pairs": 100},
            "redeal_poor": 13,
        },
    ),
    "doezd": Family(
        ("2",),
        {
            "next_dealer": "deal_winner",
            "party_dealer": "winner",
            "obligation": "off",
            "first_lead": "eldest",
            "both_reach": "maker",
            "close": "on",
            "false_close": "lose",
        },
    ),
    "encyclopedia": Family(
        TABLES,
        {
            "target": {"else": 501, "2": 301},
            "next_dealer": "deal_winner",
            "party_dealer": "winner",
            "obligation": "off",
            "first_lead": "eldest",
            "bella_when": "first_card",
            "hang_to": {"3": "defenders"},
            "close": "on",
            "fault_table": "bait_on_cards",
        },
    ),
    "classic": Family(
        ("2", "3"),
        {
            "next_dealer": "deal_winner",
            "obligation": "off",
            "first_lead": "eldest",
            "seven_swap": "buy_in",
            "overtrump": "always",
            "bella_when": "first_card",
            "redeal_four_sevens": "on",
            "close": "on",
            "false_close": "lose",
            "fault_table": "bait_on_cards",
        },
    ),
    "house": Family(
        ("2", "3", "4"),
        {
            "first_lead": "eldest",
            "declare_until": "second_card",
            "jackpot": _TRUMP_JACKPOT,
            "bait_fine_from": 3,
            "bait_fine_then": "every_third",
            "no_tricks_fine": 100,
        },
    ),
    "short": Family(("2", "3"), _SHORT | {"short": "plain"}),
    "short_bait": Family(("2", "3"), _SHORT | {"short": "bait"}),
    "short_dava": Family(("2",), _SHORT | {"short": "plain", "dava": "arithmetic"}),
    "fifties": Family(("2",), _MOSCOW | {"offer": "fifty", "lead_limit": 250}),
}

PRESETS: Final = tuple(f"{family}/{table}" for family, column in FAMILIES.items() for table in column.tables)


def options() -> tuple[OptionSpec, ...]:
    """All options of a table, in the order of §15."""
    return OPTIONS


def presets() -> tuple[str, ...]:
    """The names of all presets, as `klabor/pairs`."""
    return PRESETS


def preset_values(name: str) -> dict[str, object]:
    """What a preset gives each option at its table, by name, as §15 writes values; raises RulesError."""
    family, table = _parse_name(name)
    return {spec.name: _raw(spec, FAMILIES[family], {}, table) for spec in OPTIONS}


def rules_of(name: str, overrides: Mapping[str, object] | None = None) -> Rules:
    """The rules of a preset, `moscow/2` or `moscow/2@1`, with some options set otherwise.

    Values of overrides are §15's JSON values. Raises RulesError for whatever is unknown or not allowed at that table.
    """
    if overrides:
        return _build(name, dict(overrides))
    return _preset(name)


@lru_cache(maxsize=128)
def _preset(name: str) -> Rules:
    return _build(name, {})


def _build(name: str, overrides: dict[str, object]) -> Rules:
    family, table = _parse_name(name)
    if unknown := [option for option in overrides if option not in BY_NAME]:
        raise RulesError(
            "unknown_option", f"there is no option {brief(unknown[0], 60)}: expected one of {', '.join(BY_NAME)}"
        )
    settings = {spec.name: _value(spec, _raw(spec, FAMILIES[family], overrides, table), table) for spec in OPTIONS}
    _check_together(settings, table)
    if settings["deals"] or settings["short"]:  # R71, R58: no close there, whatever is asked for
        settings["close"] = False
    players = 4 if table == "pairs" else int(table)
    pairs = table == "pairs"
    return Rules(
        name=f"{family}/{table}@{VERSION}",
        overrides=overrides,
        players=players,
        pairs=pairs,
        sides=2 if pairs else players,
        **settings,  # type: ignore[arg-type]  # each was made by its kind, and a test goes through all of them
    )


def _parse_name(name: str) -> tuple[str, str]:
    preset, at, version = name.partition("@")
    if preset not in PRESETS:
        raise RulesError(
            "unknown_preset", f"there is no preset {brief(preset, 60)}: expected one of {', '.join(PRESETS)}"
        )
    if at and version != str(VERSION):
        raise RulesError("unknown_preset", f"{preset} has no version {brief(version, 60)}: expected {preset}@{VERSION}")
    family, _, table = preset.partition("/")
    return family, table


def _raw(spec: OptionSpec, family: Family, overrides: Mapping[str, object], table: str) -> object:
    """The option's JSON value at this table: asked for, else the preset's."""
    if spec.name in overrides:
        return overrides[spec.name]
    return at_table(family.settings.get(spec.name, spec.default), table, spec.default)


def _value(spec: OptionSpec, raw: object, table: str) -> object:
    """The option's value at this table, checked and typed."""
    try:
        value = spec.kind.parse(raw)
    except ValueError:
        raise RulesError(
            "bad_value", f"{spec.name} cannot be {brief(raw, 60)}: expected {spec.values} ({spec.clause})"
        ) from None
    if value and not spec.fits(table):
        where = ", ".join(spec.tables)
        raise RulesError("wrong_table", f"{spec.name} is only for tables of {where}: leave it off here ({spec.clause})")
    return value


def _check_together(settings: Mapping[str, object], table: str) -> None:
    """What no option can know alone: the table's size (R9, R10) and Short (§15, R71)."""
    four = table in ("4", "pairs")
    if (settings["buy_in"] == 2) != four:
        raise RulesError("wrong_table", f"buy_in is {'2' if four else '3 or 4'} at a table of {table} (R9)")
    if four and settings["upcard"] in (UpcardGoes.TABLE, UpcardGoes.UNDER):
        raise RulesError("wrong_table", 'upcard is "dealer" or "maker" with four players: all cards are in play (R10)')
    if settings["beat"] == Beat.SUM and table != "3":
        raise RulesError("wrong_table", "beat=sum is for three players (R44)")
    if settings["short"] == Short.BAIT and four:
        raise RulesError("wrong_table", "short=bait is for two or three players (R58)")
    if settings["dava"] and not settings["short"]:
        raise RulesError("wrong_table", "dava is only in Short (R59)")
    if settings["short"] and (settings["offer"] or settings["jackpot"] or settings["deals"]):
        raise RulesError("wrong_table", "Short knows no offer, no jackpot and no deals (R58, R71)")
