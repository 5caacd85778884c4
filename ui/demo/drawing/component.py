"""The components of the demos: plain values, drawn with SVG and text."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from streamlit.components import v2

from ui.browser.bundle import style_sheet
from ui.browser.component_script import component_script


def component(name: str, script: Path) -> Callable[[str, Any], None]:
    """Declares a component; what it gives draws values under a key.

    The values go to the browser as one text: Streamlit imports pandas for a nested dictionary.

    Args:
        name: Its name.
        script: Its module; style sheets are those beside it, and those of this folder.
    """
    styles = f"{style_sheet(Path(__file__).parent)}\n{style_sheet(script.parent)}"
    mount = v2.component(name, js=component_script(script, name), css=styles)

    def draw(key: str, values: Any) -> None:
        mount(key=key, data={"shown": json.dumps(values, ensure_ascii=False)}, height="content")

    return draw
