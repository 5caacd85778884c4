"""What a request about files asks for in Japanese or Chinese: to list files, to show one, to list what is left to do."""

from __future__ import annotations

import re

from agents.pipelines.language.characters import plain
from agents.pipelines.language.words import any_of, words_beside
from agents.pipelines.tool_loop.errand import MOST_READ, Errand

_WORDS: dict[str, list[str]] = words_beside(__file__)
_LIST, _READ, _OPEN, _OTHER = (re.compile(any_of(_WORDS[key])) for key in ("list", "read", "open", "other"))
_PATH = re.compile(r"(?<![A-Za-z0-9_./-])[A-Za-z0-9_-][A-Za-z0-9_./-]{0,200}\.[A-Za-z]{2,5}(?![A-Za-z0-9])")


def read_cjk_errand(message: str) -> Errand | None:
    """What a message asks for, None if that cannot be told or is more than is read in these languages."""
    head = plain(message[:MOST_READ])
    paths = tuple(dict.fromkeys(_PATH.findall(head)))
    if _OTHER.search(head):
        return None
    if paths:
        return Errand(kind="read", paths=paths) if _READ.search(head) else None
    if _OPEN.search(head):
        return Errand(kind="open")
    return Errand(kind="list") if _LIST.search(head) else None
