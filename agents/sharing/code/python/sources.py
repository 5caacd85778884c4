"""The source of functions, classes and constants with all that they need from their package, for one file without it.

Names of the package's modules become names of the file. A constant that is computed from a file of the package is written
as its value; so is a cached call with constant arguments. What stands on this project's runtime is left to `runtime`.
"""

from __future__ import annotations

import ast
import importlib
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, cast

from agents.sharing.code.python import literals
from agents.sharing.code.python.code_file import CannotWriteError, CodeFile
from agents.sharing.code.python.literals import constructor_arguments
from agents.sharing.code.python.module_source import Import, ModuleSource, Statement
from agents.sharing.code.python.scopes import module_names

_FILE = "__file__"
_OF_A_MODULE = frozenset({_FILE, "__path__", "__spec__", "__package__", "__loader__"})
_BUILT_IN = ("agents.pipelines.", "agents.models.simulated.language.")
"""What pipelines of the playground are made of; the rest of `agents` is the runtime."""
_MOST_VALUE = 400_000


@dataclass(frozen=True, slots=True)
class Site:
    """A name of a module."""

    module: str
    name: str

    def __str__(self) -> str:
        """For a sentence."""
        return f"{self.name} in {self.module}"


def is_built_in(module: str) -> bool:
    """Whether a module belongs to the playground's own pipelines, whose source a file may take in."""
    return module.startswith(_BUILT_IN)


class Sources:
    """The sources that a file takes in.

    Args:
        file: The file.
        package: The package that a user's pipeline is in; sources of its modules are taken in.
        runtime: What a name of this project's runtime is in the file: from module and name.
    """

    def __init__(self, file: CodeFile, package: str, runtime: Callable[[str, str], str]) -> None:
        self._file = file
        self._package = package
        self._runtime = runtime
        self._modules: dict[str, ModuleSource] = {}
        self._locals: dict[Site, str] = {}

    def take(self, module: str, name: str) -> str:
        """The name in the file of a module's name, once its source is in.

        Raises:
            CannotWriteError: It, or something that it needs, cannot stand in the file.
        """
        site = Site(module, name)
        if site in self._locals:
            return self._locals[site]
        source = self._source(module)
        match source.bindings.get(name):
            case None:
                raise CannotWriteError(f"{site} is not where its module can be read, so it cannot be written down.")
            case Import() as found:
                return self._take_import(site, found)
            case Statement() as found:
                return self._take_statement(site, source, found)

    def _owns(self, module: str) -> bool:
        return module == self._package or module.startswith((*_BUILT_IN, f"{self._package}."))

    def _source(self, module: str) -> ModuleSource:
        if module not in self._modules:
            self._modules[module] = ModuleSource.of(importlib.import_module(module))
        return self._modules[module]

    def _take_import(self, site: Site, found: Import) -> str:
        if found.name == "":
            if self._owns(found.module) or found.module.partition(".")[0] == "agents":
                raise CannotWriteError(f"{site} is a module of its package, used as a value.")
            return self._file.imported(found.module)
        if self._owns(found.module):
            local = self.take(found.module, found.name)
        elif found.module.partition(".")[0] == "agents":
            local = self._of_runtime(site, found)
        else:
            local = self._file.imported(found.module, found.name)
        self._locals[site] = local
        return local

    def _of_runtime(self, site: Site, found: Import) -> str:
        try:
            return self._runtime(found.module, found.name)
        except CannotWriteError as error:
            raise CannotWriteError(f"{site.module} uses {found.name} of {found.module}. {error}") from None

    def _take_statement(self, site: Site, source: ModuleSource, found: Statement) -> str:
        mark, known = self._file.mark(), dict(self._locals)
        names = list(found.names)
        for name in names:
            self._locals[Site(site.module, name)] = self._file.claim(self._free_name(site.module, name), site.module + name)
        try:
            text = self._text(site, source, found)
        except CannotWriteError:
            self._file.undo(mark)
            self._locals = known
            if not found.is_assignment:
                raise
            local = self._locals[site] = self._file.claim(self._free_name(site.module, site.name), site.module + site.name)
            text = f"{local} = {self.value(getattr(source.module, site.name), str(site))}"
        self._file.statements.append(text)
        return self._locals[site]

    def _free_name(self, module: str, name: str) -> str:
        """The name, with its module's before it if another module's is in the file already."""
        taken = {local for site, local in self._locals.items() if site.module != module}
        if name not in taken:
            return name
        tail = module.rpartition(".")[2]
        return f"_{tail}_{name.lstrip('_')}" if name.startswith("_") else f"{tail}_{name}"

    def _text(self, site: Site, source: ModuleSource, found: Statement) -> str:
        """The statement, with the names that its parts have in the file."""
        tree = found.parsed()
        changed = _Replaced(self, site, source)
        tree = changed.apply(tree)
        for name in module_names(tree):
            changed.rename(name)
        if isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            local = self._locals[Site(site.module, tree.name)]
            changed.changes += local != tree.name
            tree.name = local
        if not changed.changes:
            return found.text
        if any(isinstance(node, ast.Global) for node in ast.walk(tree)):
            raise CannotWriteError(f"{site} changes names of its module, which are others in one file.")
        try:
            return ast.unparse(tree)
        except ValueError as error:  # a backslash in an f-string
            raise CannotWriteError(f"{site} cannot be written with other names: {error}.") from None

    def value(self, value: Any, what: str) -> str:
        """A constant's value as an expression.

        Raises:
            CannotWriteError: It has none.
        """
        try:
            text = self._expression(value)
        except literals.NoLiteralError as error:
            raise CannotWriteError(f"{what} is computed when its package is loaded, and {error}.") from None
        if len(text) > _MOST_VALUE:
            raise CannotWriteError(f"{what} is computed when its package is loaded, and has {len(text):,} characters.")
        return text

    def _expression(self, value: Any) -> str:
        if isinstance(value, re.Pattern):
            pattern = cast("re.Pattern[Any]", value)
            flags = pattern.flags & ~re.UNICODE
            given = [literals.literal(pattern.pattern), *([str(int(flags))] if flags else [])]
            return literals.call(f"{self._file.imported('re')}.compile", given)
        if type(value) is dict:
            items = cast("dict[Any, Any]", value).items()
            return literals.mapping([(self._expression(key), self._expression(item)) for key, item in items])
        if type(value) is list:
            return literals.listed(map(self._expression, cast("list[Any]", value)))
        if type(value) is tuple:
            return literals.tupled(map(self._expression, cast("tuple[Any, ...]", value)))
        if (given := constructor_arguments(value)) is not None and self._owns(type(value).__module__):
            name = self.take(type(value).__module__, type(value).__qualname__)
            return literals.call(name, [f"{key}={self._expression(item)}" for key, item in given.items()])
        return literals.literal(value)

    def constant_call(self, site: Site, function: Site, arguments: tuple[str, ...]) -> str | None:
        """The name of a constant with the result of a cached call in a built-in package, where its source cannot be taken.

        None for any other call.
        """
        module = self._source(site.module).module
        called = getattr(importlib.import_module(function.module), function.name, None)
        if not (is_built_in(function.module) and hasattr(called, "cache_info")):
            return None
        key = Site(function.module, f"{function.name}({', '.join(arguments)})")
        if key not in self._locals:
            if _FILE not in arguments and self._is_taken(function):
                return None
            given = [getattr(module, _FILE) if one == _FILE else ast.literal_eval(one) for one in arguments]
            text = self.value(cast("Callable[..., Any]", called)(*given), f"{function.name}()")
            local = self._locals[key] = self._file.claim(function.name.upper(), key)
            self._file.statements.append(f"{local} = {text}")
        return self._locals[key]

    def alias(self, local: str) -> str:
        """Another name for something in the file."""
        name = self._file.claim(f"_{local}", Site("", local))
        if (statement := f"{name} = {local}") not in self._file.statements:
            self._file.statements.append(statement)
        return name

    def _is_taken(self, site: Site) -> bool:
        """Whether the source of a name could be taken; it is in the file then."""
        try:
            self.take(site.module, site.name)
        except CannotWriteError:
            return False
        return True

    def resolved(self, module: str, name: str) -> Site | None:
        """Where a name of a module is defined, through imports within the package; None if that is not known."""
        while (found := self._source(module).bindings.get(name)) is not None:
            if isinstance(found, Statement):
                return Site(module, name)
            if not found.name or not self._owns(found.module):
                return None
            module, name = found.module, found.name
        return None

    def owned_module(self, module: str, name: str) -> str | None:
        """The module of the package that a name of another of its modules stands for, if it does."""
        found = self._source(module).bindings.get(name)
        if not isinstance(found, Import):
            return None
        full = f"{found.module}.{found.name}".rstrip(".")
        return full if self._owns(full) and isinstance(sys.modules.get(full), ModuleType) else None


class _Replaced(ast.NodeTransformer):
    """Changes a statement so that it means the same in the file."""

    def __init__(self, sources: Sources, site: Site, source: ModuleSource) -> None:
        self._sources = sources
        self._site = site
        self._source = source
        self._own: set[int] = set()
        self._inner: set[str] = set()
        self._named: list[ast.Name] = []
        self.changes = 0

    def apply(self, tree: ast.stmt) -> ast.stmt:
        self._own = {id(node) for node in module_names(tree)}
        names = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in self._own)
        self._inner = {*(node.id for node in names), *(one.arg for one in ast.walk(tree) if isinstance(one, ast.arg))}
        return cast("ast.stmt", self.visit(tree))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and id(node.func) in self._own and not node.keywords:
            arguments = tuple(ast.unparse(one) for one in node.args)
            is_constant = all(isinstance(one, ast.Constant) or ast.unparse(one) == _FILE for one in node.args)
            function = self._sources.resolved(self._site.module, node.func.id) if is_constant else None
            if function is not None and (local := self._sources.constant_call(self._site, function, arguments)):
                return self._name(local)
        return self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name) and id(node.value) in self._own:
            module = self._sources.owned_module(self._site.module, node.value.id)
            if module is not None:
                return self._name(self._sources.take(module, node.attr))
        return self.generic_visit(node)

    def rename(self, node: ast.Name) -> None:
        """Gives a name of the module the one that it has in the file."""
        if any(node is one for one in self._named):
            return
        name = node.id
        if name in _OF_A_MODULE:
            raise CannotWriteError(f"{self._site} reads files of its package, which are not in one file of Python.")
        if name in self._source.bindings:
            local = self._sources.take(self._site.module, name)
            if local != name:
                self.changes += 1
                node.id = self._unhidden(local)
        elif name in vars(self._source.module) and not name.startswith("__"):
            raise CannotWriteError(f"{self._site} uses {name}, and where that is defined cannot be read.")

    def _name(self, local: str) -> ast.Name:
        self.changes += 1
        self._named.append(ast.Name(id=self._unhidden(local), ctx=ast.Load()))
        return self._named[-1]

    def _unhidden(self, local: str) -> str:
        """A name of the file that no local name of the statement hides."""
        return self._sources.alias(local) if local in self._inner else local
