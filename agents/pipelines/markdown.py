"""Escapes text for use within Markdown."""

from __future__ import annotations

import re

_SIGNS = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&^=@/])")
_BY_ITSELF = re.compile(r"(?i)(?<=[a-z])(?=://)|(?<=www)(?=\.)|(?<=\w)(?=@\w)|(?<=:)(?=[\w+-]+:)")
"""Where a text would become a link, an icon or an emoji by itself, whatever is escaped in it."""


def escape_markdown(text: str) -> str:
    """`text` as Markdown that shows it as it is: no links, images, formulas, icons, emojis or colours."""
    return _SIGNS.sub(r"\\\1", _BY_ITSELF.sub("\u2060", text))
