"""What the commands of `python -m engine` do; how they are asked for is in `__main__.py`."""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections.abc import Mapping, Sequence
from typing import Final

from engine.bots import HOUSE, Policy, UnknownBot, house, plays
from engine.cards import SUITS, format_card
from engine.checking import check_files
from engine.comparing import differences, rules_digest
from engine.dealing import shown_deal
from engine.presets import presets, rules_of
from engine.record import record_of
from engine.rules import Rules
from engine.sentences import sentences
from engine.shuffle import SEED_BYTES, commitment, lot, pack_of
from engine.table import PartySetup, Table, apply, start
from engine.terminal import Paint, play
from engine.view import observe
from engine.wording import plain

HUMAN: Final = "human"


class UsageError(Exception):
    """Something on the command line or in its files that its author can mend."""


def _rules(preset: str, overrides: Sequence[str]) -> Rules:
    """The rules with `option=value` overrides, the values JSON or bare words."""
    asked = {}
    for text in overrides:
        name, sign, value = text.partition("=")
        if not sign:
            raise UsageError(f"--set {plain(text)}: expected OPTION=VALUE")
        try:
            asked[name] = json.loads(value)
        except json.JSONDecodeError:
            asked[name] = value
        except (ValueError, RecursionError) as error:
            raise UsageError(f"--set {plain(text)}: {error}") from None
    return rules_of(preset, asked)


def verify_files(options: argparse.Namespace) -> int:
    """A line about each record of some files."""
    return check_files(options.files)


def random_records(options: argparse.Namespace) -> int:
    """Records of random play, one a line."""
    rules = _rules(options.preset, options.overrides)
    if options.count < 0:
        raise UsageError(f"N is a number from 0, not {options.count}")
    for number in range(options.count):
        print(json.dumps(record_of(_random_party(rules, _chance(f"{options.seed}/{number}")))))
    return 0


def _chance(seed: str) -> random.Random:
    """The same for the same text, or for bytes on the command line that are no text."""
    return random.Random(os.fsencode(seed))


def _random_party(rules: Rules, rng: random.Random) -> Table:
    table, bot = start(PartySetup(rules, rng.randbytes(SEED_BYTES))), house("random")
    while (seat := table.seat_to_act) is not None:
        table = apply(table, bot.choose(observe(table, seat), rng))
    return table


def play_party(options: argparse.Namespace) -> int:
    """A party at the terminal."""
    rules = _rules(options.rules, options.overrides)
    names = options.bots.split(",") if options.bots else [HUMAN, *["greedy"] * (rules.players - 1)]
    if len(names) != rules.players:
        raise UsageError(f"--bots {plain(options.bots or '')}: expected {rules.players} of {HUMAN}, {', '.join(HOUSE)}")
    bots = [None if name == HUMAN else _seated(name, rules) for name in names]
    if None in bots and sys.stdin is None:
        raise UsageError("stdin is closed: there is nobody to ask what a human plays")
    rng = _chance(options.seed)
    play(start(PartySetup(rules, rng.randbytes(SEED_BYTES))), bots, rng, options.show, _paint(options))
    return 0


def _seated(name: str, rules: Rules) -> Policy:
    """A house bot with its settings; raises UsageError before a card is dealt, if it does not play these rules."""
    try:
        if plays(name, rules):
            return house(name)
    except UnknownBot as error:
        raise UsageError(f"--bots: {error}, or {HUMAN}") from None
    raise UsageError(f"--bots {plain(name)}: {plain(name)} does not play {rules.name}")


def _paint(options: argparse.Namespace) -> Paint:
    """Colours are for a terminal whose owner has not said no to them."""
    plain_terminal = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return Paint(sys.stdout.isatty() and not plain_terminal and not options.no_color)


def say_rules(options: argparse.Namespace) -> int:
    """A table's rules in words, or how they differ from another's; without a name, what names there are."""
    if options.preset is None:
        if options.diff or options.overrides:
            raise UsageError("rules: which preset? Expected a name before --diff and --set")
        names = {name: rules_digest(rules_of(name)) for name in presets()}
        print(json.dumps(names, indent=1) if options.json else "\n".join(names))
        return 0
    rules = _rules(options.preset, options.overrides)
    if options.diff:
        _say_differences(rules, rules_of(options.diff), options.json, options.digest)
    elif options.digest:
        print(rules_digest(rules))
    elif options.json:
        print(json.dumps(_rules_json(rules), indent=1))
    else:
        _say_sheet(rules)
    return 0


def _rules_json(rules: Rules) -> dict[str, object]:
    return {
        "rules": rules.name,
        "overrides": dict(rules.overrides),
        "players": rules.players,
        "pairs": rules.pairs,
        "digest": rules_digest(rules),
        "options": rules.as_json(),
    }


def _say_sheet(rules: Rules) -> None:
    print(f"{rules.name}{_said_overrides(rules.overrides)}, {_table_words(rules)}")
    title = ""
    for sentence in sentences(rules):
        if sentence.group.title != title:
            title = sentence.group.title
            print(f"\n{title}")
        print(f"  {sentence.clause:<4} {sentence}")
    print(f"\nDigest {rules_digest(rules)}")


def _said_overrides(overrides: Mapping[str, object]) -> str:
    """What was asked for beside the preset, as it would be asked for again."""
    words = (f"{name}={value if isinstance(value, str) else json.dumps(value)}" for name, value in overrides.items())
    return f" with {', '.join(words)}" if overrides else ""


def _table_words(rules: Rules) -> str:
    return {"2": "two players", "3": "three players", "4": "four players", "pairs": "four in pairs"}[rules.table]


def _say_differences(left: Rules, right: Rules, as_json: bool, as_digest: bool) -> None:
    rows = differences(left, right)
    if as_digest:
        print(rules_digest(left), rules_digest(right), sep="\n")
    elif as_json:
        ours, theirs = left.as_json(), right.as_json()
        rows_json = [
            {"option": row.option, "clause": row.clause, "left": ours[row.option], "right": theirs[row.option]}
            for row in rows
        ]
        print(json.dumps({"left": left.name, "right": right.name, "differences": rows_json}, indent=1))
    else:
        print(f"{left.name}, {_table_words(left)} | {right.name}, {_table_words(right)}")
        for row in rows:
            print(f"{row.option} {row.clause}: {row.left} | {row.right}")
        print(f"{len(rows)} options differ" if rows else "the same options")


_PRESET_FOR: Final = {2: "moscow/2", 3: "moscow/3", 4: "house/4"}
"""By whose rules cards are dealt where only the number of players is known."""


def show_deal(options: argparse.Namespace) -> int:
    """One deal of a seed, for anyone to check."""
    rules = _rules(options.rules or _PRESET_FOR[options.players or 2], options.overrides)
    seed, entropy = _seed(options.seed), _entropy(options.entropy)
    if not 0 <= options.number < 1 << 32:
        raise UsageError(f"--number {options.number}: expected a deal's number from 0 to {(1 << 32) - 1}")
    if sorted(options.suits) != sorted(SUITS):
        raise UsageError(f"--suits {plain(options.suits)}: expected the letters {SUITS} in some order")
    by_lot = lot(seed, rules.players)
    dealer = by_lot if options.dealer is None else options.dealer
    if dealer not in range(rules.players):
        raise UsageError(f"--dealer {dealer}: expected a seat from 0 to {rules.players - 1}")
    pack, paint = pack_of(seed, entropy, options.number, options.suits), _paint(options)
    print(f"seed        {seed.hex()}")
    print(f"commitment  {commitment(seed)}  (R68)")
    print(f"entropy     {entropy.hex() or 'none'}")
    print(f"lot         seat {by_lot} deals first  (R69)")
    print(f"pack        {paint(' '.join(map(format_card, pack)))}  (deal {options.number}, R67, R70)")
    for name, text in shown_deal(rules, options.number, dealer, pack):
        print(f"{name:<11} {paint(text)}")
    return 0


def _seed(text: str) -> bytes:
    """A seed in hex, or of any other text the one that `play` makes of it."""
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    return seed if len(seed) == SEED_BYTES else _chance(text).randbytes(SEED_BYTES)


def _entropy(text: str) -> bytes:
    try:
        entropy = bytes.fromhex(text)
    except ValueError:
        entropy = b"?"
    if len(entropy) not in (0, SEED_BYTES):
        raise UsageError(f"--entropy {plain(text)}: expected {2 * SEED_BYTES} hex digits or none (R68)")
    return entropy
