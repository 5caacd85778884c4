"""The board as a Streamlit component. Its values are one text: Streamlit imports pandas for a nested dictionary."""

from __future__ import annotations

import json
from pathlib import Path

from streamlit.components import v2

from ui.browser.bundle import style_sheet
from ui.browser.component_script import component_script
from ui.demo import drawing
from ui.demo.board.picture import picture
from ui.demo.play import Demo

_FOLDER = Path(__file__).parent
_STYLE = f"{style_sheet(Path(drawing.__file__).parent)}\n{style_sheet(_FOLDER)}"
_mount = v2.component("demo_board", js=component_script(_FOLDER / "board.js", "demo_board"), css=_STYLE)


def show(demo: Demo, number: int, *, fills: bool) -> None:
    """Draws what a step has come to.

    Args:
        demo: The demo.
        number: The step's number.
        fills: Whether the curve takes the height that the window has left.
    """
    shown = picture(demo, number) | {"fills": fills}
    _mount(key="board", data={"shown": json.dumps(shown, ensure_ascii=False)}, height="content")
