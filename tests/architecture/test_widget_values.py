"""A page that is drawn again leaves alone what the user has chosen meanwhile: widgets get values by `key_for`.

See `ui.state.quick_input`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import ui

FOLDER = Path(ui.__file__).parent
WITHOUT_WIDGET = {"connection_check.py:_test"}
"""Functions that set a value only where they draw no widget for it: there is one choice."""


def set_and_drawn(source: str) -> Iterator[str]:
    """Functions that assign to `st.session_state[KEY]` and draw a widget with `key=KEY`."""
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef):
            continue
        nodes = list(ast.walk(function))
        targets = [target for node in nodes if isinstance(node, ast.Assign) for target in node.targets]
        assigned = {
            ast.unparse(target.slice)
            for target in targets
            if isinstance(target, ast.Subscript) and ast.unparse(target.value) == "st.session_state"
        }
        keys = {ast.unparse(node.value) for node in nodes if isinstance(node, ast.keyword) and node.arg == "key"}
        if assigned & keys:
            yield function.name


def test_widgets_get_their_values_by_key_for():
    found = {f"{path.name}:{name}" for path in FOLDER.rglob("*.py") for name in set_and_drawn(path.read_text())}
    assert found == WITHOUT_WIDGET


@pytest.mark.parametrize(("line", "expected"), [("st.session_state[KEY] = value", ["draw"]), ("key_for(KEY, value)", [])])
def test_an_assignment_is_seen(line, expected):
    assert list(set_and_drawn(f"def draw(value):\n    {line}\n    st.toggle('On', key=KEY)")) == expected
