"""Changes what a YAML text says and leaves the rest of it as it is: order, comments, quotes, blank lines.

The text is changed in as few places as possible. What comes out is read again: where it does not say what it should, as
after rare forms such as `? key`, the text is written anew.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import Any, NamedTuple, cast

import yaml

from agents.teams.yaml_text import LOADER, YamlError, read_yaml

_yaml: Any = yaml
_STEP = 2
_BLANKS = " \n"  # and no others: text may begin with a space of another kind
_HEADER = re.compile(r"[|>][-+0-9]*[ \t]*(#.*)?")
_BREAK = re.compile(r"[\n\r\x85\u2028\u2029]")
_LITERAL = re.compile(r"[^\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]*")


class _Edit(NamedTuple):
    start: int
    end: int
    text: str


class _Entry(NamedTuple):
    """An entry of a block: a key with its value, or an item of a list.

    Attributes:
        start: Where its key or its dash is.
        value_start: Behind the colon or the dash.
        node: Its value.
    """

    start: int
    value_start: int
    node: yaml.Node


def with_data(text: str, data: Mapping[str, Any]) -> str:
    """A text that says `data`, made from another one.

    Args:
        text: The text before.
        data: Plain data: mappings, lists, texts, numbers, truth values and None.

    Raises:
        YamlError: The text before is no YAML that is read here, or YAML cannot hold the data.
    """
    before = read_yaml(text).data
    if _same(before, data):
        return text
    if not isinstance(before, dict) or any(not isinstance(key, str) for key in cast("dict[Any, Any]", before)):
        return written(data)
    text = text.replace("\r\n", "\n")
    change = _Change(text)
    try:
        change.mapping(_yaml.compose(text, LOADER), cast("dict[str, Any]", before), data)
        edited = change.applied()
        if _same(read_yaml(edited).data, data):
            return edited
    except ValueError:  # an error of YAML, or a form that is not told apart here: the file is written anew
        pass
    return written(data)


def written(data: Mapping[str, Any]) -> str:
    """A new text that says `data`.

    Raises:
        YamlError: YAML cannot hold it.
    """
    text = f"{_value(data, -_STEP).lstrip(_BLANKS)}\n"
    if not _same(read_yaml(text).data, data):
        raise YamlError("a value of it cannot be written as YAML.")
    return text


class _Change:
    """The edits that make a text say something else."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._edits: list[_Edit] = []

    def applied(self) -> str:
        """The text after all edits. Of edits at one place, insertions stay in their order, before what is replaced."""
        text = self._text
        in_order = sorted(enumerate(self._edits), key=lambda one: (one[1].start, one[1].end > one[1].start, one[0]))
        for _, edit in reversed(in_order):
            text = text[: edit.start] + edit.text + text[edit.end :]
        return text

    def mapping(self, node: yaml.Node, before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
        """Changes the entries of a mapping in block style; returns False if that cannot be done entry by entry."""
        pairs = cast("list[tuple[yaml.ScalarNode, yaml.Node]]", node.value)
        if [key.value for key, _ in pairs] != list(before) or not before or not before.keys() & after.keys():
            return False
        entries = [
            _Entry(key.start_mark.index, self._text.index(":", key.end_mark.index) + 1, value) for key, value in pairs
        ]
        column, at = node.start_mark.column, dict(zip(before, entries, strict=True))
        gone, new = [at[key] for key in before if key not in after], [key for key in after if key not in before]
        if not all(map(self._has_own_lines, (*gone, *(entries[:1] if new else ())))):
            return False
        for entry in gone:
            self._edits.append(_Edit(*self._lines_of(entry, is_top=column == 0 and entry is entries[0]), ""))
        previous = None
        for key, value in after.items():
            if key in at:
                previous = at[key]
                self._value(previous, before[key], value, column)
            else:
                self._insert(
                    f"{' ' * column}{_scalar(key)}:{_value(value, column)}", previous, entries[0], is_top=column == 0
                )
        return True

    def _sequence(self, node: yaml.Node, before: list[Any], after: list[Any]) -> bool:
        """The same for a list."""
        items = cast("list[yaml.Node]", node.value)
        if not items or not after:
            return False
        column, entries = node.start_mark.column, list(self._items(node, items))
        if len(entries) != len(items) or not all(map(self._has_own_lines, entries)):
            return False
        old, new = list(map(repr, before)), list(map(repr, after))
        kept: dict[str, list[str]] = {}
        for text, entry in zip(old, entries, strict=True):
            start, end = self._lines_of(entry)
            kept.setdefault(text, []).append(self._text[start:end].removesuffix("\n"))
        previous = None
        for _, first, last, new_first, new_last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            pairs = min(last - first, new_last - new_first)
            for index in range(pairs):
                previous = entries[first + index]
                self._value(previous, before[first + index], after[new_first + index], column)
            for entry in entries[first + pairs : last]:
                self._edits.append(_Edit(*self._lines_of(entry), ""))
            for index in range(new_first + pairs, new_last):
                chunks = kept.get(new[index])
                chunk = chunks.pop() if chunks else f"{' ' * column}-{_item(after[index], column)}"
                self._insert(chunk, previous, entries[0])
        return True

    def _items(self, node: yaml.Node, items: list[yaml.Node]) -> Iterator[_Entry]:
        """The items of a list, with their dashes, which all are in one column."""
        column, start = node.start_mark.column, node.start_mark.index
        for index, item in enumerate(items):
            if index:
                after = self._line_end(self._end(items[index - 1]))
                found = self._text.find(f"\n{' ' * column}-", after, item.start_mark.index)
                if found < 0:
                    return
                start = found + 1 + column
            yield _Entry(start, start + 1, item)

    def _value(self, entry: _Entry, before: Any, after: Any, column: int) -> None:
        """Changes the value of an entry."""
        if _same(before, after):
            return
        node = entry.node
        if getattr(node, "flow_style", None) is False and node.value:
            if isinstance(before, dict) and isinstance(after, dict):
                if self.mapping(node, cast("dict[str, Any]", before), cast("dict[str, Any]", after)):
                    return
            elif (
                isinstance(before, list)
                and isinstance(after, list)
                and self._sequence(node, cast("list[Any]", before), cast("list[Any]", after))
            ):
                return
        elif getattr(node, "flow_style", None) and node.value and isinstance(after, dict | list) and after:
            self._edits.append(_Edit(node.start_mark.index, node.end_mark.index, _scalar(after)))
            return
        self._replace(entry, after, column)

    def _replace(self, entry: _Entry, value: Any, column: int) -> None:
        """Writes a value anew; the comment on its first line stays there."""
        node, end = entry.node, self._end(entry.node)
        head = self._text[entry.value_start : node.start_mark.index].partition("\n")[0].strip(_BLANKS)
        rest = self._text[end : self._line_end(end)]
        style = getattr(node, "style", None)
        if header := _HEADER.match(self._text, node.start_mark.index) if style in ("|", ">") else None:
            comment = header[1] or ""
        elif head.startswith("#"):
            comment = head
        else:
            comment, end = rest, end + len(rest)
        is_item = self._text[entry.start] == "-" and isinstance(value, dict | list)
        first, line_break, body = (_item(value, column) if is_item else _value(value, column, style)).partition("\n")
        comment = f"  {comment.strip(_BLANKS)}" if comment.strip(_BLANKS) else ""
        self._edits.append(_Edit(entry.value_start, end, f"{first}{comment}{line_break}{body}"))

    def _insert(self, chunk: str, previous: _Entry | None, first: _Entry, *, is_top: bool = False) -> None:
        """Inserts lines behind an entry that stays, or before the first one."""
        if previous is not None:
            at = self._line_end(self._end(previous.node))
            self._edits.append(_Edit(at, at, f"\n{chunk}"))
        else:
            at = self._lines_of(first, is_top=is_top)[0]
            self._edits.append(_Edit(at, at, f"{chunk}\n"))

    def _lines_of(self, entry: _Entry, *, is_top: bool = False) -> tuple[int, int]:
        """Where an entry's lines begin and end, with the comments directly above; those above a file's first key stay."""
        start = self._text.rfind("\n", 0, entry.start) + 1
        indent = self._text[start : entry.start]
        while not is_top and start:
            above = self._text.rfind("\n", 0, start - 1) + 1
            if not self._text.startswith(f"{indent}#", above):
                break
            start = above
        return start, min(len(self._text), self._line_end(self._end(entry.node)) + 1)

    def _has_own_lines(self, entry: _Entry) -> bool:
        return not self._text[self._text.rfind("\n", 0, entry.start) + 1 : entry.start].strip(_BLANKS)

    def _line_end(self, at: int) -> int:
        found = self._text.find("\n", at)
        return len(self._text) if found < 0 else found

    def _end(self, node: yaml.Node) -> int:
        """Where a value ends: before blank lines and comments that follow it."""
        if isinstance(node, yaml.CollectionNode):
            if not node.flow_style and node.value:
                last = node.value[-1]
                return self._end(last[1] if isinstance(node, yaml.MappingNode) else last)
            return node.end_mark.index
        if cast("yaml.ScalarNode", node).style not in ("|", ">"):
            return node.end_mark.index
        end = node.end_mark.index
        keeps = "+" in self._text[node.start_mark.index : node.start_mark.index + 3]
        return len(self._text[:end].rstrip(" ")) - 1 if keeps else len(self._text[:end].rstrip(_BLANKS))


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        first, second = cast("dict[Any, Any]", one), cast("dict[Any, Any]", other)
        return first.keys() == second.keys() and all(_same(first[key], second[key]) for key in first)
    if isinstance(one, list) and isinstance(other, list):
        items, others = cast("list[Any]", one), cast("list[Any]", other)
        return len(items) == len(others) and all(map(_same, items, others))
    return repr(cast("Any", one)) == repr(other)


def _value(value: Any, column: int, style: str | None = None) -> str:
    """What stands behind a key's colon or a dash in a column: one line, or the first one and those below."""
    if isinstance(value, dict | list) and value:
        return _block(value, column + _STEP)
    if isinstance(value, str) and "\n" in value and (literal := _literal(value, column + _STEP)):
        return literal
    return f" {_scalar(value, style)}"


def _block(value: Any, column: int) -> str:
    """The lines of a mapping or a list, each after a line break."""
    pad = " " * column
    if isinstance(value, list):
        items = cast("list[Any]", value)
        return "".join(f"\n{pad}-{_item(item, column)}" for item in items)
    entries = cast("Mapping[Any, Any]", value).items()
    return "".join(f"\n{pad}{_scalar(key)}:{_value(one, column)}" for key, one in entries)


def _item(value: Any, column: int) -> str:
    text = _value(value, column)
    return f" {text.lstrip(_BLANKS)}" if isinstance(value, dict | list) and value else text


def _literal(text: str, column: int) -> str:
    """A text of several lines as a literal block; "" where that cannot hold it."""
    if not _LITERAL.fullmatch(text) or not text.strip(_BLANKS) or text[0] in " \t\n":
        return ""
    chomping = "-" if not text.endswith("\n") else "+" if text.endswith("\n\n") else ""
    lines = text.removesuffix("\n").split("\n")
    return f" |{chomping}\n" + "\n".join(f"{' ' * column}{line}" if line else "" for line in lines)


def _scalar(value: Any, style: str | None = None) -> str:
    """A value on one line."""
    quotes = None
    if isinstance(value, str):
        quotes = '"' if _BREAK.search(value) else style if style in ("'", '"') else None
    try:
        text = _yaml.safe_dump(
            value,
            default_style=quotes,
            default_flow_style=True,
            allow_unicode=True,
            width=sys.maxsize,
            sort_keys=False,
        )
    except yaml.YAMLError:
        raise YamlError(f"a value of type {type(value).__name__} cannot be written as YAML.") from None
    return text.removesuffix("\n").removesuffix("...").removesuffix("\n")
