#!/bin/sh
# Make .venv from the lock files, and compile the engine's fast core where that can be done.
# Each is done again only when there is something new: lock files or the interpreter, the core's sources.
# Usage: setup.sh [PYTHON] [FOLDER, .venv if not given] [LOCK FILE, requirements/dev.txt if not given]
set -eu
cd "$(dirname "$0")/.."
wanted=${1:-}
venv=${2:-.venv}
lock=${3:-requirements/dev.txt}
stamp=$venv/installed.txt
say() { printf '%s\n' "$*" >&2; }

# Stubs of version managers lie in PATH under names that then do not run: an interpreter counts once it has answered.
new_enough='import sys; sys.exit(sys.version_info < (3, 11))'
find_python() {
    for candidate in "$wanted" python3 /usr/bin/python3 /usr/local/bin/python3 python3.13 python3.12 python3.11; do
        if [ -n "$candidate" ] && "$candidate" -c "$new_enough" >/dev/null 2>&1; then
            "$candidate" -c 'import sys; print(sys.executable)'
            return
        fi
    done
    say "Python 3.11 or newer is needed. Install it, or name it: make setup PYTHON=/path/to/python3"
    return 1
}

twice() { "$@" || { say "Once more: $*"; sleep 3; "$@"; }; }

make_venv() {
    rm -rf "$venv"
    "$1" -m venv "$venv" >/dev/null 2>&1 && return
    rm -rf "$venv"
    # Debian keeps a part of venv in a package of its own.
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        say "python3-venv is missing here: installing it."
        version=$("$1" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
        twice apt-get update -qq >&2
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$version" >&2 ||
            DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-venv >&2
        "$1" -m venv "$venv"
        return
    fi
    # A pip outside can fill a venv that has none.
    if "$1" -m pip --version >/dev/null 2>&1 && "$1" -m venv --without-pip "$venv"; then
        twice "$1" -m pip --python "$venv/bin/python" install -q pip && return
    fi
    rm -rf "$venv"
    say "This Python cannot make a virtual environment ($1 -m venv). On Debian and Ubuntu: apt install python3-venv"
    return 1
}

install_locked() {
    twice "$venv/bin/python" -m pip install -q --disable-pip-version-check --require-hashes -r requirements/uv.txt
    # uv brings its own certificates and does not read pip's configuration: behind a proxy it needs the machine's,
    # behind a mirror only pip knows the way. Its errors are worth reading only if nothing helps.
    for certificates in --no-system-certs --system-certs; do
        "$venv/bin/python" -m uv pip sync -q "$certificates" --python "$venv/bin/python" "$lock" 2>"$venv/uv.log" && return
    done
    twice "$venv/bin/python" -m pip install -q --disable-pip-version-check --require-hashes -r "$lock" ||
        { cat "$venv/uv.log" >&2; return 1; }
}

installed() { cmp -s "$lock" "$stamp" && "$venv/bin/python" -c "$new_enough" 2>/dev/null; }

install() {
    if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
        python=$(find_python)
        say "Making $venv with $python"
        make_venv "$python"
    fi
    say "Installing the locked dependencies"
    install_locked
    cp "$lock" "$stamp"
}

# Without a compiler the engine is plain Python and gives the same results; a fault in it is the checks' to tell.
compile_core() {
    env -u ENGINE_PURE -u ENGINE_COMPILED "$venv/bin/python" -m engine.fast.build --if-possible ||
        say "The fast core is not compiled."
}

installed || install
compile_core
