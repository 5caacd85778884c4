"""The board as a Streamlit component. Its values are one text: Streamlit imports pandas for a nested dictionary."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from streamlit.components import v2

from agents.lab import CLOSED_WORLD
from ui.browser.bundle import style_sheet
from ui.browser.component_script import component_script
from ui.demo import drawing
from ui.demo.lab.board.picture import Picture

_FOLDER = Path(__file__).parent
_STYLE = f"{style_sheet(Path(drawing.__file__).parent)}\n{style_sheet(_FOLDER)}"
_mount = v2.component("lab_demo_board", js=component_script(_FOLDER / "board.js", "lab_demo_board"), css=_STYLE)


def show(picture: Picture) -> None:
    """Draws a picture, and below it that it is of a closed world."""
    shown = asdict(picture) | {"note": CLOSED_WORLD}
    _mount(key="lab_demo_board", data={"shown": json.dumps(shown, ensure_ascii=False)}, height="content")
