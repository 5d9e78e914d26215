"""`python -m engine`: verify records, make random ones, play at the terminal, say rules, show deals, measure bots."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from engine.benchmarks.command import add_bench
from engine.bots import HOUSE
from engine.cards import SUITS
from engine.commands import HUMAN, UsageError, play_party, random_records, say_rules, show_deal, verify_files
from engine.errors import EngineError
from engine.ladder.command import add_ladder
from engine.presets import presets
from engine.wording import one_line


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
    except KeyboardInterrupt:
        return 130  # as a shell says of a program that was interrupted
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
    _add_verify(commands.add_parser("verify", help="check records against their rules, seed and actions"))
    _add_random(commands.add_parser("random", help="records of random play as JSON Lines"))
    _add_play(commands.add_parser("play", help="play a party at the terminal"))
    _add_rules(commands.add_parser("rules", help="a table's rules in plain words, and how two tables differ"))
    _add_deal(commands.add_parser("deal", help="show a deal of a seed, for anyone to check"))
    add_bench(commands.add_parser("bench", help="measure how fast the engine is, beside a limit in C and its peers"))
    add_ladder(commands.add_parser("ladder", help="measure on duplicate boards how strong the house bots are"))
    return parser


def _add_verify(command: argparse.ArgumentParser) -> None:
    """Arguments of `verify`."""
    command.add_argument("files", nargs="+", metavar="FILE", help="a record, JSON Lines of records, or - for stdin")
    command.set_defaults(run=verify_files)


def _add_random(command: argparse.ArgumentParser) -> None:
    """Arguments of `random`."""
    command.add_argument("preset", metavar="PRESET", help=f"one of {', '.join(presets())}")
    command.add_argument("count", type=int, metavar="N", help="how many")
    _add_seed(command)
    _add_set(command)
    command.set_defaults(run=random_records)


def _add_play(command: argparse.ArgumentParser) -> None:
    """Arguments of `play`."""
    command.add_argument("--rules", default="moscow/2", metavar="PRESET", help="whose rules; moscow/2 if not given")
    command.add_argument("--bots", metavar="NAME,…", help=f"who sits where from seat 0 on: {HUMAN}, {', '.join(HOUSE)}")
    command.add_argument("--show", action="store_true", help="show every hand")
    _add_seed(command)
    _add_set(command)
    _add_no_color(command)
    command.set_defaults(run=play_party)


def _add_rules(command: argparse.ArgumentParser) -> None:
    """Arguments of `rules`."""
    command.add_argument("preset", nargs="?", metavar="PRESET", help="without one: the presets there are")
    command.add_argument("--diff", metavar="PRESET", help="say only how they differ from this one")
    form = command.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="every option with its value, for programs")
    form.add_argument("--digest", action="store_true", help="only the digest: the same for the same rules")
    _add_set(command)
    command.set_defaults(run=say_rules)


def _add_deal(command: argparse.ArgumentParser) -> None:
    """Arguments of `deal`."""
    command.add_argument("--seed", required=True, metavar="HEX", help="64 hex digits; any other text as in play")
    command.add_argument("--entropy", default="", metavar="HEX", help="64 hex digits, or nothing if nobody sent any")
    command.add_argument("--number", type=int, default=0, metavar="N", help="the deal's number in the party, from 0")
    command.add_argument("--suits", default=SUITS, help="the suits of a record, CDHS if not given")
    command.add_argument("--dealer", type=int, metavar="SEAT", help="who deals; by lot if not given")
    table = command.add_mutually_exclusive_group()
    table.add_argument("--players", type=int, choices=(2, 3, 4), help="how many; 2 if not given")
    table.add_argument("--rules", metavar="PRESET", help="the preset, where it matters who takes the upcard")
    _add_set(command)
    _add_no_color(command)
    command.set_defaults(run=show_deal)


def _add_seed(command: argparse.ArgumentParser) -> None:
    command.add_argument("--seed", default="0", help="any text; the same seed gives the same parties")


def _add_set(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="OPTION=VALUE",
        dest="overrides",
        help="an option set otherwise than the preset has it; may be given again",
    )


def _add_no_color(command: argparse.ArgumentParser) -> None:
    command.add_argument("--no-color", action="store_true", help="cards without colours, as with NO_COLOR set")


if __name__ == "__main__":
    sys.exit(main())
