"""`python -m engine`, run as a program."""

import json
import os
import pty
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from engine import lot, rules_of
from engine.comparing import differences, rules_digest
from engine.presets import presets

ROOT = Path(__file__).parents[2]
SEED = bytes(range(32)).hex()


def engine(*arguments: str, given: str | bytes = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "engine", *arguments]
    raw = given if isinstance(given, bytes) else given.encode()
    done = subprocess.run(command, input=raw, capture_output=True, cwd=ROOT, timeout=60, check=False)
    return subprocess.CompletedProcess(command, done.returncode, done.stdout.decode(), done.stderr.decode())


def in_shell(rest: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The program with some of its streams closed or full: `rest` is what stands behind it in a shell."""
    command = ["sh", "-c", f'"$@" {rest}', "sh", sys.executable, "-m", "engine", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=60, check=False)


@pytest.fixture(scope="module")
def records() -> str:
    return engine("random", "moscow/2", "3", "--seed", "1", "--set", "target=150").stdout


def test_random_makes_records_that_verify(records: str) -> None:
    lines = records.splitlines()
    assert [json.loads(line)["rules"] for line in lines] == ["moscow/2@1"] * 3
    assert json.loads(lines[0])["overrides"] == {"target": 150}
    done = engine("verify", "-", given=records)
    assert done.returncode == 0
    assert done.stdout.splitlines() == [f"stdin line {number}: ok" for number in (1, 2, 3)] + ["3 verified"]


def test_random_is_reproducible(records: str) -> None:
    assert engine("random", "moscow/2", "3", "--seed", "1", "--set", "target=150").stdout == records
    assert engine("random", "moscow/2", "3", "--seed", "2", "--set", "target=150").stdout != records


def test_verify_reads_a_record_a_list_and_lines(records: str, tmp_path: Path) -> None:
    lines = records.splitlines()
    one, many, rows = tmp_path / "one.json", tmp_path / "many.json", tmp_path / "rows.jsonl"
    one.write_text(json.dumps(json.loads(lines[0]), indent=1))
    many.write_text(json.dumps([json.loads(line) for line in lines]))
    rows.write_text("\n".join([*lines, ""]) + "\n")
    done = engine("verify", str(one), str(many), str(rows))
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "7 verified"
    assert done.stdout.splitlines()[0] == f"{one}: ok"


def test_verify_names_the_first_difference(records: str) -> None:
    record = json.loads(records.splitlines()[0])
    record["deals"][0]["totals"][1] += 1
    done = engine("verify", "-", given=json.dumps(record))
    totals = json.loads(records.splitlines()[0])["deals"][0]["totals"][1]
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        f"stdin: deal 0, totals.1: expected {totals}, found {totals + 1}",
        "0 verified, 1 refused",
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{}\n{", "stdin line 2 is not JSON"),
        ("[1]", "stdin record 1: a record is a JSON object, not 1"),
        ("7", "stdin: a record is a JSON object"),
        ("[" * 100_000, "stdin line 1 is not JSON"),
        ("1" * 5000, "stdin line 1 is not JSON"),
    ],
)
def test_malformed_input_is_a_clear_error(text: str, says: str) -> None:
    done = engine("verify", "-", given=text)
    assert done.returncode in (1, 2)
    assert says in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("verify", "no such file"), "no such file cannot be read"),
        (("random", "klabor/7", "1"), "there is no preset 'klabor/7'"),
        (("random", "moscow/2", "1", "--set", "target=0"), "target cannot be 0"),
        (("random", "moscow/2", "1", "--set", "target"), "expected OPTION=VALUE"),
        (("random", "moscow/2", "-3"), "N is a number from 0, not -3"),
        (("play", "--bots", "human"), "expected 2 of human, random, greedy"),
        (("play", "--bots", "human,brave"), "'brave': expected one of random, greedy, pimc, solver, or human"),
        (("play", "--bots", "pimc:worlds=0,human"), "pimc has no setting 'worlds=0'"),
        (("play", "--rules", "moscow/3", "--bots", "solver,greedy,greedy"), "solver does not play moscow/3"),
        (("play", "--rules", "klabor/pairs", "--bots", "human,greedy"), "expected 4 of human, random, greedy"),
        (("rules", "nowhere/2"), "there is no preset 'nowhere/2'"),
        (("rules", "moscow/2", "--diff", "nowhere/2"), "there is no preset 'nowhere/2'"),
        (("rules", "moscow/2", "--set", "colour=red"), "there is no option 'colour'"),
        (("rules", "moscow/2", "--json", "--digest"), "not allowed with"),
        (("rules", "--diff", "moscow/2"), "which preset?"),
        (("deal",), "required: --seed"),
        (("deal", "--seed", SEED, "--entropy", "abc"), "expected 64 hex digits or none"),
        (("deal", "--seed", SEED, "--entropy", "ab"), "expected 64 hex digits or none"),
        (("deal", "--seed", SEED, "--number", "-1"), "expected a deal's number from 0"),
        (("deal", "--seed", SEED, "--number", "4294967296"), "expected a deal's number from 0"),
        (("deal", "--seed", SEED, "--number", "x"), "invalid int value"),
        (("deal", "--seed", SEED, "--suits", "CDH"), "expected the letters CDHS"),
        (("deal", "--seed", SEED, "--dealer", "2"), "expected a seat from 0 to 1"),
        (("deal", "--seed", SEED, "--players", "5"), "invalid choice"),
        (("deal", "--seed", SEED, "--players", "3", "--rules", "moscow/3"), "not allowed with"),
        (("deal", "--seed", SEED, "--rules", "moscow/9"), "there is no preset 'moscow/9'"),
    ],
)
def test_what_cannot_be_done_is_said(arguments: tuple[str, ...], says: str) -> None:
    done = engine(*arguments)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("text", ["", "\n \r\n", "[]"])
def test_nothing_to_verify_is_no_success(text: str) -> None:
    done = engine("verify", "-", given=text)
    assert (done.returncode, done.stdout) == (2, "0 verified, 1 malformed\n")
    assert done.stderr == "engine: stdin: there is no record in it\n"


def test_a_key_that_stands_twice_is_refused_by_name(records: str, tmp_path: Path) -> None:
    one = records.splitlines()[0]
    twice = one.replace('"entropy":', '"entropy": "", "entropy":', 1)
    inner = one.replace('"dealer":', '"dealer": 0, "dealer":', 1)
    done = engine("verify", "-", given=f"{one}\n{twice}\n{inner}\n")
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "stdin line 1: ok",
        "stdin line 2: the key 'entropy' stands twice in one object",
        "stdin line 3: the key 'dealer' stands twice in one object",
        "1 verified, 2 refused",
    ]
    (tmp_path / "one.json").write_text(json.dumps(json.loads(one), indent=1).replace('"rules"', '"seed": "",\n"rules"'))
    done = engine("verify", str(tmp_path / "one.json"))
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "0 verified, 1 refused")
    assert "the key 'seed' stands twice" in done.stdout


def test_lines_end_at_line_feeds_only(records: str) -> None:
    """JSON text may hold U+2028 and the like; files from elsewhere have CR before LF; CR alone ends nothing."""
    first, second, _ = records.splitlines()
    odd = json.dumps({**json.loads(first), "note": "a\u2028b\x85c"}, ensure_ascii=False)
    done = engine("verify", "-", given=f"{odd}\r\n{second}\r\n")
    assert done.stdout.splitlines() == ["stdin line 1: ok", "stdin line 2: ok", "2 verified"]
    done = engine("verify", "-", given=f"{first}\r{second}\r\n".encode())
    assert (done.returncode, done.stdout) == (2, "0 verified, 1 malformed\n")


def test_a_party_that_goes_on_is_said_to(records: str) -> None:
    whole = json.loads(records.splitlines()[0])
    running = {**whole, "deals": whole["deals"][:1], "result": None}
    done = engine("verify", "-", given=f"{json.dumps(whole)}\n{json.dumps(running)}\n")
    assert done.returncode == 0
    assert done.stdout.splitlines() == ["stdin line 1: ok", "stdin line 2: ok, unfinished", "2 verified (1 unfinished)"]


def test_what_is_malformed_hides_nothing_else(records: str, tmp_path: Path) -> None:
    first, second, third = records.splitlines()
    rows, good, bad = tmp_path / "rows.jsonl", tmp_path / "good.json", tmp_path / "bad.json"
    rows.write_text("\n".join([first, second[:-9], "7", third]))
    good.write_text(second)
    bad.write_bytes(b"\xff")
    done = engine("verify", "no such file", str(rows), str(bad), str(tmp_path), str(good))
    assert done.returncode == 2
    assert done.stdout.splitlines() == [
        f"{rows} line 1: ok",
        f"{rows} line 4: ok",
        f"{good}: ok",
        "3 verified, 5 malformed",
    ]
    told = done.stderr.splitlines()
    assert told[0].startswith("engine: no such file cannot be read: ")
    assert told[1].startswith(f"engine: {rows} line 2 is not JSON: ")
    assert told[2] == f"engine: {rows} line 3: a record is a JSON object, not 7"
    assert told[3].startswith(f"engine: {bad} cannot be read: ")
    assert told[4].startswith(f"engine: {tmp_path} cannot be read: ")
    refused = first.replace('"players": 2', '"players": 3')
    assert engine("verify", "-", given=f"{refused}\n{{\n").returncode == 2


def test_a_broken_document_is_one_fault(records: str) -> None:
    """Not one for each of its lines."""
    laid_out = json.dumps(json.loads(records.splitlines()[0]), indent=1)
    done = engine("verify", "-", given=laid_out[:-5])
    assert (done.returncode, done.stdout) == (2, "0 verified, 1 malformed\n")
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith(f"engine: stdin line {len(laid_out[:-5].splitlines())} is not JSON: ")


def test_what_a_record_says_cannot_disguise_itself(records: str, tmp_path: Path) -> None:
    record = json.loads(records.splitlines()[0])
    forged = tmp_path / "x\n9 verified"
    forged.write_text(json.dumps({**record, "rules": "x\r\n9 verified \x1b[2J \ud800" + "y" * 5000}))
    done = engine("verify", str(forged))
    first, second = done.stdout.splitlines()
    assert second == "0 verified, 1 refused"
    assert first.startswith(f"{tmp_path}/x\\n9 verified: rules: expected ")
    assert "found 'x\\r\\n9 verified \\x1b[2J \\ud800yyy" in first
    assert len(first) < 1000


@pytest.mark.parametrize(
    ("rest", "arguments", "says"),
    [
        ("<&-", ("verify", "-"), "stdin cannot be read: it is closed"),
        ("<&-", ("play",), "stdin is closed: "),
        (">&-", ("verify", "-"), "stdout is closed"),
        (">&-", ("random", "moscow/2", "1"), "stdout is closed"),
        (">/dev/full", ("random", "moscow/2", "1"), "No space left"),
        (">/dev/full", ("verify", "README.md"), "No space left"),
        ("0>/dev/null", ("verify", "-"), "stdin cannot be read: "),
        ("0>/dev/null", ("play", "--bots", "human,human"), "engine: "),
    ],
)
def test_closed_and_full_streams_are_one_clear_line(rest: str, arguments: tuple[str, ...], says: str) -> None:
    done = in_shell(rest, *arguments)
    assert done.returncode == 2
    *_, last = done.stderr.splitlines()
    assert says in last
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1 + ("README.md" in arguments)


def test_play_takes_bytes_that_are_no_text() -> None:
    done = engine("play", "--bots", "human,human", given=b"\xff\xfe\n")
    assert done.returncode == 0
    assert "is no action" in done.stdout


@pytest.mark.parametrize(
    "value", ["9" * 5000, "[" * 100_000, "1e999", "[" * 500 + "]" * 500, "\n9 verified", "[" + "9" * 4000 + "]"]
)
def test_huge_and_strange_settings_are_one_line(value: str) -> None:
    done = engine("random", "moscow/2", "1", "--set", f"target={value}")
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert len(done.stderr) < 1000


def test_bytes_that_are_no_text_may_be_a_seed() -> None:
    done = in_shell("", "random", "moscow/2", "1", "--set", "deals=1", "--seed", os.fsdecode(b"\xff"))
    assert (done.returncode, done.stderr) == (0, "")


def test_play_asks_again_and_ends_politely() -> None:
    done = engine("play", "--bots", "greedy,human", "--seed", "1", given="nonsense\nplay:7C\npass\n")
    assert done.returncode == 0
    assert "'nonsense' is no action" in done.stdout
    assert "is not for now" in done.stdout
    assert "you may: take pass" in done.stdout
    assert done.stdout.endswith("No more input: the party stops here.\n")


def test_play_to_the_end_with_open_hands() -> None:
    done = engine("play", "--bots", "greedy,random", "--seed", "4", "--show", "--set", "deals=2")
    assert done.returncode == 0
    assert done.stdout.count(", upcard ") >= 2
    assert "(deals)" in done.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    ("preset", "bots"),
    [
        ("moscow/3", "greedy,random,greedy"),
        ("house/4", "greedy,random,greedy,random"),
        ("klabor/pairs", "greedy,random,greedy,random"),
        ("short_dava/2", "greedy,greedy"),
        ("moscow/3", "greedy,pimc:worlds=2,random"),
    ],
)
def test_play_at_every_table(preset: str, bots: str) -> None:
    done = engine("play", "--rules", preset, "--bots", bots, "--seed", "5", "--set", "target=100")
    assert (done.returncode, done.stderr) == (0, "")
    last = done.stdout.splitlines()[-1]
    assert " wins (" in last
    assert ("stakes" in last) == preset.startswith("short")
    assert ("pair 0+2" in done.stdout) == ("pairs" in preset)


def test_play_says_why_what_is_written() -> None:
    done = engine("play", "--bots", "greedy,greedy", "--seed", "4", "--set", "deals=1")
    told = [line.split(": ")[0].strip() for line in done.stdout.splitlines() if line.startswith("  R")]
    assert told[0] == "R7"
    assert {"R8", "R43", "R71"} <= set(told)


def test_play_takes_a_card_by_its_name_alone() -> None:
    """A human who is void of ideas; the cards offered are in the prompt before."""
    asked = engine("play", "--bots", "human,greedy", "--seed", "1", "--set", "obligation=on", given="take\n").stdout
    assert "you may: " in asked
    card = next(word for word in asked.split("you may: ")[-1].split() if word.startswith("play:"))[5:]
    done = engine("play", "--bots", "human,greedy", "--seed", "1", "--set", "obligation=on", given=f"take\n{card}\n")
    assert f"  0 play:{card}\n" in done.stdout


RED, BOLD = "\x1b[31m", "\x1b[1m"


def test_cards_are_in_colour_at_a_terminal_only() -> None:
    arguments = ("play", "--bots", "human,greedy", "--seed", "1")
    assert "\x1b" not in engine(*arguments).stdout
    shown = at_a_terminal(*arguments)
    assert RED in shown
    assert BOLD in shown
    assert "\x1b" not in at_a_terminal(*arguments, "--no-color")
    assert "\x1b" not in at_a_terminal(*arguments, NO_COLOR="1")
    assert "\x1b" not in at_a_terminal(*arguments, TERM="dumb")
    assert RED in at_a_terminal(*arguments, NO_COLOR="")
    assert RED in at_a_terminal("deal", "--seed", SEED)


def at_a_terminal(*arguments: str, **environment: str) -> str:
    """What the program writes to a terminal, with nothing to read."""
    leader, follower = pty.openpty()
    env = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {"TERM": "xterm"} | environment
    command = [sys.executable, "-m", "engine", *arguments]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=follower, env=env, cwd=ROOT) as program:
        os.close(follower)
        written = b""
        with suppress(OSError):  # how a terminal says that nobody writes to it any more
            while piece := os.read(leader, 4096):
                written += piece
        assert program.wait(timeout=30) == 0
    os.close(leader)
    return written.decode()


def test_rules_in_words() -> None:
    done = engine("rules", "klabor/pairs", "--set", "target=1001", "--set", "hang=wait")
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert lines[0] == "klabor/pairs@1 with target=1001, hang=wait, four in pairs"
    assert lines[1:3] == ["", "The deal"]
    assert "  R52  The party is played to 1001 points." in lines
    assert lines[-1] == f"Digest {rules_digest(rules_of('klabor/pairs', {'target': 1001, 'hang': 'wait'}))}"


def test_rules_as_data() -> None:
    document = json.loads(engine("rules", "short/3", "--json").stdout)
    rules = rules_of("short/3")
    assert document["options"] == rules.as_json()
    assert rules_of("short/3", document["options"]) == replace(rules, overrides=rules.as_json())
    digest = engine("rules", "short/3", "--digest").stdout
    assert digest == f"{document['digest']}\n" == f"{rules_digest(rules)}\n"


def test_rules_differ_in_a_line_for_each_option() -> None:
    done = engine("rules", "klabor/pairs", "--diff", "moscow/2")
    head, *rows, count = done.stdout.splitlines()
    assert head == "klabor/pairs@1, four in pairs | moscow/2@1, two players"
    assert count == f"{len(rows)} options differ"
    assert [row.split()[0] for row in rows] == [
        row.option for row in differences(rules_of("klabor/pairs"), rules_of("moscow/2"))
    ]
    assert (
        "next_dealer R12: The deal goes round: the player to the dealer's left deals next. "
        "| The winner of a deal deals the next one." in rows
    )
    assert engine("rules", "moscow/2", "--diff", "moscow/2").stdout.endswith("\nthe same options\n")
    document = json.loads(engine("rules", "moscow/2", "--diff", "kharkov/2", "--json").stdout)
    row = {"option": "sequence_tie", "clause": "R28", "left": "trump_order", "right": "order"}
    assert document == {"left": "moscow/2@1", "right": "kharkov/2@1", "differences": [row]}
    digests = engine("rules", "moscow/2", "--diff", "kharkov/2", "--digest").stdout.split()
    assert digests == [rules_digest(rules_of(name)) for name in ("moscow/2", "kharkov/2")]


def test_rules_without_a_name_lists_them() -> None:
    assert engine("rules").stdout.split() == list(presets())
    assert json.loads(engine("rules", "--json").stdout)["moscow/2"] == rules_digest(rules_of("moscow/2"))


def test_deal_shows_what_a_record_holds() -> None:
    """The second deal of a party: its pack, hands and upcard, and the commitment."""
    record = json.loads(engine("random", "moscow/2", "1", "--seed", "3", "--set", "deals=3").stdout)
    dealt, entropy = record["deals"][1], record["entropy"]
    arguments = ("--entropy", entropy, "--number", "1", "--dealer", str(dealt["dealer"]))
    shown = fields(engine("deal", "--seed", record["seed"], *arguments).stdout)
    deck, dealer = dealt["deck"], dealt["dealer"]
    assert shown["commitment"].split()[0] == record["commitment"]
    assert shown["pack"].startswith(" ".join(deck))
    eldest = 1 - dealer
    assert sorted(shown[f"seat {eldest}"].split()) == sorted(deck[:3] + deck[6:9])
    assert sorted(shown[f"seat {dealer}"].removesuffix(" (dealer)").split()) == sorted(deck[3:6] + deck[9:12])
    assert (shown["upcard"], shown["bottom"]) == (deck[12], deck[31])
    assert sorted(shown[f"buy-in {eldest}"].split()) == sorted(deck[13:16])


def fields(text: str) -> dict[str, str]:
    return {line[:12].strip(): line[12:] for line in text.splitlines()}


def test_deal_by_the_lot_and_of_any_text() -> None:
    shown = fields(engine("deal", "--seed", SEED, "--players", "3").stdout)
    assert shown["lot"].startswith(f"seat {lot(bytes(range(32)), 3)} deals first")
    assert shown[f"seat {lot(bytes(range(32)), 3)}"].endswith(" (dealer)")
    by_name = fields(engine("deal", "--seed", "4").stdout)
    played = engine("play", "--bots", "greedy,greedy", "--seed", "4", "--show", "--set", "deals=1").stdout
    assert f"upcard {by_name['upcard']}\n" in played


def test_deal_where_the_maker_takes_the_upcard() -> None:
    shown = fields(engine("deal", "--seed", SEED, "--rules", "kharkov_full/4").stdout)
    assert len(shown["rest"].split(" (")[0].split()) == 7
    assert shown["bottom"] == "none: the whole pack is in play"
    by_dealer = fields(engine("deal", "--seed", SEED, "--players", "4").stdout)
    assert sum(by_dealer["upcard"] in by_dealer[f"buy-in {seat}"].split() for seat in range(4)) == 1


def test_play_shows_the_hand_of_a_claim() -> None:
    """Bots of chance claim what they may; R21's hand is among what is printed."""
    agreed = ("--set", "deals=20", "--set", "redeal_poor=200", "--seed", "1")
    done = engine("play", "--bots", "random,random", "--show", *agreed)
    lines = done.stdout.splitlines()
    claims = [at for at, line in enumerate(lines) if line.endswith(" redeal")]
    assert claims
    for at in claims:
        assert lines[at + 1].startswith(f"  ! show {lines[at].split()[0]} ")
        assert lines[at + 2].startswith("--- redeal: ")


def test_a_reader_that_has_enough_is_no_error() -> None:
    """The pipe closes after the first line; nothing is printed to stderr."""
    read, write = os.pipe()
    command = [sys.executable, "-m", "engine", "random", "moscow/2", "400", "--set", "target=50"]
    with subprocess.Popen(command, stdout=write, stderr=subprocess.PIPE, text=True, cwd=ROOT) as program:
        os.close(write)
        os.read(read, 10)
        os.close(read)
        assert program.stderr is not None
        assert program.stderr.read() == ""
        assert program.wait(timeout=30) == 0
