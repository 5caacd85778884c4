"""The simulated refiner's hand: mends one finding in a source, by what the finding says and the source shows.

Works on lines, and on the syntax tree where there is one. What it cannot mend it leaves alone. Checks nothing.
"""

from __future__ import annotations

import ast
import difflib
import re
import sys
from collections.abc import Callable, Sequence

from agents.pipelines.code_refinement.checking import name_in
from agents.pipelines.code_refinement.finding import Finding
from agents.pipelines.code_refinement.rules import Function, defaults_of
from agents.pipelines.code_refinement.writing import INDENT, assembled, recipe_for, skeleton

_HOMES = {
    **dict.fromkeys(("Counter", "defaultdict", "deque"), "collections"),
    **dict.fromkeys(("Any", "Callable", "Iterable", "Optional", "Sequence"), "typing"),
    "dataclass": "dataclasses",
}
_PLAIN_NAMES = {"input": "text", "id": "number", "list": "items", "str": "text", "dict": "mapping", "sum": "total"}


_WORD = re.compile(r"\w++")
_WORD_ALONE = re.compile(r"(?<![.\w\"'])\w++(?!\()")
_DEF = re.compile(r"def \w++")
_NEVER_CLOSED = re.compile(r"'([(\[{])' was never closed")
_UNMATCHED = re.compile(r"unmatched '([)\]}])'")
_QUOTE = re.compile(r"[\"']")
_BLOCK_EXPECTED = re.compile(r"expected an indented block after .{0,200} on line (\d{1,6})")
_ASSIGNED = re.compile(r"(?<![=!<>])=(?!=)")
_IS_NOT = re.compile(r"\bis not\b")
_IS = re.compile(r"\bis\b")
_BARE_EXCEPT = re.compile(r"\bexcept\s*+:")
_EVAL = re.compile(r"\beval\(")
_EQUALS_NONE = re.compile(r"(?:(?<!\s)\s++)?+==\s*+None\b")
_DIFFERS_FROM_NONE = re.compile(r"(?:(?<!\s)\s++)?+!=\s*+None\b")
_IMPORT = re.compile(r"(?:import|from) (?!__future__)")


def mend(source: str, finding: Finding, request: str) -> str:
    """The source without what `finding` names, or as it was."""
    if finding.rule in ("no code", "not implemented"):
        return _written_anew(source, finding, request)
    mending = _MENDINGS.get(finding.rule)
    lines = source.splitlines()
    if mending is None or not 1 <= finding.line <= len(lines):
        return source
    try:
        mended = mending(lines, finding, request)
    except SyntaxError:  # this mending needs a tree, and another finding must be mended for there to be one
        return source
    text = "\n".join(mended).rstrip("\n") + "\n"
    if finding.rule == "syntax" and not _can_be_read(text):  # half an answer, say
        return _written_anew(text, finding, request)
    return text


def _written_anew(source: str, finding: Finding, request: str) -> str:
    recipe = recipe_for(request)
    if recipe is None:
        return source or skeleton(request, name_in(request))
    name = finding.name if finding.rule == "not implemented" else name_in(request)
    name = name or recipe.signature.partition("(")[0]
    return _DEF.sub(f"def {name}", assembled(recipe), count=1)


# -- one function for each rule, from lines to lines


def _syntax(lines: list[str], finding: Finding, _request: str) -> list[str]:
    at, detail = finding.line - 1, finding.detail
    line = lines[at]
    if "expected ':'" in detail:
        lines[at] = _with_colon(line)
    elif found := _NEVER_CLOSED.match(detail):
        lines[at] = line + {"(": ")", "[": "]", "{": "}"}[found[1]]
    elif found := _UNMATCHED.match(detail):
        lines[at] = line[: (place := line.rindex(found[1]))] + line[place + 1 :] if found[1] in line else line
    elif "unterminated string" in detail:
        quotes = _QUOTE.findall(line)
        lines[at] = line + (quotes[0] if quotes else "")
    elif "unexpected indent" in detail:
        lines[at] = line.lstrip() if at == 0 else _indent_of(lines[at - 1]) + line.lstrip()
    elif found := _BLOCK_EXPECTED.search(detail):
        opening = lines[min(int(found[1]), len(lines)) - 1]
        lines.insert(min(int(found[1]), len(lines)), f"{_indent_of(opening)}{INDENT}pass")
    elif "Maybe you meant '=='" in detail:
        lines[at] = _ASSIGNED.sub("==", line, count=1)
    elif '"is" with a literal' in detail or '"is not" with a literal' in detail:
        lines[at] = _IS_NOT.sub("!=", line) if '"is not"' in detail else _IS.sub("==", line)
    return lines


def _with_colon(line: str) -> str:
    code, hash_sign, remark = line.partition("#")
    return f"{code.rstrip()}:  #{remark}" if hash_sign else f"{code.rstrip()}:"


def _missing_function(lines: list[str], finding: Finding, request: str) -> list[str]:
    """The only function there is gets the name that is wanted."""
    defined = [node.name for node in ast.walk(_tree(lines)) if isinstance(node, Function)]
    if len(defined) == 1 and finding.name:
        return [_renamed(line, defined[0], finding.name) for line in lines]
    recipe = recipe_for(request)
    return lines if recipe is None else [*_written_anew("", finding, request).splitlines(), "", "", *lines]


def _docstring(lines: list[str], finding: Finding, request: str) -> list[str]:
    function = _function_at(lines, finding)
    recipe = recipe_for(request)
    named = " ".join(function.name.strip("_").split("_")).capitalize()
    arguments = [argument.arg for argument in function.args.args if argument.arg not in ("self", "cls")]
    said = recipe.doc if recipe else f"{named} of {', '.join(arguments)}." if arguments else f"{named}."
    return _put_first(lines, function, [f'"""{said}"""'])


def _undefined_name(lines: list[str], finding: Finding, _request: str) -> list[str]:
    name, at = finding.name, finding.line - 1
    if name in sys.stdlib_module_names:
        return _imported(lines, f"import {name}")
    if name in _HOMES:
        return _imported(lines, f"from {_HOMES[name]} import {name}")
    tree = _tree(lines)
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    bound |= {node.name for node in ast.walk(tree) if isinstance(node, Function)}
    if meant := difflib.get_close_matches(name, sorted(bound - {name}), n=1, cutoff=0.6):
        lines[at] = _renamed(lines[at], name, meant[0])
    return lines


def _unused_import(lines: list[str], finding: Finding, _request: str) -> list[str]:
    statement = next(
        node
        for node in ast.walk(_tree(lines))
        if isinstance(node, ast.Import | ast.ImportFrom) and node.lineno == finding.line
    )
    kept = [alias for alias in statement.names if (alias.asname or alias.name.partition(".")[0]) != finding.name]
    end = statement.end_lineno or statement.lineno
    statement.names = kept
    replaced = [f"{_indent_of(lines[finding.line - 1])}{ast.unparse(statement)}"] if kept else []
    rest = lines[end:]
    while not kept and finding.line == 1 and rest and not rest[0].strip():
        rest = rest[1:]
    return lines[: finding.line - 1] + replaced + rest


def _mutable_default(lines: list[str], finding: Finding, _request: str) -> list[str]:
    """None instead, and a new object for each call that needs it."""
    at = finding.line - 1
    for function in (node for node in ast.walk(_tree(lines)) if isinstance(node, Function)):
        for argument, value in defaults_of(function):
            if argument.arg == finding.name and value.lineno == finding.line == value.end_lineno:
                body = [f"if {argument.arg} is None:", f"{INDENT}{argument.arg} = {ast.unparse(value)}"]
                before, after = _around(lines[at], value)
                assign = " | None = " if argument.annotation is not None else "="
                mended = _put_first(lines, function, body, after_docstring=True)
                declared = before.rstrip().removesuffix("=").rstrip()
                return [*mended[:at], f"{declared}{assign}None{after}", *mended[at + 1 :]]
    return lines


def _missing_return(lines: list[str], finding: Finding, _request: str) -> list[str]:
    """The last statement becomes the result, or what was built up before it does."""
    function = _function_at(lines, finding)
    last = function.body[-1]
    indent = _indent_of(lines[last.lineno - 1])
    if isinstance(last, ast.Expr) and not isinstance(last.value, ast.Constant):
        at = last.lineno - 1
        lines[at] = f"{lines[at][: last.col_offset]}return {lines[at][last.col_offset :]}"
        return lines
    built = [
        node.targets[0].id
        for node in function.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    ]
    is_bool = isinstance(function.returns, ast.Name) and function.returns.id == "bool"
    result = "False" if is_bool else built[0] if built else "None"
    end = last.end_lineno or last.lineno
    return [*lines[:end], f"{indent}return {result}", *lines[end:]]


def _line_by(pattern: re.Pattern[str], replacement: str) -> Callable[[list[str], Finding, str], list[str]]:
    """A mending that replaces a pattern in the line of the finding."""

    def mend_line(lines: list[str], finding: Finding, _request: str) -> list[str]:
        lines[finding.line - 1] = pattern.sub(replacement, lines[finding.line - 1])
        return lines

    return mend_line


def _comparison(lines: list[str], finding: Finding, _request: str) -> list[str]:
    line = _EQUALS_NONE.sub(" is None", lines[finding.line - 1])
    lines[finding.line - 1] = _DIFFERS_FROM_NONE.sub(" is not None", line)
    return lines


def _shadowed_name(lines: list[str], finding: Finding, _request: str) -> list[str]:
    taken = {node.id for node in ast.walk(_tree(lines)) if isinstance(node, ast.Name)}
    plain = _PLAIN_NAMES.get(finding.name, f"{finding.name}_")
    better = plain if plain not in taken else f"{finding.name}_"
    return [_renamed(line, finding.name, better, word=_WORD_ALONE) for line in lines]


def _renamed(line: str, name: str, better: str, *, word: re.Pattern[str] = _WORD) -> str:
    return word.sub(lambda found: better if found[0] == name else found[0], line)


_MENDINGS: dict[str, Callable[[list[str], Finding, str], list[str]]] = {
    "syntax": _syntax,
    "missing function": _missing_function,
    "missing docstring": _docstring,
    "undefined name": _undefined_name,
    "unused import": _unused_import,
    "mutable default": _mutable_default,
    "missing return": _missing_return,
    "bare except": _line_by(_BARE_EXCEPT, "except Exception:"),
    "comparison": _comparison,
    "forbidden call": _line_by(_EVAL, "ast.literal_eval("),
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


def _function_at(lines: Sequence[str], finding: Finding) -> Function:
    functions = [node for node in ast.walk(_tree(lines)) if isinstance(node, Function)]
    named = [function for function in functions if function.name == finding.name]
    found = min(named or functions, key=lambda function: abs(function.lineno - finding.line), default=None)
    if found is None:
        raise SyntaxError("There is no function.")
    return found


def _put_first(lines: list[str], function: Function, new: Sequence[str], *, after_docstring: bool = False) -> list[str]:
    """Puts lines at the beginning of a function's body, which may have begun on the line of its name."""
    first = function.body[0]
    if after_docstring and ast.get_docstring(function) is not None:
        place = first.end_lineno or first.lineno
        indent = _indent_of(lines[first.lineno - 1])
        return [*lines[:place], *(indent + line for line in new), *lines[place:]]
    at = first.lineno - 1
    head = lines[at].encode()[: first.col_offset].decode()
    if not head.strip():
        return [*lines[:at], *(head + line for line in new), *lines[at:]]
    indent = _indent_of(lines[function.lineno - 1]) + INDENT
    rest = lines[at].encode()[first.col_offset :].decode()
    return [*lines[:at], head.rstrip(), *(indent + line for line in new), indent + rest, *lines[at + 1 :]]


def _imported(lines: list[str], statement: str) -> list[str]:
    """The import among those at the top, after a docstring of the module."""
    at = next((place for place, line in enumerate(lines) if _IMPORT.match(line)), None)
    if at is not None:
        return [*lines[:at], statement, *lines[at:]]
    first = next((node for node in _tree(lines).body if not _is_docstring(node)), None)
    place = first.lineno - 1 if first is not None else len(lines)
    return [*lines[:place], statement, "", "", *lines[place:]]


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _around(line: str, value: ast.expr) -> tuple[str, str]:
    """What stands before and behind an expression in its line; the tree counts bytes."""
    encoded = line.encode()
    return encoded[: value.col_offset].decode(), encoded[value.end_col_offset :].decode()


def _indent_of(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
