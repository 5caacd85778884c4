"""The component that draws a `Picture` of any demo with SVG and text."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from streamlit.components import v2

from ui.browser.bundle import style_sheet
from ui.browser.component_script import component_script
from ui.demo.stage.picture import Picture

NAME = "demo_stage"
_HERE = Path(__file__).parent
_mount = v2.component(NAME, js=component_script(_HERE / "stage.js", NAME), css=style_sheet(_HERE))


def draw(picture: Picture) -> None:
    """Draws a picture.

    The values go to the browser as one text: Streamlit imports pandas for a nested dictionary.
    """
    _mount(key=NAME, data={"shown": json.dumps(asdict(picture), ensure_ascii=False)}, height="content")
