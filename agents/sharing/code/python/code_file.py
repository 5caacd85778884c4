"""A Python file while it is being written: its imports, its names, and its statements in order."""

from __future__ import annotations

import builtins
import keyword
import re
import unicodedata
from dataclasses import dataclass, field

_RESERVED = frozenset({*dir(builtins), *keyword.kwlist, *keyword.softkwlist, "annotations"})
_BEFORE_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class CannotWriteError(Exception):
    """Something that this file cannot hold; the message is a sentence that says what and why."""


@dataclass(slots=True)
class CodeFile:
    """A file.

    Attributes:
        statements: What comes after the imports, in order.
        live: Packages that are imported last, after `before_live`.
        before_live: A statement.
    """

    statements: list[str] = field(default_factory=list[str])
    live: frozenset[str] = frozenset()
    before_live: str = ""
    _taken: dict[str, object] = field(default_factory=dict[str, object])
    _imports: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])

    def claim(self, wanted: str, key: object) -> str:
        """A name of the file for `key`: the one wanted, or with a number if another thing has it."""
        name, number = unicodedata.normalize("NFKC", wanted), 1
        base = name
        while name in _RESERVED or self._taken.get(name, key) != key:
            number += 1
            name = f"{base}_{number}"
        self._taken[name] = key
        return name

    def imported(self, module: str, name: str = "", *, wanted: str = "") -> str:
        """The name in this file of a module's name, `wanted` if it is free; of the module itself where no name is given."""
        key = (module, name)
        if key not in self._imports:
            first = module.partition(".")[0]
            self._imports[key] = self.claim(wanted or name or first, key if name else first)
        return self._imports[key] if name else module

    def mark(self) -> tuple[list[str], dict[str, object], dict[tuple[str, str], str]]:
        """What there is now, for `undo`."""
        return list(self.statements), dict(self._taken), dict(self._imports)

    def undo(self, mark: tuple[list[str], dict[str, object], dict[tuple[str, str], str]]) -> None:
        """Takes back what was written since."""
        self.statements[:] = mark[0]
        self._taken, self._imports = mark[1], mark[2]

    def text(self) -> str:
        """The statements, with the blank lines between them that style guides ask for."""
        parts: list[str] = []
        for before, statement in zip(["", *self.statements], self.statements, strict=False):
            apart = 3 if _is_definition(before) or _is_definition(statement) else 2 if "\n" in before + statement else 1
            parts.append("\n" * apart * bool(before) + statement)
        return "".join(parts)

    def imports(self) -> str:
        """The imports: the standard library and packages first, then this project's and google-adk's, then `live` ones."""
        by_module: dict[str, list[str]] = {}
        for (module, name), local in self._imports.items():
            by_module.setdefault(module, []).append(name if local == name or not name else f"{name} as {local}")
        plain = sorted(f"import {module}" for module, names in by_module.items() if "" in names)
        chosen = sorted((module, sorted(filter(None, names))) for module, names in by_module.items())
        groups: list[list[str]] = [plain, [], []]
        for module, names in chosen:
            if names:
                groups[2 if module.partition(".")[0] in self.live else _is_own(module)].append(_line(module, names))
        if groups[2]:
            groups[2].insert(0, self.before_live)
        return "\n\n".join("\n".join(lines) for lines in groups if lines)


def snake(name: str) -> str:
    """A class-like name as a variable is named."""
    found = _BEFORE_CAPITAL.sub("_", unicodedata.normalize("NFKC", name)).lower()
    return found if found.isidentifier() else f"agent_{found}"


def _is_definition(statement: str) -> bool:
    return statement.startswith(("def ", "async def ", "class ", "@"))


def _is_own(module: str) -> bool:
    return module.partition(".")[0] == "agents" or module.startswith("google.adk")


def _line(module: str, names: list[str]) -> str:
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= 120:  # noqa: PLR2004  as wide as the project's own lines
        return line
    return "\n".join([f"from {module} import (", *(f"    {name}," for name in names), ")"])
