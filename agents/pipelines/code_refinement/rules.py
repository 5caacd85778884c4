"""The rules that a source is checked by: each examines its syntax tree and the names of its scopes.

A rule walks the tree without recursion, since sources may be nested deeply.
"""

from __future__ import annotations

import ast
import builtins
import symtable
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from agents.pipelines.code_refinement.finding import Finding

_BUILT_IN = frozenset(dir(builtins)) | {"__file__", "__annotations__", "__path__", "__class__"}
_SHADOWED = _BUILT_IN - {"copyright", "credits", "exit", "help", "license", "quit"}
_FORBIDDEN = frozenset(("eval", "exec", "compile", "__import__"))
_MUTABLE_CALLS = frozenset(("list", "dict", "set", "bytearray"))
_BRANCHING = (ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.match_case, ast.Assert)

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Source(NamedTuple):
    """What the rules look at: the syntax tree, the module's table of names, and what is asked of the source.

    `wanted` is the name of a function that must be defined, `most_branches` how many branches a function may have.
    """

    tree: ast.Module
    names: symtable.SymbolTable
    wanted: str | None
    most_branches: int

    def functions(self) -> Iterator[Function]:
        """All functions, inner ones and methods too."""
        return (node for node in ast.walk(self.tree) if isinstance(node, Function))


def missing_function(source: Source) -> Iterator[Finding]:
    """There is no function, or not the one that was asked for."""
    defined = [function.name for function in source.functions()]
    classes = [node.name for node in ast.walk(source.tree) if isinstance(node, ast.ClassDef)]
    if source.wanted and source.wanted not in (*defined, *classes):
        there_is = f"; there is {', '.join(defined[:5])}" if defined else ""
        yield Finding(1, "missing function", f"'{source.wanted}' is not defined{there_is}")
    elif not defined:
        yield Finding(1, "missing function", "no function is defined")


def missing_docstring(source: Source) -> Iterator[Finding]:
    """A public function or method does not say what it does; one inside of another function need not."""
    blocks = [source.tree, *(node for node in ast.walk(source.tree) if isinstance(node, ast.ClassDef))]
    for function in (node for block in blocks for node in block.body if isinstance(node, Function)):
        if not function.name.startswith("_") and not (ast.get_docstring(function) or "").strip():
            yield Finding(function.lineno, "missing docstring", f"'{function.name}' does not say what it does")


def undefined_names(source: Source) -> Iterator[Finding]:
    """A name is used that is neither defined here nor built in. Not asked where names come from unnamed."""
    imports = (node for node in ast.walk(source.tree) if isinstance(node, ast.ImportFrom))
    if any(alias.name == "*" for node in imports for alias in node.names):
        return
    scopes = list(_scopes(source.names))
    known = _BUILT_IN | {symbol.get_name() for symbol in source.names.get_symbols() if _is_bound(symbol)}
    known |= {s.get_name() for scope in scopes for s in scope.get_symbols() if s.is_declared_global() and _is_bound(s)}
    unknown = {
        symbol.get_name()
        for scope in scopes
        for symbol in scope.get_symbols()
        if symbol.is_referenced() and (symbol.is_global() or scope is source.names) and symbol.get_name() not in known
    }
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in unknown:
            unknown.discard(node.id)
            yield Finding(node.lineno, "undefined name", f"'{node.id}' is not defined")


def unused_imports(source: Source) -> Iterator[Finding]:
    """An import is unused, or imports everything."""
    used = {node.id for node in ast.walk(source.tree) if isinstance(node, ast.Name)}
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.Import | ast.ImportFrom) or getattr(node, "module", "") == "__future__":
            continue
        for alias in node.names:
            name = alias.asname or alias.name.partition(".")[0]
            if name == "*":
                yield Finding(node.lineno, "star import", "name what you import")
            elif name not in used:
                yield Finding(node.lineno, "unused import", f"'{name}' is imported and never used")


def mutable_defaults(source: Source) -> Iterator[Finding]:
    """A mutable default value is shared by all calls."""
    for function in source.functions():
        for argument, value in defaults_of(function):
            if _is_mutable(value):
                detail = f"'{argument.arg}' of {function.name} begins as one object for all calls; use None"
                yield Finding(value.lineno, "mutable default", detail)


def missing_return(source: Source) -> Iterator[Finding]:
    """A function that gives a value, or says so in its signature, can end without one."""
    for function in source.functions():
        inside = list(_own_nodes(function))
        if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in inside) or is_stub(function):
            continue
        gives = any(isinstance(node, ast.Return) and node.value is not None for node in inside)
        promised = function.returns is not None and not _is_none(function.returns)
        if (gives or promised) and not always_leaves(function.body):
            yield Finding(function.lineno, "missing return", f"'{function.name}' can end without returning a value")


def complexity(source: Source) -> Iterator[Finding]:
    """A function has too many branches."""
    for function in source.functions():
        if (count := branches(function)) > source.most_branches:
            detail = f"'{function.name}' has {count} branches, more than {source.most_branches}"
            yield Finding(function.lineno, "complexity", detail)


def stubs(source: Source) -> Iterator[Finding]:
    """A function has no implementation."""
    for function in source.functions():
        if is_stub(function):
            yield Finding(function.lineno, "not implemented", f"'{function.name}' does nothing yet")


def habits(source: Source) -> Iterator[Finding]:
    """Common mistakes that are easy to miss."""
    for node in ast.walk(source.tree):
        match node:
            case ast.ExceptHandler(type=None):
                yield Finding(node.lineno, "bare except", "it hides every mistake, too; name what may be raised")
            case ast.Compare() if any(
                isinstance(sign, ast.Eq | ast.NotEq) and _is_none(value)
                for sign, value in zip(node.ops, node.comparators, strict=True)
            ):
                yield Finding(node.lineno, "comparison", "None is compared by 'is', not by '=='")
            case ast.Call(func=ast.Name(id=name)) if name in _FORBIDDEN:
                yield Finding(node.lineno, "forbidden call", f"'{name}' runs text as code")
            case ast.arg(arg=name) if name in _SHADOWED:
                yield Finding(node.lineno, "shadowed name", f"'{name}' hides what is built in")
            case _:
                pass


RULES: Sequence[Callable[[Source], Iterator[Finding]]] = (
    missing_function,
    missing_docstring,
    undefined_names,
    unused_imports,
    mutable_defaults,
    missing_return,
    complexity,
    stubs,
    habits,
)


def defaults_of(function: Function) -> Iterator[tuple[ast.arg, ast.expr]]:
    """The parameters of a function that have a default, each with it."""
    listed = [*function.args.posonlyargs, *function.args.args]
    yield from zip(listed[len(listed) - len(function.args.defaults) :], function.args.defaults, strict=True)
    named = zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
    yield from ((argument, value) for argument, value in named if value is not None)


def branches(function: Function) -> int:
    """The branches of a function: its conditions, loops, handlers, cases, and each "and" and "or"."""
    count = 0
    for node in _own_nodes(function):
        count += isinstance(node, _BRANCHING)
        count += len(node.values) - 1 if isinstance(node, ast.BoolOp) else 0
        count += 1 + len(node.ifs) if isinstance(node, ast.comprehension) else 0
    return count


def is_stub(function: Function) -> bool:
    """Whether a function only says that there is nothing to it yet."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return all(
        isinstance(statement, ast.Pass)
        or (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
        or (isinstance(statement, ast.Raise) and "NotImplementedError" in ast.dump(statement))
        for statement in body
    )


def always_leaves(body: Sequence[ast.stmt]) -> bool:
    """Whether the end of `body` cannot be reached."""
    return any(_leaves(statement) for statement in body)


def _leaves(statement: ast.stmt) -> bool:
    match statement:
        case ast.Return() | ast.Raise():
            leaves = True
        case ast.If():
            leaves = all(always_leaves(body) for body in _bodies_of(statement))
        case ast.With() | ast.AsyncWith():
            leaves = always_leaves(statement.body)
        case ast.Try() | ast.TryStar():
            tried = [[*statement.body, *statement.orelse], *(handler.body for handler in statement.handlers)]
            leaves = always_leaves(statement.finalbody) or all(always_leaves(body) for body in tried)
        case ast.While(test=ast.Constant(value=held)):
            leaves = bool(held) and not _breaks(statement)
        case ast.Match(cases=cases):
            leaves = any(_takes_all(case) for case in cases) and all(always_leaves(case.body) for case in cases)
        case _:
            leaves = False
    return leaves


def _bodies_of(statement: ast.If) -> Iterator[Sequence[ast.stmt]]:
    """The bodies of an if, its elifs and its else, the last of them empty if there is none."""
    while True:
        yield statement.body
        match statement.orelse:
            case [ast.If() as following]:
                statement = following
            case otherwise:
                yield otherwise
                return


def _takes_all(case: ast.match_case) -> bool:
    return case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None


def _breaks(loop: ast.While) -> bool:
    """Whether a loop may be left by its own `break`."""
    waiting: list[ast.AST] = list(loop.body)
    while waiting:
        match node := waiting.pop():
            case ast.Break():
                return True
            case ast.While() | ast.For() | ast.AsyncFor():
                waiting.extend(node.orelse)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                pass
            case _:
                waiting.extend(ast.iter_child_nodes(node))
    return False


def _own_nodes(function: Function) -> Iterator[ast.AST]:
    """What is in a function's body, but not in functions and classes within it."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))


def _scopes(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    waiting = [table]
    while waiting:
        scope = waiting.pop()
        yield scope
        waiting.extend(scope.get_children())


def _is_bound(symbol: symtable.Symbol) -> bool:
    return symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()


def _is_mutable(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id in _MUTABLE_CALLS
    return isinstance(value, ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
