"""Reads YAML that may come from anybody: plain data of a limited size, with the line of each value.

Aliases, tags and keys that stand twice are refused: they make data that a reader does not see in the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import yaml

MOST_CHARACTERS = 250_000
MOST_DEPTH = 40
_yaml: Any = yaml
"""The functions of the package, which have no types."""
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""Reads as `yaml.safe_load` does, faster where the library is there."""

Path = tuple[str | int, ...]


class YamlError(ValueError):
    """A text is no YAML that is read here; the message says where and why."""


@dataclass(frozen=True, slots=True)
class YamlText:
    """What a text says.

    Attributes:
        source: The text.
        data: Mappings, lists, texts, numbers, truth values and None.
        lines: The line of each key and list entry, by its path from the top.
    """

    source: str
    data: Any
    lines: dict[Path, int]

    def line(self, path: Path) -> int:
        """The line of a value, or of the nearest one around it; from 1."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


def read_yaml(text: str) -> YamlText:
    """Reads one YAML document.

    Raises:
        YamlError: It is not YAML, too large or too deep, or it has an alias, a tag or a key twice.
    """
    if len(text) > MOST_CHARACTERS:
        raise YamlError(f"it has more than {MOST_CHARACTERS:,} characters.")
    try:
        _check(text)
        node: yaml.Node | None = _yaml.compose(text, LOADER)
    except yaml.MarkedYAMLError as error:
        where = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
        raise YamlError(f"{where}{error.problem or error.context or 'it is not YAML'}.") from None
    except (yaml.YAMLError, UnicodeError) as error:
        raise YamlError(f"it is not YAML: {_one_line(error)}.") from None
    lines: dict[Path, int] = {}
    if node is None:
        return YamlText(text, None, lines)
    _note(node, (), lines)
    try:
        data = _yaml.load(text, LOADER)
        repr(data)  # a number of thousands of digits can be read, and not written again
        return YamlText(text, data, lines)
    except (yaml.YAMLError, ValueError, OverflowError) as error:  # a date such as 2025-02-31
        raise YamlError(f"a value in it cannot be read: {_one_line(error)}.") from None


def _check(text: str) -> None:
    """Refuses what is no plain data, before anything is built of it."""
    depth = documents = 0
    events: Iterator[yaml.Event] = _yaml.parse(text, LOADER)
    for event in events:
        line = event.start_mark.line + 1
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise YamlError(f"line {line}: a second document begins here. Write one agent a file.")
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise YamlError(f"line {line}: anchors and aliases (& and *) are not read. Write the value out.")
        tag = getattr(event, "tag", None)
        if tag:
            raise YamlError(f"line {line}: the tag {tag} is not read. A file of an agent holds plain data.")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MOST_DEPTH:
                raise YamlError(f"line {line}: it is nested deeper than {MOST_DEPTH} levels.")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _note(node: yaml.Node, path: Path, lines: dict[Path, int]) -> None:
    """Notes the lines of the values below a node, and refuses keys that stand twice or are no text."""
    if isinstance(node, yaml.SequenceNode):
        for index, entry in enumerate(cast("list[yaml.Node]", node.value)):
            lines[*path, index] = entry.start_mark.line + 1
            _note(entry, (*path, index), lines)
    elif isinstance(node, yaml.MappingNode):
        for key, value in cast("list[tuple[yaml.Node, yaml.Node]]", node.value):
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode) or key.tag != "tag:yaml.org,2002:str" or key.value == "<<":
                raise YamlError(f"line {line}: a key must be a plain word.")
            if (*path, key.value) in lines:
                raise YamlError(f"line {line}: {key.value!r} stands here for the second time. Remove one of the two.")
            lines[*path, key.value] = line
            _note(value, (*path, key.value), lines)


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
