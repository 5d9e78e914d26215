"""Schemathesis over the whole API of a running server: what no schema says is answered nowhere.

Examples, the boundaries of every parameter and body, random data that fits the schema and that does not, and chains of
requests that feed each other: asked by the owner of what is there, by staff, and on the routes of play by a program.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "missing_required_header",
    "unsupported_method",
    "allow_header_conformance",
    "ignored_auth",
)
ROUTES_OF_PLAY = r"/api/v1/(bot|decisions)/"
ENDLESS = r"/api/v1/bot/stream"
"""It answers until somebody hangs up: what comes of it is seen elsewhere."""
KNOWN_SHARE = 0.75
"""So often an address is that of something which is there."""
REQUEST_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Size:
    phases: tuple[str, ...]
    examples: int
    seed: int = 1


FULL = Size(("examples", "coverage", "fuzzing", "stateful"), examples=40)
QUICK = Size(("examples", "fuzzing"), examples=2)


@dataclass(frozen=True, slots=True)
class Asker:
    """`paths`: a regular expression of those that he asks; empty for all."""

    name: str
    token: str
    paths: str = ""


@dataclass(frozen=True, slots=True)
class Tried:
    """What one run saw. `failures`: what was wrong, in the tool's words; `phases`: those that were gone through."""

    asker: str
    operations: int
    requests: int
    phases: tuple[str, ...]
    failures: tuple[str, ...]


def try_api(base_url: str, asker: Asker, there: Mapping[str, str], size: Size) -> Tried:
    """Runs schemathesis against a server. `there`: by the name of a path's parameter something that is there.

    Raises RuntimeError if it came to no end.
    """
    with tempfile.TemporaryDirectory() as folder:
        config, report = Path(folder) / "schemathesis.toml", Path(folder) / "report.json"
        config.write_text("\n".join(_config(asker.token, there)))
        argv = [str(Path(sys.executable).parent / "schemathesis"), "--config-file", str(config), "run"]
        argv += [f"{base_url}/api/v1/schema/?format=json", "--report-json-path", str(report), "--report", "json"]
        ran = subprocess.run(
            [*argv, *_options(asker, size)], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        said = json.loads(report.read_text()) if report.exists() else {}
        if not said.get("complete") or said["errors"]:
            raise RuntimeError(f"Schemathesis ended with status {ran.returncode}: {ran.stdout[-3_000:]}")
    return _tried(asker, said, ran.stdout)


def _config(token: str, there: Mapping[str, str]) -> Iterator[str]:
    yield f"request-timeout = {REQUEST_SECONDS}"
    yield f'[auth.openapi.token]\nbearer = "{token}"'
    for name, value in there.items():
        yield f'[dictionaries.{name}]\nvalues = ["{value}"]'
    yield '[parameters]\n"query.wait" = 0\n"path.number" = 1'
    for name in there:
        yield f'"path.{name}" = {{ dictionary = "{name}", probability = {KNOWN_SHARE} }}'


def _options(asker: Asker, size: Size) -> list[str]:
    only = ["--include-path-regex", asker.paths] if asker.paths else []
    return [
        *("--checks", ",".join(CHECKS)),
        *("--phases", ",".join(size.phases)),
        *("--mode", "all"),
        *("--max-examples", str(size.examples)),
        *("--seed", str(size.seed)),
        *("--generation-database", "none"),
        *("--exclude-path-regex", ENDLESS),
        "--continue-on-failure",
        "--no-color",
        *only,
    ]


def _tried(asker: Asker, said: Mapping[str, Any], output: str) -> Tried:
    failures = [f"{asker.name}: {json.dumps(failure)[:1_500]}" for failure in said["failures"]]
    if said["exit_code"] and not failures:
        failures = [f"{asker.name}: {output[-3_000:]}"]
    return Tried(
        asker=asker.name,
        operations=said["operations"]["tested"],
        requests=said["test_cases"]["generated"],
        phases=tuple(name for name, phase in said["phases"].items() if phase["status"] != "skip"),
        failures=tuple(failures),
    )
