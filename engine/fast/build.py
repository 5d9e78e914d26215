"""`python -m engine.fast.build`: compiles the fast core for the Python that runs it.

It needs a C compiler, Python's headers, and mypyc (mypy) with setuptools; what is missing is said, with how to get it.
Nothing else of the engine needs any of them. What is made goes to `build/fast/` and is used from there as long as the
sources are the same; it holds for any machine of the same kind, so it may be copied.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import fcntl
import importlib.metadata
import importlib.util
import io
import json
import os
import re
import shutil
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from engine.fast.finding import (
    GROUP,
    MAKERS,
    MANIFEST,
    PROJECT,
    SOURCES,
    build_folder,
    compiled_sources,
    digest_of,
    find_build,
    interpreter,
)

COMPILERS: Final = ("cc", "gcc", "clang")
FLAGS: Final = ("-fno-semantic-interposition", "-fno-math-errno")
"""Beside those of mypyc and of Python itself. No `-march`: a build may be copied to another machine."""

_LITERAL_SHIFTED: Final = re.compile(r"= (\d+) (<<|>>) cpy_r_")


class CannotBuild(Exception):
    """What is missing here, and how to get it."""


class BuildFailed(Exception):
    """Everything was there and it went wrong all the same; the text is what mypyc or the compiler said."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Compiles if there is anything new; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m engine.fast.build", description="Compile the fast core.")
    parser.add_argument("--force", action="store_true", help="compile again what is compiled already")
    parser.add_argument(
        "--if-possible", action="store_true", help="be content with plain Python where it cannot be compiled"
    )
    options = parser.parse_args(arguments)
    try:
        said = build(force=options.force)
    except (CannotBuild, BuildFailed) as error:
        print(f"engine.fast.build: {error}", file=sys.stderr)
        if options.if_possible:
            print("engine.fast.build: the engine runs as plain Python, with the same results", file=sys.stderr)
        return 0 if options.if_possible else 1
    if said:
        print(said)
    return 0


def build(*, force: bool = False) -> str:
    """Compiles what has changed; says what was made, or nothing if nothing was.

    Locks: `build/fast/lock`, so that of two at once the second finds the work done.
    Raises: CannotBuild, BuildFailed.
    """
    if not force and _is_made():
        return ""
    modules = compiled_sources()
    check_tools()
    with _locked(build_folder().parent):
        if not force and _is_made():
            return ""
        _remove_leftovers(build_folder().parent)
        began = time.monotonic()
        _make(modules, build_folder())
        return f"Compiled {len(modules)} modules of the fast core in {time.monotonic() - began:.0f} s"


def _is_made() -> bool:
    """Whether the build that lies here fits, and was made by the mypyc that is here now, if one is."""
    if find_build().folder is None:
        return False
    manifest = json.loads((build_folder() / MANIFEST).read_text(encoding="utf-8"))
    return _mypyc_version() in ("", manifest.get("mypyc"))


def _mypyc_version() -> str:
    try:
        return importlib.metadata.version("mypy")
    except importlib.metadata.PackageNotFoundError:
        return ""


def check_tools() -> None:
    """Raises CannotBuild with what is missing of compiler, headers and mypyc."""
    missing = [said for said in (_why_no_mypyc(), _why_no_compiler(), _why_no_headers()) if said]
    if missing:
        raise CannotBuild("; ".join(missing))


def _why_no_mypyc() -> str:
    absent = [name for name in ("mypyc", "setuptools") if importlib.util.find_spec(name) is None]
    return f"{' and '.join(absent)} not installed here (requirements/dev.txt has them)" if absent else ""


def _why_no_compiler() -> str:
    return "" if compiler() else "no C compiler (on Debian and Ubuntu: apt install gcc libc6-dev)"


def compiler() -> str | None:
    """The C compiler: CC, the one that Python was made with, or any other that is there."""
    wanted = (os.environ.get("CC"), sysconfig.get_config_var("CC"), *COMPILERS)
    return next((name for name in wanted if name and shutil.which(name.split()[0])), None)


def _why_no_headers() -> str:
    places = {sysconfig.get_path(name) for name in ("include", "platinclude")}
    if any(Path(place, "Python.h").exists() for place in places if place):
        return ""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return f"no Python.h for this Python (on Debian and Ubuntu: apt install python3-dev, or python{version}-dev)"


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
    except OSError as error:
        raise CannotBuild(f"{error.filename or folder} cannot be written ({error.strerror})") from error


def _remove_leftovers(folder: Path) -> None:
    """What builds left that were killed; whoever holds the lock is the only one that makes anything here."""
    for left in folder.glob("making-*"):
        shutil.rmtree(left, ignore_errors=True)


def _make(modules: Sequence[Path], target: Path) -> None:
    """The modules compiled, in the place of whatever was there; half a build is never seen."""
    with tempfile.TemporaryDirectory(prefix="making-", dir=target.parent) as made:
        manifest = _manifest(modules)
        _compile(modules, Path(made))
        new = Path(made) / "lib"
        (new / MANIFEST).write_text(json.dumps(manifest, indent=1), encoding="utf-8")
        if target.exists():
            target.rename(Path(made) / "old")  # who has it loaded keeps it
        new.rename(target)


def _manifest(modules: Sequence[Path]) -> dict[str, object]:
    """Of what it is made: the sources, and whatever they import from the engine, whose constants are compiled in."""
    sources = {path for module in modules for path in _imported(module)} | set(modules)
    sources |= {PROJECT / name for name in MAKERS}
    return {
        "interpreter": interpreter(),
        "mypyc": _mypyc_version(),
        "compiled": [path.stem for path in modules],
        "sources": {str(path.relative_to(PROJECT)): digest_of(path) for path in sorted(sources)},
    }


def _imported(module: Path) -> Iterator[Path]:
    for node in ast.walk(ast.parse(module.read_bytes())):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        for name in names:
            path = PROJECT.joinpath(*name.split(".")).with_suffix(".py")
            if name.startswith("engine.") and path.exists() and path != SOURCES:
                yield path


def _compile(modules: Sequence[Path], folder: Path) -> None:
    """The libraries in `folder/lib`; raises BuildFailed with what mypyc or the compiler said."""
    os.environ["CC"] = compiler() or ""
    names = [str(path.relative_to(PROJECT)) for path in modules]
    said = io.StringIO()
    try:
        with contextlib.chdir(PROJECT), contextlib.redirect_stdout(said):
            _run_compiler(_extensions(names, folder), folder)
    except (Exception, SystemExit) as error:  # setuptools and mypyc raise whatever they like
        last = "" if isinstance(error, SystemExit) and isinstance(error.code, int) else str(error)
        raise BuildFailed("\n".join(filter(None, (said.getvalue().strip(), last)))) from error


def _extensions(names: Sequence[str], folder: Path) -> list[Any]:
    """mypyc's C sources, as extensions for setuptools. mypy is not to read our configuration, which asks for Django."""
    from mypyc.build import mypycify

    mypy_options = ["--config-file=", "--follow-imports=silent", "--cache-dir", os.devnull]
    extensions = mypycify(
        [*mypy_options, *names],
        opt_level="3",
        debug_level="0",
        strip_asserts=True,
        target_dir=str(folder / "c"),
        group_name=GROUP,
    )
    for extension in extensions:
        for source in extension.sources:
            _widen_shifts(Path(source))
        # A compiler of tomorrow warns of more; that is no reason to be slow there.
        kept = [flag for flag in extension.extra_compile_args if flag != "-Werror"]
        extension.extra_compile_args = [*kept, *FLAGS]
    return list(extensions)


def _widen_shifts(source: Path) -> None:
    """Makes `1 << card` a shift of 64 bits: mypyc writes the 1 as an `int` of C, which loses the ace of spades.

    To the right, too: a constant of 32 bits moved by more gives whatever the processor makes of it.
    """
    text = source.read_text(encoding="utf-8")
    widened, found = _LITERAL_SHIFTED.subn(r"= (int64_t)\1 \2 cpy_r_", text)
    if found:
        source.write_text(widened, encoding="utf-8")


def _run_compiler(extensions: Sequence[Any], folder: Path) -> None:
    from setuptools.dist import Distribution

    command: Any = Distribution({"name": GROUP, "ext_modules": list(extensions)}).get_command_obj("build_ext")
    command.build_lib, command.build_temp = str(folder / "lib"), str(folder / "objects")
    command.ensure_finalized()
    command.run()


if __name__ == "__main__":
    sys.exit(main())
