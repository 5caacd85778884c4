"""The script in the head of every page: it runs before Streamlit's own, and also where that cannot connect."""

from __future__ import annotations

from functools import cache

from ui.dependencies.streamlit_private import SELECTORS
from ui.shell.appearance import PACKAGE

_FILES = ("connection.js", "history.js")


@cache
def script() -> str:
    """The source, as it stands between `<script>` and `</script>`."""
    sources = ((PACKAGE / "assets" / name).read_text(encoding="utf-8") for name in _FILES)
    return "\n".join(sources).replace(":--app", SELECTORS["app"])
