"""The demo's terminal: a progress bar, then the tables."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.table import Table

if TYPE_CHECKING:
    from deploy.demo_desk import Desk
    from deploy.demo_stage import Progress

LOG_EVERY_S = 5.0
FRACTIONS = ("", "¼", "½", "¾")


def show_progress(progress: Callable[[], Progress], tick: Callable[[], None]) -> None:
    """A bar of matches done, games per minute and the time left; plain lines where there is no terminal."""
    console = Console()
    columns = (
        TextColumn("  matches"),
        BarColumn(40),
        MofNCompleteColumn(),
        TextColumn("{task.fields[pace]} games a minute"),
        TimeRemainingColumn(),
    )
    began, next_line = time.monotonic(), 0.0
    with Bar(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("matches", total=None, pace="…")
        while True:
            tick()
            now = progress()
            pace = round(now.games * 60 / max(1.0, time.monotonic() - began))
            bar.update(task, completed=now.done, total=now.total, pace=pace)
            if not console.is_terminal and time.monotonic() >= next_line:
                print(f"  matches {now.done}/{now.total}, {pace} games a minute", flush=True)
                next_line = time.monotonic() + LOG_EVERY_S
            if now.is_over:
                return
            time.sleep(0.5)


def show_evening(tournaments: Sequence[Any], url: str, desk: Desk) -> None:
    """The published standings of all, and where to look next."""
    for tournament in tournaments:
        show_standings(tournament)
    show_addresses(url, [tournament.get_absolute_url() for tournament in tournaments], desk)


def show_standings(tournament: Any) -> None:
    """The published standings as the page shows them."""
    snapshot = tournament.snapshots.order_by("-number").first()
    table = Table(title=f"{tournament.name}: standings {snapshot.number}, {snapshot.matches_counted} matches")
    table.add_column("", justify="right")
    table.add_column("Name", no_wrap=True)
    for heading in ("Played", "Won", "Drawn", "Lost", "Points", "Difference"):
        table.add_column(heading, justify="right")
    for row in snapshot.rows:
        numbers = (row["played"], row["wins"], row["draws"], row["losses"], quarters(row["points"]))
        table.add_row(str(row["place"]), row["name"], *map(str, numbers), f"{row['difference']:+d}")
    Console().print(table)


def show_addresses(url: str, standings: Sequence[str], desk: Desk) -> None:
    """Where to look, on lines that stay whole in a narrow terminal: they are there to be copied."""
    for address in standings:
        print(f"  Standings  {url}{address}")
    print(f"  Site       {url}/")
    print(f"  Your bot   {url}/signup/  (ten minutes to its first game: docs/bots.md)")
    print(f"  API        {url}/api/v1/")
    print(f"  Admin      {url}/admin/  ({desk.user.username}, password {desk.password})", flush=True)


def quarters(points: int) -> str:
    """Quarter points as they are written: 14 → 3½."""
    whole, rest = divmod(points, 4)
    return f"{whole or ''}{FRACTIONS[rest]}" if rest else str(whole)
