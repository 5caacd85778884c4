"""Reads JSON that a model wrote, with those mistakes put right that cannot change a value.

Put right: a Markdown fence, JSON inside a JSON string, a comma before a closing bracket, other quotation marks around a
string, keys without any, Python's `True`, `False` and `None`, comments, and line ends inside a string. Anything that would
have to be guessed is an error: a text that ends too early, more text after the value, one key with two values, and numbers
that lose digits. Takes linear time.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn, cast

from agents.models.tool_arguments.exact_json import DEEPEST, TooDeepError, UnreadableJsonError, checked, members, number

_LONGEST_TEXT_IN_TEXT = 2
"""How often JSON may stand inside a JSON string."""

_FENCE = re.compile(r"```[a-zA-Z_]*\s*")
_GAP = re.compile(r"[\s\ufeff]*+")
_COMMENTS = {"//": "\n", "#": "\n", "/*": "*/"}
_NUMBER = re.compile(r"(?<![\w.])-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?(?![\w.])")
_KEY = re.compile(r"[^\W\d][\w-]*+")
_WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "”": "”", "’": "’"}
_PLAIN = {end: re.compile(rf"[^{end}\\]++") for end in _QUOTES.values()}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", **{sign: sign for sign in "\"'\\/“”‘’"}}
_UNICODE = re.compile(r"u([0-9a-fA-F]{4})")


def read_json(text: str) -> Any:
    """The value that a text is.

    Raises:
        UnreadableJsonError: It is none, or it would have to be guessed.
    """
    value: Any = text
    for _ in range(1 + _LONGEST_TEXT_IN_TEXT):
        value = _read_once(cast("str", value))
        if not isinstance(value, str):
            return value
    return value


def read_object(text: str) -> dict[str, Any]:
    """The object that a text is; {} for `null` and for no text.

    Raises:
        UnreadableJsonError: It is no object, or it would have to be guessed.
    """
    value = read_json(text) if text.strip() else None
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise UnreadableJsonError("it is no JSON object")
    return cast("dict[str, Any]", value)


def _read_once(text: str) -> Any:
    try:
        return checked(_STRICT.decode(text))
    except UnreadableJsonError:
        raise
    except (ValueError, RecursionError):
        return checked(_Reader(text).whole())


def _integer(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise UnreadableJsonError(f"the number {text[:80]}… is too long") from None


def _refuse(constant: str) -> NoReturn:
    raise UnreadableJsonError(f"{constant} is no number that JSON can hold")


_STRICT = json.JSONDecoder(
    object_pairs_hook=members, parse_float=number, parse_int=_integer, parse_constant=_refuse, strict=False
)


class _Reader:
    """Reads one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def whole(self) -> Any:
        """The value that all of the text is."""
        self._skip()
        fence = _FENCE.match(self._text, self._at)
        if fence:
            self._at = fence.end()
        value = self._value(0)
        self._skip()
        if fence and self._text.startswith("```", self._at):
            self._at += 3
            self._skip()
        if self._at < len(self._text):
            raise UnreadableJsonError(f"there is more after the end of the value: {self._ahead()!r}")
        return value

    def _skip(self) -> None:
        """Goes over white space and comments."""
        while True:
            gap = _GAP.match(self._text, self._at)
            assert gap is not None  # it matches nothing, too
            self._at = gap.end()
            begin = next((begin for begin in _COMMENTS if self._text.startswith(begin, self._at)), None)
            if begin is None:
                return
            end = self._text.find(_COMMENTS[begin], self._at + len(begin))
            self._at = len(self._text) if end < 0 else end + len(_COMMENTS[begin])

    def _ahead(self) -> str:
        return self._text[self._at : self._at + 20]

    def _peek(self) -> str:
        """The next sign that counts."""
        self._skip()
        if self._at >= len(self._text):
            raise UnreadableJsonError("it ends too early", is_cut=True)
        return self._text[self._at]

    def _value(self, depth: int) -> Any:
        if depth > DEEPEST:
            raise TooDeepError
        sign = self._peek()
        if sign == "{":
            return self._object(depth)
        if sign == "[":
            return self._list(depth)
        if sign in _QUOTES:
            return self._string(_QUOTES[sign])
        if digits := _NUMBER.match(self._text, self._at):
            self._at = digits.end()
            found = digits[0]
            return number(found) if any(mark in found for mark in ".eE") else _integer(found)
        word = _KEY.match(self._text, self._at)
        if word is None or word[0] not in _WORDS:
            raise UnreadableJsonError(f"{self._ahead()!r} is no value")
        self._at = word.end()
        return _WORDS[word[0]]

    def _object(self, depth: int) -> dict[str, Any]:
        self._at += 1
        pairs: list[tuple[str, Any]] = []
        while self._peek() != "}":
            key = self._key()
            if self._peek() != ":":
                raise UnreadableJsonError(f"a colon is missing before {self._ahead()!r}")
            self._at += 1
            pairs.append((key, self._value(depth + 1)))
            self._comma("}")
        self._at += 1
        return members(pairs)

    def _list(self, depth: int) -> list[Any]:
        self._at += 1
        items: list[Any] = []
        while self._peek() != "]":
            items.append(self._value(depth + 1))
            self._comma("]")
        self._at += 1
        return items

    def _comma(self, end: str) -> None:
        """Goes over a comma; there may be none only before the end."""
        sign = self._peek()
        if sign == ",":
            self._at += 1
        elif sign != end:
            raise UnreadableJsonError(f"a comma is missing before {self._ahead()!r}")

    def _key(self) -> str:
        if self._text[self._at] in _QUOTES:
            return self._string(_QUOTES[self._text[self._at]])
        if (key := _KEY.match(self._text, self._at)) is None:
            raise UnreadableJsonError(f"{self._ahead()!r} is no key")
        self._at = key.end()
        return key[0]

    def _string(self, end: str) -> str:
        self._at += 1
        pieces: list[str] = []
        while self._at < len(self._text):
            if plain := _PLAIN[end].match(self._text, self._at):
                pieces.append(plain[0])
                self._at = plain.end()
            elif self._text[self._at] == end:
                self._at += 1
                return "".join(pieces)
            else:
                pieces.append(self._escape())
        raise UnreadableJsonError("it ends inside a string", is_cut=True)

    def _escape(self) -> str:
        self._at += 1
        sign = self._text[self._at : self._at + 1]
        if sign in _ESCAPES and sign:
            self._at += 1
            return _ESCAPES[sign]
        if found := _UNICODE.match(self._text, self._at):
            self._at = found.end()
            return chr(int(found[1], 16))
        raise UnreadableJsonError(f"\\{self._ahead()[:6]} is no character in JSON", is_cut=not sign)
