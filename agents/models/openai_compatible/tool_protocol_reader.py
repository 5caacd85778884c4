"""Reads replies of the JSON protocol: as they stream, and with the usual mistakes repaired.

The input is hostile: nothing of it is run, and what is nested too deeply or too long is left as text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from typing import Any, cast

from google.genai import types

from agents.models.tool_arguments.exact_json import TooDeepError, UnreadableJsonError, whole_characters
from agents.models.tool_arguments.lenient_json import read_json, read_object
from agents.models.tool_arguments.unreadable_call import unreadable_call

_HEAD = re.compile(r'\s*(?:```(?:json)?\s*)?\{\s*"response"\s*:\s*"')
LONGEST_HEAD = 1000
"""Characters in which a reply must have begun to be more than a text, white space included."""
_HEADS = ('{"response":"', '```{"response":"', '```json{"response":"')
_PLAIN = re.compile(r'[^"\\]+')
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_UNICODE = re.compile(r"\\u([0-9a-fA-F]{4})")
_PAIR = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")
_HIGH = re.compile(r"\\u[dD][89abAB]")
_UNICODE_LENGTH, _PAIR_LENGTH = 6, 12
_UNREADABLE = "\N{REPLACEMENT CHARACTER}"

_MARKS = re.compile(r"```(?:json|tool_call|tool_code)?|</?tool_calls?>|\[/?TOOL_CALLS?\]")
_STRING_OR_BRACE = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[{}]', re.DOTALL)
_CLOSERS = re.compile(r"[\s,}\]]*")
_CALLS = ("tool_call", "tool_calls", "function_call")
_FUNCTION_KEYS = ("function", "tool")
"""Keys that hold a call's name, or an object with its name and arguments; unlike `_CALLS` they do not make it a call."""
_ARGUMENTS = ("arguments", "parameters", "args", "input")
_NO_ARGUMENTS = frozenset({"id", "name", "type", *_CALLS, *_FUNCTION_KEYS})
"""Keys of a call that are none of its arguments, where the model put those beside its name."""
_MARK = "[\"'“”‘’]?"
_CALL_HEAD = re.compile(rf"\{{\s*+{_MARK}(?:{'|'.join(_CALLS)}){_MARK}\s*+:")
_NAME = re.compile(rf"{_MARK}(?:name|tool_call|function_call|function|tool){_MARK}\s*+:\s*+[\"'“‘]([\w.-]{{1,128}})[\"'”’]")
_ARGUMENTS_KEY = re.compile(rf"{_MARK}(?:{'|'.join(_ARGUMENTS)}){_MARK}\s*+:")


class ResponseReader:
    """The text of `{"response": "…"}` while it streams; the same whatever the pieces that it comes in.

    A quotation mark that is not escaped ends the text only where JSON can go on after it: small models forget to escape.
    """

    def __init__(self) -> None:
        self.found = False
        """Whether the reply is such an object."""
        self.rest = ""
        """What follows the text, made to begin with an object if it goes on with another key; known at the end."""
        self._buffer = ""
        self._pending: list[str] = []
        self._ahead = 0
        self._is_open = True
        self._is_other = False

    def add(self, text: str) -> str:
        """Takes more of the reply; returns what the text has grown by."""
        if self._is_other:
            return ""
        self._pending.append(text)
        if not self._is_open or (self._ahead and _CLOSERS.fullmatch(text)):
            return ""  # it decides nothing: it is read with what follows
        return self._grown(ended=False)

    def end(self) -> str:
        """Says that there is no more; returns the remainder of the text."""
        grown = self._grown(ended=True)
        if self.found:
            rest = self._buffer.lstrip()
            self.rest = "{" + rest[1:] if rest.startswith(",") else rest
        return grown

    def _grown(self, *, ended: bool) -> str:
        self._buffer += "".join(self._pending)
        self._pending.clear()
        if not self.found and not self._is_other:
            self._look_for_head()
        if not self.found or not self._is_open:
            return ""
        grown: list[str] = []
        place = 0
        while self._is_open and place < len(self._buffer):
            if plain := _PLAIN.match(self._buffer, place):
                grown.append(plain[0])
                place = plain.end()
                continue
            read = self._escape(place, ended) if self._buffer[place] == "\\" else self._quote(place, ended)
            if read is None:
                break
            grown.append(read[0])
            place += read[1]
        self._buffer = self._buffer[place:]
        return whole_characters("".join(grown))

    def _look_for_head(self) -> None:
        if head := _HEAD.match(self._buffer[:LONGEST_HEAD]):
            self.found = True
            self._buffer = self._buffer[head.end() :]
            return
        compact = "".join(self._buffer[:LONGEST_HEAD].split())
        may_come = len(self._buffer) < LONGEST_HEAD and any(head != compact and head.startswith(compact) for head in _HEADS)
        self._is_other = not may_come

    def _escape(self, place: int, ended: bool) -> tuple[str, int] | None:
        """The character that an escape stands for and the escape's length; None where more must come first."""
        ahead = self._buffer[place : place + _PAIR_LENGTH]
        is_unicode = ahead.startswith("\\u")
        needed = 2 if not is_unicode else _PAIR_LENGTH if _HIGH.match(ahead) else _UNICODE_LENGTH
        if len(ahead) < needed and not ended:
            return None
        if not is_unicode:
            return _ESCAPES.get(ahead[1:2], ahead[1:2]), 2
        if pair := _PAIR.match(ahead):
            return json.loads(f'"{pair[0]}"'), _PAIR_LENGTH
        if found := _UNICODE.match(ahead):
            character = chr(int(found[1], 16))
            return (_UNREADABLE if "\ud800" <= character <= "\udfff" else character), _UNICODE_LENGTH
        return "", len(ahead) if len(ahead) < _UNICODE_LENGTH else 2  # cut off, or no such escape

    def _quote(self, place: int, ended: bool) -> tuple[str, int] | None:
        """The same for a quotation mark: "" where it ends the text."""
        after = _CLOSERS.match(self._buffer, place + max(1, self._ahead))
        assert after is not None  # it matches nothing, too
        following = self._buffer[after.end() : after.end() + 1]
        if not following and not ended:
            self._ahead = after.end() - place  # the quotation mark begins the buffer then
            return None
        self._ahead = 0
        if _ends_text("".join(self._buffer[place + 1 : after.end()].split()), following):
            self._is_open = False
            return "", 1
        return '"', 1


def _ends_text(closers: str, following: str) -> bool:
    """Whether a quotation mark that is not escaped ends the text of a response, and is not a part of it.

    Args:
        closers: The commas, braces and brackets right after it.
        following: The character after them, "" at the end of the reply.
    """
    if not following:
        return closers in ("", ",") or "}" in closers
    if following == "`":  # a fence
        return "}" in closers
    if following == '"':  # another key
        return closers == ","
    return closers in ("}", ",}") and following != ":"  # what can follow the whole object, and not go on inside of one


def calls_and_texts_in(
    text: str, names: Collection[str], *, repair: bool = True, only_named: bool = False
) -> tuple[list[types.FunctionCall], list[str], str]:
    """The calls and the responses that a text holds as JSON, and the prose around them.

    Args:
        text: What a model wrote.
        names: The tools there are.
        repair: Whether a text that ends too early is a call at all: one that lacks its last brace, or an unreadable one.
        only_named: Whether a call of another tool is none, and a response is prose.

    Returns:
        Calls without ids, responses, and what is left of the text.
    """
    calls: list[types.FunctionCall] = []
    texts: list[str] = []
    around: list[str] = []
    place = 0
    while (start := text.find("{", place)) >= 0:
        value, end = _value_at(text, start, names, repair=repair, only_named=only_named)
        made = _calls_of(value, names, only_named=only_named)
        said = None if made or only_named else _response_of(value)
        calls += made
        if said is not None:
            texts.append(said)
        around.append(text[place : start if made or said is not None else end])
        place = end
    around.append(text[place:])
    return calls, texts, _MARKS.sub("", "".join(around)).strip()


def _value_at(text: str, start: int, names: Collection[str], *, repair: bool, only_named: bool) -> tuple[Any, int]:
    """The object that begins at `start`, and where it ends; None for one that cannot be read and is no call."""
    end = _end_of(text, start)
    found = text[start:end]  # an error counts the lines before it: those of the object, not of the whole text
    try:
        return read_json(found), end
    except UnreadableJsonError as error:
        value = _closed(found) if error.is_cut else None
        may_be_call = value is None and repair and not isinstance(error, TooDeepError)
        if may_be_call and (name := _name_in(found, names, only_named=only_named)):
            return unreadable_call(name, found, str(error)), end
        return value if repair else None, end


def _closed(text: str) -> Any:
    """An object that only lacks its own closing brace, after one that is closed and holds a call or its arguments.

    No argument can change by that; any other text that ends too early is None.
    """
    if not text.rstrip().endswith("}"):
        return None
    try:
        value = read_json(text + "}")
    except UnreadableJsonError:
        return None
    last = next(reversed(cast("dict[str, Any]", value)), None) if isinstance(value, dict) else None
    return cast("dict[str, Any]", value) if last in (*_CALLS, *_FUNCTION_KEYS, *_ARGUMENTS) else None


def _name_in(text: str, names: Collection[str], *, only_named: bool) -> str | None:
    """The tool that an unreadable object calls; None if it is no call."""
    name = _NAME.search(text)
    is_call = _CALL_HEAD.match(text) is not None
    if name is None or (name[1] not in names and (only_named or not is_call)):
        return None
    return name[1] if is_call or _ARGUMENTS_KEY.search(text) else None


def _end_of(text: str, start: int) -> int:
    """Where the braces that open at `start` are closed; the end of the text if they never are."""
    depth = 0
    for found in _STRING_OR_BRACE.finditer(text, start):
        if found[0] == "{":
            depth += 1
        elif found[0] == "}":
            depth -= 1
            if depth == 0:
                return found.end()
    return len(text)


def _calls_of(value: Any, names: Collection[str], *, only_named: bool) -> list[types.FunctionCall]:
    if isinstance(value, types.FunctionCall):
        return [value]
    if not isinstance(value, dict):
        return []
    given = cast("dict[str, Any]", value)
    inner = next((given[key] for key in _CALLS if given.get(key) is not None), None)
    if inner is None:
        made = _call_of(given, names, unlabelled=True)
        return [made] if made else []
    if isinstance(inner, str):
        inner = {**given, "name": inner}
    allowed = names if only_named else None
    listed = cast("list[Any]", inner) if isinstance(inner, list) else [inner]
    found = [_call_of(one, allowed) for one in listed]
    return [made for made in found if made is not None]


def _call_of(value: Any, names: Collection[str] | None, *, unlabelled: bool = False) -> types.FunctionCall | None:
    """The call that an object is, or None.

    Args:
        value: The object.
        names: The tools that it may call; None for any.
        unlabelled: Whether no key such as "tool_call" says that it is a call. Then it is one only if it has arguments that
            are an object: an answer in JSON may have a "name", too.
    """
    if not isinstance(value, dict):
        return None
    given = cast("dict[str, Any]", value)
    given = next((given[key] for key in _FUNCTION_KEYS if isinstance(given.get(key), dict)), given)
    name = next((given[key] for key in ("name", *_FUNCTION_KEYS) if isinstance(given.get(key), str)), None)
    key = next((key for key in _ARGUMENTS if key in given), "")
    if not name or (names is not None and name not in names) or (unlabelled and not key):
        return None
    held: Any = given[key] if key else {name: held for name, held in given.items() if name not in _NO_ARGUMENTS}
    if isinstance(held, str):
        try:
            held = read_object(held)
        except UnreadableJsonError as error:
            if not held.lstrip().startswith("{") and (unlabelled or key == "input"):  # text: no call, or its "input"
                return None if unlabelled else types.FunctionCall(name=name, args={key: held})
            return unreadable_call(name, held, str(error))
    elif held is None:
        held = {}
    if not isinstance(held, dict):
        return None if unlabelled else unreadable_call(name, json.dumps(held, ensure_ascii=False), "they are no JSON object")
    return types.FunctionCall(name=name, args=cast("dict[str, Any]", held))


def _response_of(value: Any) -> str | None:
    if not isinstance(value, dict) or "response" not in value:
        return None
    said = cast("dict[str, Any]", value)["response"]
    return said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
