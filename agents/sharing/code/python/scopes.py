"""Which names in a statement of a module are the module's own, and not those of a function, class or comprehension in it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def module_names(statement: ast.stmt) -> list[ast.Name]:
    """The nodes of a module's statement that name something of the module, or a builtin."""
    finder = _Finder()
    finder.visit(statement)
    return finder.found


def bound_names(statements: Iterable[ast.AST]) -> Iterator[str]:
    """The names that statements bind in their own scope."""
    for node in _of_this_scope(statements):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.alias(name=name, asname=asname):
                yield asname or name.partition(".")[0]
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name
            case ast.MatchMapping(rest=str(name)):
                yield name
            case _:
                pass


def _of_this_scope(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, _COMPREHENSIONS):  # a := in one binds a name around it
            waiting += [inner.target for inner in ast.walk(node) if isinstance(inner, ast.NamedExpr)]
        elif not isinstance(node, _SCOPES):
            waiting += ast.iter_child_nodes(node)


class _Finder(ast.NodeVisitor):
    def __init__(self) -> None:
        self.found: list[ast.Name] = []
        self._functions: list[frozenset[str]] = []
        self._class: frozenset[str] = frozenset()

    def visit_Name(self, node: ast.Name) -> None:
        if node.id not in self._class and not any(node.id in names for names in self._functions):
            self.found.append(node)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        arguments += [one for one in (node.args.vararg, node.args.kwarg) if one is not None]
        around = [*node.decorator_list, *node.args.defaults, *node.args.kw_defaults, node.returns]
        self._visit_all([*around, *(one.annotation for one in arguments)])
        freed = {name for inner in ast.walk(node) if isinstance(inner, ast.Global) for name in inner.names}
        names = frozenset({*(one.arg for one in arguments), *bound_names(node.body)} - freed)
        self._visit_inside(names, node.body)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> None:
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        arguments += [one for one in (node.args.vararg, node.args.kwarg) if one is not None]
        self._visit_all([*node.args.defaults, *node.args.kw_defaults])
        self._visit_inside(frozenset(one.arg for one in arguments), [node.body])

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._visit_all([*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)])
        outer, self._class = self._class, frozenset(bound_names(node.body))
        self._visit_all(node.body)
        self._class = outer

    def generic_visit(self, node: ast.AST) -> None:
        if not isinstance(node, _COMPREHENSIONS):
            super().generic_visit(node)
            return
        first, *_ = node.generators
        self.visit(first.iter)
        rest = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        for generator in node.generators:
            rest += [] if generator is first else [generator.iter]
            rest += [generator.target, *generator.ifs]
        targets = bound_names([generator.target for generator in node.generators])
        self._functions.append(frozenset(targets))
        self._visit_all(rest)
        self._functions.pop()

    def _visit_inside(self, names: frozenset[str], body: Iterable[ast.AST]) -> None:
        outer, self._class = self._class, frozenset()  # a method does not see the names of its class
        self._functions.append(names)
        self._visit_all(body)
        self._functions.pop()
        self._class = outer

    def _visit_all(self, nodes: Iterable[ast.AST | None]) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node)
