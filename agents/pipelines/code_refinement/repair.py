"""Repairs a source by one finding: by what the finding says and the source shows, line by line.

What it cannot repair it leaves alone.
"""

from __future__ import annotations

import ast
import difflib
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from agents.models.simulated.language.words import words_beside
from agents.pipelines.code_refinement.finding import Finding
from agents.pipelines.code_refinement.recipes import INDENT, recipe_for
from agents.pipelines.code_refinement.rules import Function, defaults_of

_MODULES = {
    **dict.fromkeys(("Counter", "defaultdict", "deque"), "collections"),
    **dict.fromkeys(("Any", "Callable", "Iterable", "Optional", "Sequence"), "typing"),
    "dataclass": "dataclasses",
}
_CLOSING = {"'('": ")", "'['": "]", "'{'": "}"}
_DATA: dict[str, Any] = words_beside(__file__, "repairs.toml")
_EDITS = [(re.compile(edit["pattern"]), edit) for edit in _DATA["edits"]]
_WORD = re.compile(r"\w++")
_WORD_ALONE = re.compile(r"(?<![.\w\"'])\w++(?!\()")
_BLOCK_EXPECTED = re.compile(r"expected an indented block after .{0,200} on line (\d{1,6})")
_IMPORT = re.compile(r"(?:import|from) (?!__future__)")


def repair(source: str, finding: Finding, request: str) -> str:
    """The source without what `finding` names, or as it was."""
    if finding.rule in ("no code", "not implemented"):
        return _written_anew(source, request)
    lines = source.splitlines()
    if not 1 <= finding.line <= len(lines):
        return source
    line = lines[finding.line - 1]
    for pattern, edit in _EDITS:
        if edit["rule"] == finding.rule and edit["said"] in finding.detail:
            line = pattern.sub(edit["replacement"], line)
    lines[finding.line - 1] = line
    if (repairing := _REPAIRS.get(finding.rule)) is not None:
        with suppress(SyntaxError):  # most need a tree, and another finding must be repaired for there to be one
            lines = repairing(lines, finding, request)
    text = "\n".join(lines).rstrip("\n") + "\n"
    if finding.rule == "syntax" and not _can_be_read(text):  # half an answer, say
        return _written_anew(text, request)
    return text


def _written_anew(source: str, request: str) -> str:
    recipe = recipe_for(request)
    return recipe.source if recipe else source


# -- one function for each rule that takes more than a change in a line, from lines to lines


def _syntax(lines: list[str], finding: Finding, _request: str) -> list[str]:
    line = lines[finding.line - 1]
    if finding.detail.startswith("expected ':'"):
        code, hash_sign, remark = line.partition("#")
        lines[finding.line - 1] = f"{code.rstrip()}:  #{remark}" if hash_sign else f"{code.rstrip()}:"
    elif finding.detail.endswith("was never closed"):
        lines[finding.line - 1] = line + _CLOSING.get(finding.detail[:3], "")
    elif finding.detail == "unexpected indent":
        before = next((above for above in reversed(lines[: finding.line - 1]) if above.strip()), "")
        lines[finding.line - 1] = _indent_of(before) + line.lstrip()
    elif found := _BLOCK_EXPECTED.match(finding.detail):
        at = min(int(found[1]), len(lines))
        lines.insert(at, f"{_indent_of(lines[at - 1])}{INDENT}pass")
    return lines


def _missing_function(lines: list[str], finding: Finding, request: str) -> list[str]:
    """The only function there is gets the name that is wanted."""
    defined = [function.name for function in _functions(lines)]
    if len(defined) == 1 and finding.name:
        return [_renamed(line, defined[0], finding.name) for line in lines]
    recipe = recipe_for(request)
    return [*recipe.source.splitlines(), "", "", *lines] if recipe else lines


def _docstring(lines: list[str], finding: Finding, request: str) -> list[str]:
    function = _function_at(lines, finding)
    recipe = recipe_for(request)
    said = recipe.doc if recipe else f"{' '.join(function.name.strip('_').split('_')).capitalize()}."
    return _put_first(lines, function, [f'"""{said}"""'])


def _undefined_name(lines: list[str], finding: Finding, _request: str) -> list[str]:
    """An import for what is in the standard library, else the name that is most alike."""
    name, nodes = finding.name, [*ast.walk(_tree(lines))]
    if name in sys.stdlib_module_names or name in _MODULES:
        statement = f"from {_MODULES[name]} import {name}" if name in _MODULES else f"import {name}"
        return _imported(lines, statement)
    bound = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    bound |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    bound |= {node.name for node in nodes if isinstance(node, Function)}
    if meant := difflib.get_close_matches(name, sorted(bound - {name}), n=1, cutoff=0.6):
        lines[finding.line - 1] = _renamed(lines[finding.line - 1], name, meant[0])
    return lines


def _unused_import(lines: list[str], finding: Finding, _request: str) -> list[str]:
    begin = finding.line - 1
    for node in ast.walk(_tree(lines)):
        if isinstance(node, ast.Import | ast.ImportFrom) and node.lineno == finding.line:
            rest = lines[node.end_lineno or node.lineno :]
            node.names = [alias for alias in node.names if (alias.asname or alias.name.partition(".")[0]) != finding.name]
            if node.names:
                return [*lines[:begin], _indent_of(lines[begin]) + ast.unparse(node), *rest]
            while begin == 0 and rest and not rest[0].strip():
                rest = rest[1:]
            return [*lines[:begin], *rest]
    return lines


def _mutable_default(lines: list[str], finding: Finding, _request: str) -> list[str]:
    """None instead, and a new object for each call that needs it."""
    at = finding.line - 1
    for function in _functions(lines):
        for argument, value in defaults_of(function):
            if argument.arg == finding.name and value.lineno == finding.line == value.end_lineno:
                before, after = _split_at(lines[at], value.col_offset)[0], _split_at(lines[at], value.end_col_offset or 0)[1]
                declared = before.rstrip().removesuffix("=").rstrip()
                assign = " | None = " if argument.annotation is not None else "="
                new = [f"if {argument.arg} is None:", f"{INDENT}{argument.arg} = {ast.unparse(value)}"]
                mended = _put_first(lines, function, new, after_docstring=True)
                return [*mended[:at], f"{declared}{assign}None{after}", *mended[at + 1 :]]
    return lines


def _missing_return(lines: list[str], finding: Finding, _request: str) -> list[str]:
    """The last statement becomes the result, if it has a value; else False, what was assigned first, or None."""
    function = _function_at(lines, finding)
    last = function.body[-1]
    if isinstance(last, ast.Expr) and not isinstance(last.value, ast.Constant):
        before, after = _split_at(lines[last.lineno - 1], last.col_offset)
        lines[last.lineno - 1] = f"{before}return {after}"
        return lines
    built = [node.targets[0] for node in function.body if isinstance(node, ast.Assign)]
    names = [target.id for target in built if isinstance(target, ast.Name)]
    is_bool = isinstance(function.returns, ast.Name) and function.returns.id == "bool"
    result = "False" if is_bool else names[0] if names else "None"
    end = last.end_lineno or last.lineno
    return [*lines[:end], f"{_indent_of(lines[last.lineno - 1])}return {result}", *lines[end:]]


def _shadowed_name(lines: list[str], finding: Finding, _request: str) -> list[str]:
    """A plain name instead of the one that is built in, or the same with an underscore where that is taken."""
    nodes = [*ast.walk(_tree(lines))]
    taken = {node.id for node in nodes if isinstance(node, ast.Name)}
    taken |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    plain = _DATA["plain_names"].get(finding.name, "")
    better = plain if plain and plain not in taken else f"{finding.name}_"
    return [_renamed(line, finding.name, better, word=_WORD_ALONE) for line in lines]


_REPAIRS: dict[str, Callable[[list[str], Finding, str], list[str]]] = {
    "syntax": _syntax,
    "missing function": _missing_function,
    "missing docstring": _docstring,
    "undefined name": _undefined_name,
    "unused import": _unused_import,
    "mutable default": _mutable_default,
    "missing return": _missing_return,
    "shadowed name": _shadowed_name,
}


# -- looking at a source


def _tree(lines: Sequence[str]) -> ast.Module:
    return ast.parse("\n".join(lines) + "\n")


def _can_be_read(source: str) -> bool:
    try:
        ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _functions(lines: Sequence[str]) -> list[Function]:
    return [node for node in ast.walk(_tree(lines)) if isinstance(node, Function)]


def _function_at(lines: Sequence[str], finding: Finding) -> Function:
    functions = _functions(lines)
    named = [function for function in functions if function.name == finding.name]
    found = min(named or functions, key=lambda function: abs(function.lineno - finding.line), default=None)
    if found is None:
        raise SyntaxError("There is no function.")
    return found


def _put_first(lines: list[str], function: Function, new: Sequence[str], *, after_docstring: bool = False) -> list[str]:
    """Puts lines at the beginning of a function's body, which may have begun on the line of its name."""
    first = function.body[0]
    if after_docstring and ast.get_docstring(function) is not None:
        end, indent = first.end_lineno or first.lineno, _indent_of(lines[first.lineno - 1])
        return [*lines[:end], *(indent + line for line in new), *lines[end:]]
    at = first.lineno - 1
    head, rest = _split_at(lines[at], first.col_offset)
    if not head.strip():
        return [*lines[:at], *(head + line for line in new), *lines[at:]]
    indent = _indent_of(lines[function.lineno - 1]) + INDENT
    return [*lines[:at], head.rstrip(), *(indent + line for line in (*new, rest)), *lines[at + 1 :]]


def _imported(lines: list[str], statement: str) -> list[str]:
    """The import among those at the top, after a docstring of the module."""
    for place, line in enumerate(lines):
        if _IMPORT.match(line):
            return [*lines[:place], statement, *lines[place:]]
    body = _tree(lines).body
    first = body[1:] if ast.get_docstring(ast.Module(body, [])) is not None else body
    place = first[0].lineno - 1 if first else len(lines)
    return [*lines[:place], statement, "", "", *lines[place:]]


def _renamed(line: str, name: str, better: str, *, word: re.Pattern[str] = _WORD) -> str:
    return word.sub(lambda found: better if found[0] == name else found[0], line)


def _split_at(line: str, offset: int) -> tuple[str, str]:
    """What stands before and behind a place in a line; the tree counts bytes."""
    encoded = line.encode()
    return encoded[:offset].decode(), encoded[offset:].decode()


def _indent_of(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
