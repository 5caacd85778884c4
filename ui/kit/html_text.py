"""Text from outside in HTML."""

from __future__ import annotations

import html


def escaped(text: str) -> str:
    """A text for HTML, with line breaks as entities so that changes of white space in the source do not lose them."""
    return html.escape(text).replace("\n", "&#10;").replace("\r", "&#13;")
