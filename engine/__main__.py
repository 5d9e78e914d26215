"""`python -m engine`: verify records, make random ones, play at the terminal."""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine.bots import HOUSE, house
from engine.errors import EngineError
from engine.presets import playable, rules_of
from engine.record import record_of, verify
from engine.rules import Rules
from engine.table import PartySetup, Table, apply, start
from engine.terminal import play
from engine.view import observe


class UsageError(Exception):
    """Something on the command line or in its files that its author can mend."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit code."""
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
    except (UsageError, EngineError) as error:
        print(f"engine: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # Whoever read our output has enough; Python would complain once more when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m engine", description="The card table of Debertz.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    command = commands.add_parser("verify", help="check records against their rules, seed and actions")
    command.add_argument("files", nargs="+", metavar="FILE", help="a record, JSON Lines of records, or - for stdin")
    command.set_defaults(run=_verify)

    command = commands.add_parser("random", help="records of random play as JSON Lines")
    command.add_argument("preset", metavar="PRESET", help=f"one of {', '.join(playable())}")
    command.add_argument("count", type=int, metavar="N")
    _common(command)
    command.set_defaults(run=_random)

    command = commands.add_parser("play", help="play a party at the terminal")
    command.add_argument("--rules", default="moscow/2", metavar="PRESET")
    command.add_argument("--bots", default="human,greedy", help=f"who sits where: human, {', '.join(HOUSE)}")
    command.add_argument("--show", action="store_true", help="show every hand")
    _common(command)
    command.set_defaults(run=_play)
    return parser


def _common(command: argparse.ArgumentParser) -> None:
    command.add_argument("--seed", default="0", help="any text; the same seed gives the same parties")
    command.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE", dest="overrides")


def _rules(preset: str, overrides: Sequence[str]) -> Rules:
    """The rules with `option=value` overrides, the values JSON or bare words."""
    asked = {}
    for text in overrides:
        name, sign, value = text.partition("=")
        if not sign:
            raise UsageError(f"--set {text}: expected OPTION=VALUE")
        try:
            asked[name] = json.loads(value)
        except json.JSONDecodeError:
            asked[name] = value
    return rules_of(preset, asked)


def _random(options: argparse.Namespace) -> int:
    rules = _rules(options.preset, options.overrides)
    for number in range(options.count):
        print(json.dumps(record_of(_random_party(rules, random.Random(f"{options.seed}/{number}")))))
    return 0


def _random_party(rules: Rules, rng: random.Random) -> Table:
    table, bot = start(PartySetup(rules, rng.randbytes(32))), house("random")
    while (seat := table.seat_to_act) is not None:
        table = apply(table, bot.choose(observe(table, seat), rng))
    return table


def _play(options: argparse.Namespace) -> int:
    rules = _rules(options.rules, options.overrides)
    names = options.bots.split(",")
    if len(names) != rules.players or any(name not in ("human", *HOUSE) for name in names):
        raise UsageError(f"--bots {options.bots}: expected {rules.players} of human, {', '.join(HOUSE)}")
    bots = [None if name == "human" else house(name) for name in names]
    rng = random.Random(str(options.seed))
    play(start(PartySetup(rules, rng.randbytes(32))), bots, rng, options.show)
    return 0


def _verify(options: argparse.Namespace) -> int:
    good = bad = 0
    for where, record in _records(options.files):
        difference = verify(record)
        print(f"{where}: {'ok' if difference is None else difference}")
        good, bad = (good + 1, bad) if difference is None else (good, bad + 1)
    print(f"{good} verified" + f", {bad} refused" * bool(bad))
    return 1 if bad or not good else 0


def _records(files: Sequence[str]) -> Iterator[tuple[str, dict[str, object]]]:
    """Every record of the files with a name for where it stands."""
    for name in files:
        text, shown = _text_of(name), "stdin" if name == "-" else name
        try:
            whole = json.loads(text)
        except (ValueError, RecursionError):
            yield from _lines(shown, text)
        else:
            yield from ((where, _object(where, record)) for where, record in _of_document(shown, whole))


def _text_of(name: str) -> str:
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{name} cannot be read: {error}") from None


def _of_document(name: str, whole: object) -> list[tuple[str, object]]:
    """One record, or a list of them."""
    if isinstance(whole, list):
        return [(f"{name} record {place}", record) for place, record in enumerate(whole, 1)]
    return [(name, whole)]


def _lines(name: str, text: str) -> Iterator[tuple[str, dict[str, object]]]:
    """JSON Lines; empty lines are passed over."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        where = f"{name} line {number}"
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise UsageError(f"{where} is not JSON: {error}") from None
        yield where, _object(where, record)


def _object(where: str, record: object) -> dict[str, object]:
    if not isinstance(record, dict):
        raise UsageError(f"{where}: a record is a JSON object, not {json.dumps(record)[:40]}")
    return record


if __name__ == "__main__":
    sys.exit(main())
