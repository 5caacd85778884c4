"""What a process reports beside its output."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

import pytest

from ui.cli import diagnostics

KEY = "AIzaSyDiagnosticsTest1234"
ROOT = Path(__file__).parents[3]
FAILURES = {
    "uncaught": "raise ValueError(text)",
    "in_a_thread": "import threading; t = threading.Thread(target=int, args=(text + chr(0x202e),)); t.start(); t.join()",
    "a_warning": "import warnings; warnings.warn(text)",
    "a_log_record": "import logging; logging.getLogger('agents').warning('failed: %s', text)",
    "a_logged_traceback": """
import logging
try:
    raise ValueError(text)
except ValueError:
    logging.getLogger('streamlit').exception('Uncaught')
""",
}


@pytest.mark.parametrize("how", FAILURES)
def test_nothing_that_is_reported_has_a_key_or_commands_the_terminal(how):
    code = f"from ui.cli import diagnostics; diagnostics.install(); text = '{KEY} \\x1b[2J \\u202e'\n{FAILURES[how]}"
    process = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False, env={"GOOGLE_API_KEY": KEY}
    )
    assert "[key]" in process.stderr
    assert KEY not in process.stderr
    assert "\x1b" not in process.stderr
    assert "\u202e" not in process.stderr


def test_a_record_that_cannot_be_shown_is_still_logged():
    class Evil:
        def __str__(self) -> str:
            raise RuntimeError

    record = diagnostics._record("agents", logging.WARNING, "f.py", 1, "%s", (Evil(),), None)
    assert record.getMessage() == "A log record that cannot be shown."
