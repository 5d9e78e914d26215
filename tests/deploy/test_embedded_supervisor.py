"""The supervisor: restarts what falls, stops in order, and takes everything with it however it goes."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from deploy.embedded import Program, Supervisor
from tests.deploy.processes import GONE_WITHIN_S, descendants, lives, running_script, within

# A program that will not end when asked, and whose child would stay behind.
STUBBORN = (
    "import signal, subprocess, sys, time\n"
    "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
    "time.sleep(60)\n"
)

# Servers, a program, and a program whose worker is made by multiprocessing: all that the demo has.
HOUSE = """
    import sys, time
    from pathlib import Path
    from deploy.embedded import Program, Supervisor, services, stoppable
    var = Path(sys.argv[1])
    pool = ("import sys, time, multiprocessing as m;"
            "from deploy.embedded.lineage import die_with_parent;"
            "c = m.get_context('fork').Process(target=lambda: (die_with_parent(), time.sleep(60)));"
            "c.start(); c.join()")
    try:
        with stoppable(), services(var, fast=True) as found, Supervisor(var / "log") as supervisor:
            supervisor.watch(*found.servers)
            supervisor.start(Program("sleeper", (sys.executable, "-c", "import time; time.sleep(60)"), found))
            supervisor.start(Program("pool", (sys.executable, "-c", pool), found))
            time.sleep(1)
            print("ready", flush=True)
            supervisor.run()
    except KeyboardInterrupt:
        pass
"""


def python(code: str) -> tuple[str, ...]:
    return (sys.executable, "-c", code)


def test_starts_again_what_falls_and_says_so(tmp_path: Path) -> None:
    said: list[str] = []
    with Supervisor(tmp_path, said.append) as supervisor:
        supervisor.start(Program("falls", python("print('here', flush=True); raise SystemExit(3)")))
        log = tmp_path / "falls.log"
        supervisor.run(until=lambda: log.exists() and log.read_text().count("here") >= 2)
    assert said[0].startswith("falls ended with status 3: again in 1.0 s")


def test_falls_in_a_row_are_spaced_out(tmp_path: Path) -> None:
    said: list[str] = []
    with Supervisor(tmp_path, said.append) as supervisor:
        supervisor.start(Program("falls", python("raise SystemExit(1)")))
        supervisor.run(until=lambda: len(said) == 2)
    assert [line.split("again in ")[1].split(" s")[0] for line in said] == ["1.0", "2.0"]


def test_starts_again_what_was_killed(tmp_path: Path) -> None:
    said: list[str] = []
    with Supervisor(tmp_path, said.append) as supervisor:
        supervisor.start(Program("sleeper", python("import time; time.sleep(60)")))
        first = supervisor.pid_of("sleeper")
        assert first is not None
        os.kill(first, signal.SIGKILL)
        supervisor.run(until=lambda: supervisor.pid_of("sleeper") not in {first, None})
    assert "was ended by SIGKILL" in said[0]


def test_stops_the_last_started_first_and_the_stubborn_with_its_children(tmp_path: Path) -> None:
    goodbye = "import signal, sys, time\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(print({!r}, time.time())))\n"
    wait = "print('up', flush=True)\ntime.sleep(60)\n"
    with Supervisor(tmp_path) as supervisor:
        for name in ("first", "second"):
            supervisor.start(Program(name, python(goodbye.format(name) + wait)))
        supervisor.start(Program("stubborn", python(STUBBORN), grace_s=0.5))
        stubborn = supervisor.pid_of("stubborn")
        assert stubborn is not None
        assert within(5, lambda: len(descendants(stubborn)) == 1)
        assert within(5, lambda: all("up" in (tmp_path / f"{n}.log").read_text() for n in ("first", "second")))
        left = [stubborn, *descendants(stubborn)]
    assert within(1, lambda: not any(map(lives, left)))
    first, second = (float((tmp_path / f"{name}.log").read_text().split()[-1]) for name in ("first", "second"))
    assert second < first


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda how: how.name)
def test_nothing_stays_however_it_goes(servers_dir: Path, how: signal.Signals) -> None:
    with running_script(HOUSE, servers_dir / how.name) as house:
        left = descendants(house.pid)
        began = time.monotonic()
        house.send_signal(how)
        status = house.wait(timeout=10)
    assert len(left) >= 5
    assert within(began + GONE_WITHIN_S - time.monotonic(), lambda: not any(map(lives, left)))
    assert status == (-9 if how == signal.SIGKILL else 0)
