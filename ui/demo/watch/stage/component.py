"""The stage as a Streamlit component. Its values are one text: Streamlit imports pandas for a nested dictionary."""

from __future__ import annotations

import json
from pathlib import Path

from streamlit.components import v2

from ui.browser.bundle import style_sheet
from ui.browser.component_script import component_script
from ui.demo import drawing
from ui.demo.watch.arms import Watch
from ui.demo.watch.stage.picture import picture

_FOLDER = Path(__file__).parent
_STYLE = f"{style_sheet(Path(drawing.__file__).parent)}\n{style_sheet(_FOLDER)}"
_mount = v2.component("watch_it_learn", js=component_script(_FOLDER / "stage.js", "watch_it_learn"), css=_STYLE)


def show(watch: Watch) -> None:
    """Draws what a watch has come to."""
    _mount(key="watch_stage", data={"shown": json.dumps(picture(watch), ensure_ascii=False)}, height="content")
