"""The scripts of the app's components, which a browser loads by their URL and keeps.

Streamlit sends a component's script as text with each change of the component's data: half a megabyte for the session view,
which the browser compiles anew for each page. So the text that it sends is a loader of three lines, and
`ui.web.routes.components` serves what it loads.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from ui.browser.bundle import bundle
from ui.dependencies.streamlit_private import SELECTORS

PATH = "/components/"

_LOADER = """\
const streamlit = document.querySelector('{selector}');
const {{ default: draw }} = await import(new URL("../..{path}", streamlit.src).href);
export default draw;
"""
"""Streamlit's own script tells where the app is served from, below a base path, too."""

scripts: dict[str, str] = {}
"""What is served, by the file name; filled when the modules of the components are imported."""


def component_script(entry: Path, name: str) -> str:
    """The script that is given to Streamlit for the component whose module is `entry`: it loads the bundle.

    Args:
        entry: A module with a default export; see `bundle`.
        name: The component's name. The file has a hash of its content in its name, so a browser may keep it.
    """
    text = bundle(entry)
    file = f"{name}.{sha256(text.encode()).hexdigest()[:16]}.js"
    scripts[file] = text
    return _LOADER.format(selector=SELECTORS["script"], path=PATH + file)
