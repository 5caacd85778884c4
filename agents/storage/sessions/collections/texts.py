"""The text by which a session is found: what an entry of its log contributes, and the words of a query."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any, cast

from agents.log import EVENT_KIND
from agents.records import RunStarted, SessionCreated

LONGEST_QUERY = 1000
"""Characters of a query; what follows is not searched for."""
MOST_WORDS = 20
"""Words of a query; further ones are not searched for."""
_AROUND = 40
"""Characters of an excerpt before the word, and twice as many from it on."""


def folded(text: str) -> str:
    """`text` with case and width removed: "Ｔｅａ" and "tea" are the same, and so are both widths of katakana."""
    if text.isascii():
        return text.lower().replace("\0", "")
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return unicodedata.normalize("NFKC", text).casefold().replace("\0", "")


def words_of(query: str) -> list[str]:
    """The words to search for, folded, each once."""
    return list(dict.fromkeys(folded(query[:LONGEST_QUERY]).split()))[:MOST_WORDS]


def lines_of(kind: str, body: dict[str, Any]) -> list[str]:
    """What an entry says, as lines: texts, author, tools with arguments and results, errors, names of state keys."""
    lines = [str(body[name]) for name in ("author", "agent", "error_code", "error_message", "model") if body.get(name)]
    if kind == EVENT_KIND:
        content = cast("dict[str, Any]", body.get("content") or {})
        for part in cast("list[dict[str, Any]]", content.get("parts") or ()):
            lines += _part(part)
        actions = cast("dict[str, Any]", body.get("actions") or {})
        lines += cast("dict[str, Any]", actions.get("state_delta") or {})
        lines += cast("dict[str, Any]", actions.get("artifact_delta") or {})
    elif kind == SessionCreated.kind:
        lines += cast("dict[str, Any]", body.get("state") or {})
    elif kind == RunStarted.kind:
        lines += cast("dict[str, Any]", body.get("shared") or {})
    return lines


def _part(part: dict[str, Any]) -> list[str]:
    lines = [str(part["text"])] if part.get("text") else []
    for name, holds in (("function_call", "args"), ("function_response", "response")):
        if isinstance(called := part.get(name), dict):
            found = cast("dict[str, Any]", called)
            lines += [str(found.get("name") or ""), *_strings(found.get(holds))]
    return lines


def _strings(value: Any) -> list[str]:
    """The keys and texts in a JSON value, without recursion: arguments of a tool may be nested deeply."""
    found: list[str] = []
    left: list[Any] = [value]
    while left:
        value = left.pop()
        match value:
            case str() as text:
                found.append(text)
            case dict():
                mapping = cast("dict[str, Any]", value)
                found += mapping
                left += mapping.values()
            case list():
                left += cast("list[Any]", value)
            case None:
                pass
            case scalar:
                found.append(str(scalar))
    return found


def text_of(lines: Iterable[str]) -> str:
    """Lines as one folded text, each line once."""
    return folded("\n".join(dict.fromkeys(lines)))


def excerpt(text: str, words: Sequence[str]) -> str:
    """The part of a folded text around one of the words, on one line; "" if it has none.

    Of the places where a word is first, it is the one with the most words, then the longest: names are short.
    """
    places = (_around(text, at) for word in words if (at := text.find(word)) >= 0)
    return max(places, key=lambda said: (sum(word in said for word in words), len(said)), default="")


def _around(text: str, at: int) -> str:
    start = max(text.rfind("\n", 0, at) + 1, at - _AROUND)
    end = text.find("\n", at, at + 2 * _AROUND)
    cut = end < 0 and at + 2 * _AROUND < len(text)
    said = " ".join(text[start : end if end >= 0 else at + 2 * _AROUND].split())
    return f"{'…' if start and text[start - 1] != chr(10) else ''}{said}{'…' if cut else ''}"
