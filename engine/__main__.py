"""`python -m engine`: verify records, make random ones, play at the terminal."""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import sys
from collections.abc import Sequence
from contextlib import suppress

from engine.bots import HOUSE, house
from engine.checking import check_files
from engine.errors import EngineError
from engine.presets import playable, rules_of
from engine.record import record_of
from engine.rules import Rules
from engine.table import PartySetup, Table, apply, start
from engine.terminal import play
from engine.view import observe
from engine.wording import one_line, plain


class UsageError(Exception):
    """Something on the command line or in its files that its author can mend."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit code."""
    options = _parser().parse_args(arguments)
    try:
        _prepare_streams()
        code: int = options.run(options)
        sys.stdout.flush()
    except (UsageError, EngineError) as error:
        return _complain(error)
    except BrokenPipeError:
        _let_go_of_stdout()
        return 0  # whoever read our output has enough
    except OSError as error:
        _let_go_of_stdout()
        return _complain(error)
    return code


def _prepare_streams() -> None:
    """What cannot be read or written in the terminal's encoding is escaped; closed streams are None to Python."""
    if sys.stdout is None:
        raise UsageError("stdout is closed: there is nowhere to write to")
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _complain(error: Exception) -> int:
    with suppress(OSError):
        print(f"engine: {one_line(str(error))}", file=sys.stderr)
    return 2


def _let_go_of_stdout() -> None:
    """What is still to be written is lost; Python would complain once more when it closes stdout."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
            raise UsageError(f"--set {plain(text)}: expected OPTION=VALUE")
        try:
            asked[name] = json.loads(value)
        except json.JSONDecodeError:
            asked[name] = value
        except (ValueError, RecursionError) as error:
            raise UsageError(f"--set {plain(text)}: {error}") from None
    return rules_of(preset, asked)


def _random(options: argparse.Namespace) -> int:
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
    table, bot = start(PartySetup(rules, rng.randbytes(32))), house("random")
    while (seat := table.seat_to_act) is not None:
        table = apply(table, bot.choose(observe(table, seat), rng))
    return table


def _play(options: argparse.Namespace) -> int:
    rules = _rules(options.rules, options.overrides)
    names = options.bots.split(",")
    if len(names) != rules.players or any(name not in ("human", *HOUSE) for name in names):
        raise UsageError(f"--bots {plain(options.bots)}: expected {rules.players} of human, {', '.join(HOUSE)}")
    bots = [None if name == "human" else house(name) for name in names]
    if None in bots and sys.stdin is None:
        raise UsageError("stdin is closed: there is nobody to ask what a human plays")
    rng = _chance(options.seed)
    play(start(PartySetup(rules, rng.randbytes(32))), bots, rng, options.show)
    return 0


def _verify(options: argparse.Namespace) -> int:
    return check_files(options.files)


if __name__ == "__main__":
    sys.exit(main())
