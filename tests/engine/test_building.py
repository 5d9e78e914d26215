"""The fast core: compiled where it can be, used only while it fits its sources, told in words where it cannot be."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from functools import cache
from pathlib import Path

import pytest

import engine.fast
from engine.fast.build import CannotBuild, check_tools, compiler
from engine.fast.finding import MAKERS, MANIFEST, PROJECT, build_folder, compiled_sources, digest_of

SAY = "import engine.fast as fast; print(fast.COMPILED, fast.WHY_PLAIN, sep='|')"


def python(*arguments: str, root: Path = PROJECT, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ENGINE_")}
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=root, env=kept | environment, capture_output=True, text=True, timeout=250, check=False
    )


def core_at(root: Path, **environment: str) -> tuple[bool, str]:
    compiled, _, why = python("-c", SAY, root=root, **environment).stdout.strip().partition("|")
    return compiled == "True", why


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A tree with the core's frame and one module to compile, which knows a constant of the engine."""
    fast = tmp_path / "engine" / "fast"
    fast.mkdir(parents=True)
    for name in ("__init__.py", "finding.py", "build.py", "ints.py"):
        shutil.copy(PROJECT / "engine" / "fast" / name, fast)
    (tmp_path / "engine" / "__init__.py").write_text("")
    (tmp_path / "engine" / "sizes.py").write_text("from typing import Final\n\nPACK: Final = 32\n")
    (fast / "twice.py").write_text(
        "from engine.fast.ints import i64\nfrom engine.sizes import PACK\n\n\n"
        "def packs(count: i64) -> i64:\n    return count * PACK\n"
    )
    return tmp_path


@cache
def can_compile() -> bool:
    """Whether a library can be made here, by trying: a compiler may be there without the C library's headers."""
    try:
        check_tools()
    except CannotBuild:
        return False
    command = [*(compiler() or "").split(), f"-I{sysconfig.get_path('include')}", "-x", "c", "-", "-shared", "-fPIC"]
    source = "#include <Python.h>\nint two(void) { return 2; }\n"
    done = subprocess.run([*command, "-o", os.devnull], input=source, text=True, capture_output=True, check=False)
    return done.returncode == 0


def test_it_is_compiled_where_it_can_be() -> None:
    """After `make setup`. Seen red? `python -m engine.fast.build` says why. A build may be copied to where none is."""
    if os.environ.get("ENGINE_PURE") == "1":
        assert not engine.fast.COMPILED
    else:
        assert engine.fast.COMPILED or not can_compile(), engine.fast.WHY_PLAIN


def test_modules_come_from_where_the_core_says() -> None:
    for path in compiled_sources():
        module = __import__(f"engine.fast.{path.stem}", fromlist=["_"])
        assert module.__file__ is not None
        assert module.__file__.endswith(".py") != engine.fast.COMPILED


def test_plain_python_can_be_asked_for_whatever_there_is() -> None:
    assert core_at(PROJECT, ENGINE_PURE="1") == (False, "ENGINE_PURE=1 asks for plain Python")
    assert core_at(PROJECT, ENGINE_PURE="1", ENGINE_COMPILED="1")[0] is False


def test_a_core_never_compiled_is_plain_and_an_error_only_where_that_is_asked(small: Path) -> None:
    compiled, why = core_at(small)
    assert not compiled
    assert why == "it was never compiled for this Python: python -m engine.fast.build"
    assert python("-c", "import engine.fast.twice as t; print(t.packs(2))", root=small).stdout == "64\n"
    refused = python("-c", SAY, root=small, ENGINE_COMPILED="1")
    assert refused.returncode == 1
    assert "ImportError: ENGINE_COMPILED=1, but the fast core is plain: it was never compiled" in refused.stderr
    assert "env -u ENGINE_COMPILED python -m engine.fast.build" in refused.stderr


def made_by_hand(root: Path, **changed: object) -> Path:
    """A build as it lies there, with a library that no interpreter can load."""
    folder = root / build_folder().relative_to(PROJECT)
    modules = folder / "engine" / "fast"
    modules.mkdir(parents=True)
    sources = ("engine/sizes.py", "engine/fast/ints.py", "engine/fast/twice.py", *MAKERS)
    suffix = str(sysconfig.get_config_var("EXT_SUFFIX"))
    (modules / f"compiled__mypyc{suffix}").write_text("no library")
    manifest = {
        "interpreter": suffix,
        "compiled": ["twice"],
        "sources": {name: digest_of(root / name) for name in sources},
    } | changed
    (folder / MANIFEST).write_text(json.dumps(manifest))
    return folder / MANIFEST


def test_a_broken_build_is_not_used(small: Path) -> None:
    manifest = made_by_hand(small)
    compiled, why = core_at(small)
    assert not compiled
    assert why.startswith("what was compiled does not load (")
    assert python("-c", "import engine.fast.twice as t; print(t.packs(2))", root=small).stdout == "64\n"
    for text in ("{", "[]", "{}", '{"interpreter": "x", "compiled": 3}'):
        manifest.write_text(text)
        assert core_at(small)[1].startswith("what was compiled cannot be read (")


@pytest.mark.parametrize("changed", ["engine/sizes.py", "engine/fast/ints.py", "engine/fast/twice.py", *MAKERS])
def test_a_build_of_other_sources_is_not_used(small: Path, changed: str) -> None:
    made_by_hand(small)
    with (small / changed).open("a") as source:
        source.write("# changed\n")
    assert core_at(small) == (False, "its sources have changed since it was compiled: python -m engine.fast.build")


def test_a_build_that_does_not_say_what_made_it_is_not_used(small: Path) -> None:
    made_by_hand(small, sources={"engine/fast/twice.py": digest_of(small / "engine" / "fast" / "twice.py")})
    assert core_at(small) == (False, "its sources have changed since it was compiled: python -m engine.fast.build")


def test_a_build_that_lacks_a_module_is_not_used(small: Path) -> None:
    made_by_hand(small)
    (small / "engine" / "fast" / "thrice.py").write_text('"""New."""\n')
    assert core_at(small) == (False, "its sources have changed since it was compiled: python -m engine.fast.build")
    (small / "engine" / "fast" / "thrice.py").write_text('# plain\n"""New."""\n')
    assert core_at(small)[1].startswith("what was compiled does not load (")


def test_a_build_for_another_machine_is_not_used(small: Path) -> None:
    made_by_hand(small, interpreter=".cpython-27-pdp11.so")
    assert core_at(small)[1].startswith("it was compiled for .cpython-27-pdp11.so, this is ")


def test_what_is_missing_is_said_and_is_no_failure_where_it_need_not_be(small: Path) -> None:
    bare = {"PATH": str(small), "CC": ""}
    code = "import sys, sysconfig; sysconfig.get_config_vars()['CC'] = 'no-such-cc'; import engine.fast.build as b; "
    refused = python("-c", code + "sys.exit(b.main([]))", root=small, **bare)
    assert refused.returncode == 1
    assert "no C compiler (on Debian and Ubuntu: apt install gcc libc6-dev)" in refused.stderr
    content = python("-c", code + "sys.exit(b.main(['--if-possible']))", root=small, **bare)
    assert content.returncode == 0
    assert content.stderr.endswith("the engine runs as plain Python, with the same results\n")


def test_mypyc_missing_is_said(small: Path) -> None:
    """-S: an interpreter that has nothing installed."""
    refused = python("-S", "-m", "engine.fast.build", root=small)
    assert refused.returncode == 1
    assert "mypyc and setuptools not installed here" in refused.stderr


def test_it_is_compiled_used_and_compiled_again_when_it_changes(small: Path) -> None:
    """Where there is no compiler, that plain Python is what everyone gets."""
    first = python("-m", "engine.fast.build", "--if-possible", root=small)
    if not can_compile():
        assert core_at(small)[0] is False
        return
    assert first.stdout.startswith("Compiled 1 modules"), first.stderr
    assert core_at(small) == (True, "")
    assert python("-c", "import engine.fast.twice as t; print(t.packs(2))", root=small).stdout == "64\n"
    assert python("-m", "engine.fast.build", root=small).stdout == ""
    manifest = build_folder().relative_to(PROJECT) / MANIFEST
    (small / manifest).write_text(json.dumps(json.loads((small / manifest).read_text()) | {"mypyc": "0.1"}))
    assert core_at(small) == (True, "")
    assert python("-m", "engine.fast.build", root=small).stdout.startswith("Compiled 1 modules")
    (small / "engine" / "sizes.py").write_text("from typing import Final\n\nPACK: Final = 36\n")
    assert core_at(small)[0] is False
    (small / "build" / "fast" / "making-0000").mkdir()
    assert python("-m", "engine.fast.build", root=small).stdout.startswith("Compiled 1 modules")
    assert python("-c", "import engine.fast.twice as t; print(t.packs(2))", root=small).stdout == "72\n"
    assert sorted(path.name for path in (small / "build" / "fast").iterdir()) == [build_folder().name, "lock"]


def test_where_nothing_can_be_written_plain_python_will_do(small: Path) -> None:
    (small / "build").write_text("no folder")
    refused = python("-m", "engine.fast.build", root=small)
    content = python("-m", "engine.fast.build", "--if-possible", root=small)
    assert (refused.returncode, content.returncode) == (1, 0)
    if can_compile():
        assert "cannot be written (" in refused.stderr
    assert "the engine runs as plain Python" in content.stderr


def test_what_does_not_compile_is_told_with_its_line(small: Path) -> None:
    (small / "engine" / "fast" / "twice.py").write_text("count: int = 'two'\n")
    done = python("-m", "engine.fast.build", root=small)
    assert done.returncode == 1
    if can_compile():
        assert "engine/fast/twice.py:1: error: " in done.stderr
