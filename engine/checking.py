"""`python -m engine verify`: every record of some files, a line about each, and a count of them all."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from engine.record import verify
from engine.wording import brief, one_line


class Verdict(StrEnum):
    """What became of one record, or of a text that holds none."""

    VERIFIED = "verified"
    UNFINISHED = "unfinished"
    REFUSED = "refused"
    MALFORMED = "malformed"


class Finding(NamedTuple):
    """A verdict and the line that says it, its place first."""

    verdict: Verdict
    text: str


class Reading(NamedTuple):
    """A JSON value, and a key that stands twice in an object of it: readers differ in which of the two they take."""

    value: object
    doubled: str | None


def check_files(names: Sequence[str]) -> int:
    """Prints a line for each record; the exit code is 2 if anything is malformed, else 1 if a record is refused."""
    count: Counter[Verdict] = Counter()
    for name in names:
        for verdict, text in _findings("stdin" if name == "-" else name, name):
            count[verdict] += 1
            if verdict is Verdict.MALFORMED:
                print(f"engine: {one_line(text)}", file=sys.stderr)
            else:
                print(one_line(text))
    print(_summary(count))
    return 2 if count[Verdict.MALFORMED] else int(count[Verdict.REFUSED] > 0)


def _summary(count: Counter[Verdict]) -> str:
    text = f"{count[Verdict.VERIFIED] + count[Verdict.UNFINISHED]} verified"
    if count[Verdict.UNFINISHED]:
        text += f" ({count[Verdict.UNFINISHED]} unfinished)"
    for verdict in (Verdict.REFUSED, Verdict.MALFORMED):
        text += f", {count[verdict]} {verdict}" * bool(count[verdict])
    return text


def _findings(shown: str, name: str) -> Iterator[Finding]:
    """What there is in one file; `shown` is what to call it."""
    try:
        text = _text_of(name)
    except (OSError, UnicodeDecodeError) as error:
        yield Finding(Verdict.MALFORMED, f"{shown} cannot be read: {error}")
        return
    try:
        whole = _read(text)
    except (ValueError, RecursionError) as error:
        found = _of_lines(shown, text, error)
    else:
        found = _of_document(shown, whole)
    nothing = Finding(Verdict.MALFORMED, f"{shown}: there is no record in it")
    first = next(found, nothing)
    yield first
    yield from found


def _text_of(name: str) -> str:
    """A file's text with its line ends as they are."""
    if name != "-":
        return Path(name).read_bytes().decode("utf-8")
    if sys.stdin is None:
        raise OSError("it is closed")
    return sys.stdin.buffer.read().decode("utf-8")


def _read(text: str) -> Reading:
    doubled: list[str] = []

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        read = dict(pairs)
        if len(read) < len(pairs):
            doubled.append(Counter(key for key, _ in pairs).most_common(1)[0][0])
        return read

    value = json.loads(text, object_pairs_hook=once)
    return Reading(value, doubled[0] if doubled else None)


def _of_document(name: str, whole: Reading) -> Iterator[Finding]:
    """One record, or a list of them."""
    if not isinstance(whole.value, list) or whole.doubled is not None:
        yield _finding(name, whole)
        return
    for place, record in enumerate(whole.value, 1):
        yield _finding(f"{name} record {place}", Reading(record, None))


def _of_lines(name: str, text: str, not_one: Exception) -> Iterator[Finding]:
    """JSON Lines; empty lines are passed over. `not_one`: why the text is not one document.

    Only a line feed ends a line: a text in JSON may hold the other characters that end lines elsewhere.
    """
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    for place, (number, line) in enumerate(lines):
        try:
            reading = _read(line.rstrip("\r"))
        except (ValueError, RecursionError) as error:
            if not place:  # a broken document rather than lines: a word about every line would only be noise
                yield _not_json(name, getattr(not_one, "lineno", number), not_one)
                return
            yield _not_json(name, number, error)
        else:
            yield _finding(f"{name} line {number}", reading)


def _not_json(name: str, line: int, error: Exception) -> Finding:
    return Finding(Verdict.MALFORMED, f"{name} line {line} is not JSON: {error}")


def _finding(where: str, reading: Reading) -> Finding:
    record = reading.value
    if reading.doubled is not None:
        return Finding(Verdict.REFUSED, f"{where}: the key {brief(reading.doubled)} stands twice in one object")
    if not isinstance(record, dict):
        return Finding(Verdict.MALFORMED, f"{where}: a record is a JSON object, not {brief(record)}")
    difference = verify(record)
    if difference is not None:
        return Finding(Verdict.REFUSED, f"{where}: {difference}")
    if record["result"] is None:
        return Finding(Verdict.UNFINISHED, f"{where}: ok, unfinished")
    return Finding(Verdict.VERIFIED, f"{where}: ok")
