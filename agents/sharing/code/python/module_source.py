"""The source of a module: which statement binds each of its names."""

from __future__ import annotations

import ast
import importlib.util
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.abc import InspectLoader
from types import ModuleType
from typing import Self

from agents.sharing.code.python.code_file import CannotWriteError
from agents.sharing.code.python.scopes import bound_names


@dataclass(frozen=True, slots=True)
class Import:
    """An imported name.

    Attributes:
        module: From where.
        name: What; "" for the module itself.
    """

    module: str
    name: str


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that binds names.

    Attributes:
        names: Those names.
        text: Its source, with decorators, and the text after it that documents it.
        is_assignment: Whether it gives one name a value.
    """

    names: tuple[str, ...]
    text: str
    is_assignment: bool

    def parsed(self) -> ast.stmt:
        """Its tree, a new one at each call."""
        return ast.parse(self.text).body[0]


@dataclass(frozen=True, slots=True)
class ModuleSource:
    """A module's source.

    Attributes:
        module: The module.
        bindings: What binds each name.
    """

    module: ModuleType
    bindings: Mapping[str, Import | Statement]

    @classmethod
    def of(cls, module: ModuleType) -> Self:
        """Reads the source of a module.

        Raises:
            CannotWriteError: It has none, or it is not what was loaded.
        """
        try:
            text = _loaded_source(module)
            tree = ast.parse(text)
        except (OSError, ImportError, TypeError, SyntaxError, ValueError, RecursionError) as error:
            raise CannotWriteError(f"The source of {module.__name__} cannot be read: {type(error).__name__}.") from None
        found: dict[str, Import | Statement] = {}
        lines = text.splitlines(keepends=True)
        for place, statement in enumerate(tree.body):
            after = tree.body[place + 1] if place + 1 < len(tree.body) else None
            found.update(_bindings(module, statement, after, lines))
        return cls(module, found)


def _loaded_source(module: ModuleType) -> str:
    """The text that was compiled, where the loader keeps it: the file may be another by now."""
    loader = getattr(module.__spec__, "loader", None)
    text = loader.get_source(module.__name__) if isinstance(loader, InspectLoader) else None
    if text is None:
        raise OSError(module.__name__)
    return text


def _bindings(
    module: ModuleType, statement: ast.stmt, after: ast.stmt | None, lines: list[str]
) -> Iterator[tuple[str, Import | Statement]]:
    if isinstance(statement, ast.If) and "TYPE_CHECKING" in ast.unparse(statement.test):
        for inner in statement.body:
            yield from _bindings(module, inner, None, lines)
        return
    if isinstance(statement, ast.Import | ast.ImportFrom):
        yield from _imports(module, statement)
        return
    names = tuple(dict.fromkeys(bound_names([statement])))
    if not names:
        return
    is_assignment = isinstance(statement, ast.Assign | ast.AnnAssign) and len(names) == 1
    last = after if after is not None and is_assignment and _is_text(after) else statement
    begins = min([statement.lineno, *(one.lineno for one in getattr(statement, "decorator_list", []))])
    text = textwrap.dedent("".join(lines[begins - 1 : last.end_lineno])).rstrip()
    for name in names:
        yield name, Statement(names, text, is_assignment)


def _is_text(statement: ast.stmt | None) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _imports(module: ModuleType, statement: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, Import]]:
    if isinstance(statement, ast.Import):
        for one in statement.names:
            name = one.asname or one.name.partition(".")[0]
            yield name, Import(one.name if one.asname else one.name.partition(".")[0], "")
        return
    relative = "." * statement.level + (statement.module or "")
    source = importlib.util.resolve_name(relative, module.__package__)
    if source != "__future__":
        for one in statement.names:
            yield one.asname or one.name, Import(source, one.name)
