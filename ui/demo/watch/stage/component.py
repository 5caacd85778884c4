"""The stage as a Streamlit component. Its values are one text: Streamlit imports pandas for a nested dictionary."""

from __future__ import annotations

import json
from pathlib import Path

from streamlit.components import v2

from ui.demo.watch.arms import Watch
from ui.demo.watch.stage.picture import picture

_FOLDER = Path(__file__).parent
_mount = v2.component(
    "watch_it_learn",
    js=(_FOLDER / "stage.js").read_text(encoding="utf-8"),
    css=(_FOLDER / "stage.css").read_text(encoding="utf-8"),
)


def show(watch: Watch) -> None:
    """Draws what a watch has come to."""
    _mount(key="watch_stage", data={"shown": json.dumps(picture(watch), ensure_ascii=False)}, height="content")
